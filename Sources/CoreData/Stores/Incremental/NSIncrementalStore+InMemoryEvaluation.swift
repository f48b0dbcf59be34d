@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

// An addition to Apple's API: what a store can't do by itself, it may have done here.
extension NSIncrementalStore {
    /// Answers a fetch request by looking at nodes one by one: the answer for ``execute(_:with:)``.
    ///
    /// Predicate, sort descriptors, limit, offset, subentities, all four result types, and of dictionaries the
    /// properties, distinctness, grouping and conditions on groups: as the package's own stores do. Objects come with
    /// their values, so that the store isn't asked for them again.
    ///
    /// Where the request looks at other objects, such as with `author.name`, those that aren't among the nodes are asked for by
    /// ``newValuesForObjects(with:with:)``, for all nodes at once, and relationships that a node doesn't have by
    /// ``newValue(forRelationship:forObjectWith:with:)``.
    ///
    /// - Parameters:
    ///   - request: the request that the store was handed. What the store has seen to itself must be taken out first: a store
    ///     that applies the limit sets `fetchLimit` to 0 in its copy.
    ///   - nodes: all objects that can be in the answer, in the store's order. They may be more: objects of other entities, or
    ///     those that the predicate leaves out.
    ///   - context: the context that the store was handed.
    /// - Throws: an error that names the part of the request that can't be evaluated, or the value that isn't of its type.
    public final func evaluate(
        _ request: AnyFetchRequest, over nodes: [NSIncrementalStoreNode], with context: NSManagedObjectContext?
    ) throws -> [Any] {
        guard let layout = persistentStoreCoordinator?.layout, let context else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "\(place): a fetch needs a coordinator and a context.")
        }
        let fetch = try StoreFetch(request, in: layout)
        let graph = NodeGraph(nodes, store: self, context: context)
        let candidates = graph.given.filter { fetch.covers($0.node.objectID.layout) }
        if request.resultType == .dictionaryResultType {
            let dictionaries = try InMemoryDictionaryQuery(fetch).dictionaries(candidates)
            try graph.throwFailure()
            return dictionaries
        }
        let matches = try InMemoryQuery(fetch).select(candidates)
        try graph.throwFailure()
        switch request.resultType {
        case .countResultType: return [NSNumber(value: matches.count)]
        case .managedObjectIDResultType: return matches.map(\.node.objectID)
        default:
            if request.includesPropertyValues { addToRowCache(matches.map(\.node) + graph.loaded) }
            return matches.map { context.object(with: $0.node.objectID) }
        }
    }

    /// Answers a fetch request as ``evaluate(_:over:with:)`` does, over all that ``newValuesForObjects(with:with:)`` gives for
    /// some IDs.
    ///
    /// - Parameters:
    ///   - request: as there.
    ///   - objectIDs: the IDs of all objects that can be in the answer, in the store's order. They may be more, and of objects
    ///     that have gone.
    ///   - context: the context that the store was handed.
    /// - Throws: as there, and what reading the objects throws.
    public final func evaluate(
        _ request: AnyFetchRequest, overObjectsWith objectIDs: [NSManagedObjectID],
        with context: NSManagedObjectContext?
    ) throws -> [Any] {
        let nodes = try context.map { try newValuesForObjects(with: objectIDs, with: $0) } ?? []
        return try evaluate(request, over: nodes, with: context)
    }
}
