import Foundation
import FoundationCompat

import class FoundationCompat.NSPredicate

/// Reads the XML of `.xcdatamodel/contents`, every vintage from Xcode 4 on.
///
/// Attributes equal to their default are left out by Xcode, and elements that say how the model is drawn are of no
/// consequence here. What Xcode's compiler reads although it looks wrong is read like that, with a warning; what would be
/// another model than the author means is an error which names the entity and property.
package struct XMLModelReader {
    private let composites: [String: XMLTree]
    private let notes = XMLReadingWarnings()

    /// Reads the model into an empty one.
    package static func read(_ data: Data, into model: NSManagedObjectModel) throws {
        try read(XMLTreeParser.parse(data), into: model)
    }

    /// Reads a parsed model into an empty one.
    static func read(_ root: XMLTree, into model: NSManagedObjectModel) throws {
        guard root.name == "model" else {
            throw ModelFileError(
                .malformed, "this is no model: its outermost element is \"\(root.name)\"", position: root.position)
        }
        let composites = Dictionary(
            root.children(named: "composite").compactMap { element in element["name"].map { ($0, element) } },
            uniquingKeysWith: { first, _ in first })
        let reader = XMLModelReader(composites: composites)
        try reader.read(root, into: model)
        model.readingIssues = reader.notes.issues
    }

    private func read(_ root: XMLTree, into model: NSManagedObjectModel) throws {
        var entities: [String: NSEntityDescription] = [:]
        var elements: [(element: XMLTree, entity: NSEntityDescription)] = []
        for element in root.children(named: "entity") {
            let name = try Self.requiredAttribute("name", of: element)
            let entity = NSEntityDescription()
            entity.name = name
            guard entities.updateValue(entity, forKey: name) == nil else {
                throw ModelFileError(
                    .malformed, "there are two entities of that name", at: "entity \(name)",
                    position: element.position)
            }
            elements.append((element, entity))
        }
        try buildHierarchy(of: elements, entities: entities)
        for (element, entity) in elements {
            do {
                try XMLEntityReader(composites: composites, notes: notes).read(element, into: entity)
            } catch let error as ModelFileError {
                throw error.located(at: "entity \(entity.name ?? "")", position: element.position)
            }
        }
        model.entities = elements.map(\.entity)
        if let identifier = root["userDefinedModelVersionIdentifier"] { model.versionIdentifiers = [identifier] }
        for element in root.children(named: "fetchRequest") {
            let name = try Self.requiredAttribute("name", of: element)
            do {
                model.setFetchRequestTemplate(try Self.fetchRequest(element, notes: notes), forName: name)
            } catch {
                notes.warn("the fetch request \(name) is left out: \(error)", position: element.position)
            }
        }
        for element in root.children(named: "configuration") {
            let name = try Self.requiredAttribute("name", of: element)
            let members = element.children(named: "memberEntity").compactMap { member -> NSEntityDescription? in
                let memberName = member["name"] ?? ""
                if let entity = entities[memberName] { return entity }
                notes.warn(
                    "the configuration \(name) has the entity \"\(memberName)\", which the model lacks",
                    position: member.position)
                return nil
            }
            model.setEntities(members, forConfigurationName: name)
        }
        model.connectRelationships()
    }

    /// Ties entities to their parents, in the order of the file.
    private func buildHierarchy(
        of elements: [(element: XMLTree, entity: NSEntityDescription)], entities: [String: NSEntityDescription]
    ) throws {
        let parents = Dictionary(
            elements.compactMap { pair in pair.element.nonEmpty("parentEntity").map { (pair.entity.name ?? "", $0) } },
            uniquingKeysWith: { first, _ in first })
        let sizes = Dictionary(
            elements.map { ($0.entity.name ?? "", $0.element.children.count) }, uniquingKeysWith: { first, _ in first })
        let positions = Dictionary(
            elements.compactMap { pair in pair.element.position.map { (pair.entity.name ?? "", $0) } },
            uniquingKeysWith: { first, _ in first })
        var total = 0
        for (_, entity) in elements {
            var depth = 0
            var current = entity.name ?? ""
            while let parent = parents[current] {
                guard entities[parent] != nil else {
                    throw ModelFileError(
                        .malformed, "its parent \(parent) is not in the model", at: "entity \(current)",
                        position: positions[current])
                }
                depth += 1
                total += sizes[parent] ?? 0
                guard total <= NSEntityDescription.maximumTotalPropertyCount else {
                    throw ModelFileError(.tooLarge, "the entities inherit too many properties")
                }
                guard depth <= NSEntityDescription.maximumHierarchyDepth else {
                    throw ModelFileError(
                        .malformed, "the entity is its own ancestor, or has too many", at: "entity \(current)",
                        position: positions[current])
                }
                current = parent
            }
        }
        let children = Dictionary(grouping: elements.map(\.entity)) { $0.name.flatMap { parents[$0] } }
        for case (let parent?, let members) in children { entities[parent]?.connect(subentities: members) }
    }

    /// Reads a fetch request; its entity is known by name only.
    static func fetchRequest(
        _ element: XMLTree, notes: XMLReadingWarnings
    ) throws -> NSFetchRequest<NSFetchRequestResult> {
        let request = NSFetchRequest<NSFetchRequestResult>()
        request.state.entityName = element["entity"]
        do {
            request.predicate = try element["predicateString"].flatMap {
                $0.trimmed.isEmpty ? nil : try NSPredicate.parse($0, argumentArray: [])
            }
        } catch {
            throw ModelFileError(.malformed, "the predicate cannot be understood: \(error)")
        }
        request.fetchLimit = notes.integer("fetchLimit", of: element) ?? 0
        request.fetchBatchSize = notes.integer("fetchBatchSize", of: element) ?? 0
        let resultType = notes.integer("resultType", of: element) ?? 0
        request.resultType = NSFetchRequestResultType(rawValue: UInt(truncatingIfNeeded: resultType))
        // An attribute that the element lacks means NO: Xcode writes those that are on. Old models have none of
        // them at all, and mean the defaults.
        let names = [
            "includeSubentities", "includePropertyValues", "includesPendingChanges", "returnObjectsAsFaults",
            "returnDistinctResults",
        ]
        if names.contains(where: { element[$0] != nil }) {
            request.includesSubentities = element["includeSubentities"] == "YES"
            request.includesPropertyValues = element["includePropertyValues"] == "YES"
            request.includesPendingChanges = element["includesPendingChanges"] == "YES"
            request.returnsObjectsAsFaults = element["returnObjectsAsFaults"] == "YES"
            request.returnsDistinctResults = element["returnDistinctResults"] == "YES"
        }
        return request
    }

    static func requiredAttribute(_ name: String, of element: XMLTree) throws -> String {
        guard let value = element[name], !value.isEmpty else {
            throw ModelFileError(
                .malformed, "the element \"\(element.name)\" has no \(name)", position: element.position)
        }
        return value
    }

    static func userInfo(of element: XMLTree) -> [AnyHashable: Any] {
        let entries = element.children(named: "userInfo").flatMap { $0.children(named: "entry") }
        return Dictionary(
            entries.compactMap { entry in entry["key"].map { ($0 as AnyHashable, (entry["value"] ?? "") as Any) } },
            uniquingKeysWith: { _, last in last })
    }
}
