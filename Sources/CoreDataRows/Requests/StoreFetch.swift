import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate
@_exported import class FoundationCompat.NSSortDescriptor

/// What a fetch request asks of one store, with the entity found.
package struct StoreFetch {
    package var entity: EntityLayout
    package var includesSubentities: Bool
    package var predicate: NSPredicate?
    package var sortDescriptors: [NSSortDescriptor]?
    /// 0 for no limit.
    package var limit: Int
    package var offset: Int
    package var batchSize: Int
    package var returnsDistinctResults: Bool
    package var propertiesToFetch: [Any]?
    package var propertiesToGroupBy: [Any]?
    package var havingPredicate: NSPredicate?
    /// The request itself, for stores that are handed the whole of it.
    package var request: AnyFetchRequest

    /// - Throws: an error that names the entity when the model doesn't have it.
    package init(_ request: AnyFetchRequest, in model: ModelLayout) throws {
        guard let name = request.entityName else {
            throw CoreDataError.unsupportedRequest("A fetch request must have an entity.")
        }
        guard let entity = model.entity(named: name) else {
            throw CoreDataError.unknownEntity(name, in: model)
        }
        if let nameless = request.sortDescriptors?.first(where: { $0.key == nil }) {
            throw CoreDataError.unsupportedRequest(Self.message(nameless, entity: name))
        }
        request.resolveEntity(entity.entity)
        self.entity = entity
        self.request = request
        includesSubentities = request.includesSubentities
        predicate = request.predicate?.withObjectsRead()
        sortDescriptors = request.sortDescriptors
        limit = max(0, request.fetchLimit)
        offset = max(0, request.fetchOffset)
        batchSize = max(0, request.fetchBatchSize)
        returnsDistinctResults = request.returnsDistinctResults
        propertiesToFetch = request.propertiesToFetch
        propertiesToGroupBy = request.propertiesToGroupBy
        havingPredicate = request.havingPredicate?.withObjectsRead()
    }

    private static func message(_ nameless: NSSortDescriptor, entity: String) -> String {
        guard let keyPath = nameless.keyPath else {
            return
                "A sort descriptor of the request for \(entity) has no key: a fetch sorts by the values of properties."
        }
        return "The key path \(keyPath) of a sort descriptor for \(entity) has no name by which a store could sort. "
            + "CoreDataModelPlugin names the properties of managed object classes; name others by "
            + "KeyPathNames.register(_:), or make the descriptor with a key."
    }

    /// Whether a count of the results is one of dictionaries, of which there may be fewer than objects.
    package var countsDictionaries: Bool {
        guard request.resultType == .dictionaryResultType, let propertiesToFetch else { return false }
        return returnsDistinctResults || !(propertiesToGroupBy ?? []).isEmpty
            || propertiesToFetch.contains { $0 is NSExpressionDescription || ($0 as? String)?.hasPrefix("@") == true }
    }

    /// The same without offset and limit: for results that are merged with others.
    package var withoutPaging: StoreFetch {
        var all = self
        all.limit = 0
        all.offset = 0
        return all
    }

    /// What offset and limit leave.
    package func paged<Result>(_ results: [Result]) -> [Result] { results.page(offset: offset, limit: limit) }

    /// Whether objects of that entity can be among the results.
    package func covers(_ layout: EntityLayout) -> Bool {
        includesSubentities ? layout.isKind(of: entity) : layout === entity
    }
}

extension Array {
    /// So many elements behind an offset; a limit of 0 is none.
    package func page(offset: Int, limit: Int) -> [Element] {
        if offset <= 0, limit <= 0 { return self }
        let rest = dropFirst(Swift.max(0, offset))
        return Array(limit > 0 ? rest.prefix(limit) : rest)
    }
}
