import Foundation
import FoundationCompat

/// Writes models as the XML of `.xcdatamodel/contents`, for Xcode to open.
package enum XMLModelWriter {
    /// The XML of a model.
    package struct Document {
        /// The text of the file.
        package let xml: String
        /// What XML has no place for and is not in the text, each with its entity and property: sorting and grouping
        /// of fetch requests, notes that are no texts, predicates that Xcode has no fields for.
        package let omissions: [String]
    }

    /// Writes a model.
    package static func document(of model: NSManagedObjectModel) -> Document {
        let root = XMLTree("model")
        root.set("type", "com.apple.IDECoreDataModeler.DataModel")
        root.set("documentVersion", "1.0")
        // The tools' versions of Xcode 15.4, the oldest that knows everything written here.
        root.set("lastSavedToolsVersion", "22758")
        root.set("systemVersion", "23F79")
        root.set("minimumToolsVersion", "Automatic")
        root.set("sourceLanguage", "Swift")
        let identifiers = model.versionIdentifiers.compactMap { $0.base as? String }.sorted()
        root.set("userDefinedModelVersionIdentifier", identifiers.first ?? "")
        let context = XMLWritingContext()
        for identifier in identifiers.dropFirst() { context.omit("the version identifier \"\(identifier)\"") }
        for (name, entity) in model.entitiesByName.sorted(by: { $0.key < $1.key }) {
            let element = context.within("entity \(name)") { XMLEntityWriter.element(for: entity, context: context) }
            root.children.append(element)
        }
        root.children += context.composites.elements
        for (name, request) in model.fetchRequestTemplatesByName.sorted(by: { $0.key < $1.key }) {
            root.children.append(fetchRequest(request, named: name, context: context))
        }
        for name in model.namedConfigurations {
            let element = XMLTree("configuration", attributes: [("name", name)])
            let members = (model.entities(forConfigurationName: name) ?? []).compactMap(\.name).sorted()
            element.children = members.map { XMLTree("memberEntity", attributes: [("name", $0)]) }
            root.children.append(element)
        }
        return Document(xml: XMLTreeWriter.write(root), omissions: context.omissions)
    }

    static func fetchRequest(_ request: AnyFetchRequest, named name: String, context: XMLWritingContext) -> XMLTree {
        let parts: [(isPresent: Bool, what: String)] = [
            (request.sortDescriptors != nil, "the sort descriptors"),
            (request.propertiesToFetch != nil, "the properties to fetch"),
            (request.propertiesToGroupBy != nil, "the grouping"),
            (request.havingPredicate != nil, "the having predicate"),
            (request.relationshipKeyPathsForPrefetching != nil, "the prefetching"),
            (request.fetchOffset != 0, "the offset"),
        ]
        context.within("fetch request \(name)") {
            for part in parts where part.isPresent { context.omit(part.what) }
        }
        let element = XMLTree("fetchRequest")
        element.set("name", name)
        element.set("entity", request.entityName)
        element.set("predicateString", request.predicate?.parsableFormat)
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

    /// The notes that are texts as an element, or none where there are none.
    static func userInfo(_ userInfo: [AnyHashable: Any]?, context: XMLWritingContext) -> [XMLTree] {
        let element = XMLTree("userInfo")
        for (key, value) in (userInfo ?? [:]).sorted(by: { "\($0.key)" < "\($1.key)" }) {
            if let key = key.base as? String, let text = value as? String {
                element.children.append(XMLTree("entry", attributes: [("key", key), ("value", text)]))
            } else {
                context.omit("the note \"\(key)\", which is no text")
            }
        }
        return element.children.isEmpty ? [] : [element]
    }
}
