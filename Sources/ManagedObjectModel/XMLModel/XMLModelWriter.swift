import Foundation
import FoundationCompat

/// Writes models as the XML of `.xcdatamodel/contents`, for Xcode to open.
package enum XMLModelWriter {
    /// The document. Throws where a value or predicate has no form in XML.
    package static func xml(of model: NSManagedObjectModel) throws -> String {
        let root = XMLTree("model")
        root.set("type", "com.apple.IDECoreDataModeler.DataModel")
        root.set("documentVersion", "1.0")
        // The tools' versions of Xcode 15.4, the oldest that knows everything written here.
        root.set("lastSavedToolsVersion", "22758")
        root.set("systemVersion", "23F79")
        root.set("minimumToolsVersion", "Automatic")
        root.set("sourceLanguage", "Swift")
        root.set(
            "userDefinedModelVersionIdentifier",
            model.versionIdentifiers.compactMap { $0.base as? String }.sorted().first ?? "")
        var composites = XMLCompositeWriter()
        let entities = model.entitiesByName.sorted { $0.key < $1.key }.map(\.value)
        for entity in entities {
            do {
                root.children.append(try XMLEntityWriter.element(for: entity, composites: &composites))
            } catch let error as ModelFileError {
                throw error.located(at: "entity \(entity.name ?? "")")
            }
        }
        root.children += composites.elements
        for (name, request) in model.fetchRequestTemplatesByName.sorted(by: { $0.key < $1.key }) {
            root.children.append(try fetchRequest(request, named: name))
        }
        for name in model.configurations {
            let element = XMLTree("configuration", attributes: [("name", name)])
            let members = (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted()
            element.children = members.map { XMLTree("memberEntity", attributes: [("name", $0)]) }
            root.children.append(element)
        }
        return XMLTreeWriter.write(root)
    }

    static func fetchRequest(_ request: AnyFetchRequest, named name: String) throws -> XMLTree {
        let hasUnwritable =
            request.sortDescriptors != nil || request.propertiesToFetch != nil || request.propertiesToGroupBy != nil
            || request.havingPredicate != nil || request.relationshipKeyPathsForPrefetching != nil
            || request.fetchOffset != 0
        guard !hasUnwritable else {
            throw ModelFileError(
                .unsupported, "the XML has no place for sorting, grouping, columns, prefetching and offsets",
                at: "fetch request \(name)")
        }
        let element = XMLTree("fetchRequest")
        element.set("name", name)
        element.set("entity", request.entityName)
        element.set("predicateString", request.predicate?.predicateFormat)
        if request.fetchLimit != 0 { element.set("fetchLimit", String(request.fetchLimit)) }
        if request.fetchBatchSize != 0 { element.set("fetchBatchSize", String(request.fetchBatchSize)) }
        if request.resultType.rawValue != 0 { element.set("resultType", String(request.resultType.rawValue)) }
        // All defaults are written by writing none of them.
        guard FetchRequestFlags(of: request) != FetchRequestFlags(of: NSFetchRequest<NSFetchRequestResult>()) else {
            return element
        }
        element.set("includeSubentities", request.includesSubentities ? "YES" : "NO")
        element.set("includePropertyValues", request.includesPropertyValues ? "YES" : "NO")
        element.set("includesPendingChanges", request.includesPendingChanges ? "YES" : "NO")
        element.set("returnObjectsAsFaults", request.returnsObjectsAsFaults ? "YES" : "NO")
        element.set("returnDistinctResults", request.returnsDistinctResults ? "YES" : "NO")
        return element
    }

    /// The notes as an element, or none where there are none. Notes that are no texts have no form in XML.
    static func userInfo(_ userInfo: [AnyHashable: Any]?) throws -> [XMLTree] {
        guard let userInfo, !userInfo.isEmpty else { return [] }
        let element = XMLTree("userInfo")
        for (key, value) in userInfo.sorted(by: { "\($0.key)" < "\($1.key)" }) {
            guard let key = key.base as? String, let text = value as? String else {
                throw ModelFileError(.unsupported, "the XML has no place for the note \"\(key)\", which is no text")
            }
            element.children.append(XMLTree("entry", attributes: [("key", key), ("value", text)]))
        }
        return [element]
    }
}
