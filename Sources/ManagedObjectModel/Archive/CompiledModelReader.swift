import Foundation
import FoundationCompat

/// Reads descriptions from keyed archives: `.mom` files, the model caches of stores, and what `encode(with:)` wrote.
///
/// The archive is untrusted. The graph is followed from the model's list of entities and by names, so cycles do no
/// harm; what nests (predicates, composite attributes) has a limited depth.
package struct CompiledModelReader {
    private let archive: KeyedArchive

    /// Reads the model of a `.mom` file or of an inflated `Z_MODELCACHE`.
    package static func model(in data: Data) throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        try read(data, into: model)
        return model
    }

    /// Reads the model into an empty one.
    package static func read(_ data: Data, into model: NSManagedObjectModel) throws {
        try read(KeyedArchive(data).rootObject(), into: model)
    }

    /// Reads the model that is the outermost object of an archive into an empty one.
    static func read(_ root: ArchivedObject, into model: NSManagedObjectModel) throws {
        try CompiledModelReader(archive: root.archive).read(root, into: model)
    }

    /// Reads whatever description is outermost in the archive.
    static func object(in data: Data) throws -> NSObject {
        let archive = try KeyedArchive(data)
        let root = try archive.rootObject()
        let reader = CompiledModelReader(archive: archive)
        let properties = PropertyArchiveReader()
        switch root.className {
        case "NSManagedObjectModel":
            let model = NSManagedObjectModel()
            try reader.read(root, into: model)
            return model
        case "NSEntityDescription": return try reader.entity(root, ancestors: [])
        case "NSFetchIndexDescription": return try ArchivedIndexes.index(root)
        case "NSFetchIndexElementDescription": return try ArchivedIndexes.element(root)
        case "NSFetchRequest": return try ArchivedFetchRequests.request(root)
        default: return try properties.property(root)
        }
    }

    private func read(_ root: ArchivedObject, into model: NSManagedObjectModel) throws {
        guard root.className == "NSManagedObjectModel" else {
            throw ModelFileError(.malformed, "this is an archive of \(root.className), not of a managed object model")
        }
        let archived = try entityObjects(of: root)
        let lineages = try archived.map { try lineage(of: $0) }
        let ownNames = Dictionary(
            uniqueKeysWithValues: try archived.map { ($0.index, Set(try $0.pairs("NSProperties").map(\.key))) })
        let total = lineages.reduce(0) { sum, lineage in lineage.reduce(sum) { $0 + (ownNames[$1]?.count ?? 0) } }
        guard total <= NSEntityDescription.maximumTotalPropertyCount else {
            throw ModelFileError(.tooLarge, "the entities inherit too many properties")
        }
        var entities: [Int: NSEntityDescription] = [:]
        // Ancestors come first, so that a subentity can be compared with them.
        for (object, lineage) in zip(archived, lineages).sorted(by: { $0.1.count < $1.1.count }) {
            entities[object.index] = try entity(object, ancestors: lineage.compactMap { entities[$0] })
        }
        let children = Dictionary(grouping: zip(archived, lineages)) { $0.1.first }
        for (parent, members) in children {
            guard let parent else { continue }
            entities[parent]?.connect(subentities: members.compactMap { entities[$0.0.index] })
        }
        model.entities = archived.compactMap { entities[$0.index] }
        try readRest(of: root, into: model, entities: entities)
        model.connectRelationships()
    }

    private func entityObjects(of root: ArchivedObject) throws -> [ArchivedObject] {
        // An object is listed under its own name only, so one that occurs twice repeats that.
        var names: Set<String> = []
        var objects: [ArchivedObject] = []
        for (name, node) in try root.pairs("NSEntities").sorted(by: { $0.key < $1.key }) {
            guard let object = try archive.object(at: node, in: "entity \(name)"),
                object.className == "NSEntityDescription", try object.string("NSEntityName") == name
            else { throw ModelFileError(.malformed, "the model has no such entity", at: "entity \(name)") }
            guard names.insert(name).inserted else {
                throw ModelFileError(.malformed, "the entity occurs twice", at: "entity \(name)")
            }
            objects.append(object)
        }
        return objects
    }

    /// The numbers of an entity's ancestors, the nearest first.
    private func lineage(of entity: ArchivedObject) throws -> [Int] {
        var result: [Int] = []
        var current = try entity.object("NSSuperentity")
        while let parent = current {
            guard result.count < NSEntityDescription.maximumHierarchyDepth else {
                throw ModelFileError(
                    .malformed, "the entity is its own ancestor, or has too many",
                    at: "entity \(try entity.requiredString("NSEntityName"))")
            }
            guard parent.className == "NSEntityDescription" else {
                throw entity.mismatch("NSSuperentity", "an entity")
            }
            result.append(parent.index)
            current = try parent.object("NSSuperentity")
        }
        return result
    }

    /// - Parameter ancestors: the entities above, the nearest first. Model caches repeat their properties in each
    ///   subentity; what is equal to the inherited property is left out.
    private func entity(_ object: ArchivedObject, ancestors: [NSEntityDescription]) throws -> NSEntityDescription {
        let entity = NSEntityDescription()
        let name = try object.requiredString("NSEntityName")
        entity.name = name
        do {
            entity.explicitClassName = try object.string("NSClassNameForEntity")
            entity.isAbstract = try object.boolean("NSIsAbstract")
            entity.userInfo = try object.value("NSUserInfo") as? [AnyHashable: Any] ?? [:]
            entity.versionHashModifier = try object.string("NSVersionHashModifier")
            entity.explicitRenamingIdentifier = try object.string("NSRenamingIdentifier").flatMap {
                $0 == name ? nil : $0
            }
            let reader = PropertyArchiveReader()
            let inherited = ancestors.reduce(into: [String: NSPropertyDescription]()) { found, ancestor in
                for property in ancestor.ownProperties where found[property.name] == nil {
                    found[property.name] = property
                }
            }
            let properties = try object.pairs("NSProperties").sorted { $0.key < $1.key }
                .compactMap { key, node -> NSPropertyDescription? in
                    guard let archived = try archive.object(at: node, in: "property \(key)") else { return nil }
                    let property = try reader.property(archived)
                    return property.isEqual(inherited[key]) ? nil : property
                }
            guard Set(properties.map(\.name)).count == properties.count else {
                throw ModelFileError(.malformed, "two properties have the same name")
            }
            entity.declare(properties: properties)
            entity.uniquenessConstraints = try tuples(object, "NSUniqueTuples")
            entity.compoundIndexes = try tuples(object, "NSCompoundIndexes")
            entity.indexes = try object.objects("NSFetchIndexDescriptions").map(ArchivedIndexes.index)
            // Compilers before Xcode 9 wrote the older form only.
            if !object.has("NSFetchIndexDescriptions") { LegacyIndexes.reconcile(entity) }
        } catch let error as ModelFileError {
            throw error.located(at: "entity \(name)")
        }
        return entity
    }

    /// Lists of lists of property names, which model caches replace by the properties.
    private func tuples(_ object: ArchivedObject, _ key: String) throws -> [[String]] {
        try (object.members(key) ?? []).compactMap { member in
            guard case .array(let parts)? = try archive.target(of: member)?.dictionary?["NS.objects"] else {
                throw object.mismatch(key, "a list of lists")
            }
            return try parts.map { part in
                if case .string(let name)? = try archive.target(of: part) { return name }
                if let value = try ValueArchiveReader.value(part, in: archive) as? String { return value }
                guard let property = try archive.object(at: part, in: key) else {
                    throw object.mismatch(key, "names of properties")
                }
                return try property.requiredString("NSPropertyName")
            }
        }
    }

    private func readRest(
        of root: ArchivedObject, into model: NSManagedObjectModel, entities: [Int: NSEntityDescription]
    ) throws {
        model.versionIdentifiers = Set(try root.strings("NSVersionIdentifiers"))
        for (name, node) in try root.pairs("NSConfigurations") {
            guard let target = try archive.target(of: node), let members = target.dictionary?["NS.objects"]?.array
            else {
                throw root.mismatch("NSConfigurations", "lists of entities")
            }
            let list = try members.compactMap { try archive.object(at: $0, in: "configuration \(name)") }
            model.setEntities(list.compactMap { entities[$0.index] }, forConfigurationName: name)
        }
        for (name, node) in try root.pairs("NSFetchRequestTemplates") {
            guard let object = try archive.object(at: node, in: "fetch request \(name)") else { continue }
            model.setFetchRequestTemplate(try ArchivedFetchRequests.request(object), forName: name)
        }
    }
}
