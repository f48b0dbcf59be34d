import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate
@_exported import class FoundationCompat.NSSortDescriptor

/// What a fetch request asks of one store, with the entity found.
struct StoreFetch {
    var entity: EntityLayout
    var includesSubentities: Bool
    var predicate: NSPredicate?
    var sortDescriptors: [NSSortDescriptor]?
    /// 0 for no limit.
    var limit: Int
    var offset: Int
    var batchSize: Int
    var returnsDistinctResults: Bool
    var propertiesToFetch: [Any]?
    var propertiesToGroupBy: [Any]?
    var havingPredicate: NSPredicate?
    /// The request itself, for stores that are handed the whole of it.
    var request: AnyFetchRequest

    /// - Throws: an error that names the entity when the model doesn't have it.
    init(_ request: AnyFetchRequest, in model: ModelLayout) throws {
        guard let name = request.entityName else {
            throw CoreDataError.unsupportedRequest("A fetch request must have an entity.")
        }
        guard let entity = model.entity(named: name) else {
            throw CoreDataError.unknownEntity(name, in: model)
        }
        if let nameless = request.sortDescriptors?.first(where: { $0.key == nil }) {
            throw CoreDataError.unsupportedRequest(Self.message(nameless, entity: name))
        }
        self.entity = entity
        self.request = request
        includesSubentities = request.includesSubentities
        predicate = request.predicate
        sortDescriptors = request.sortDescriptors
        limit = max(0, request.fetchLimit)
        offset = max(0, request.fetchOffset)
        batchSize = max(0, request.fetchBatchSize)
        returnsDistinctResults = request.returnsDistinctResults
        propertiesToFetch = request.propertiesToFetch
        propertiesToGroupBy = request.propertiesToGroupBy
        havingPredicate = request.havingPredicate
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
    var countsDictionaries: Bool {
        guard request.resultType == .dictionaryResultType, let propertiesToFetch else { return false }
        return returnsDistinctResults || !(propertiesToGroupBy ?? []).isEmpty
            || propertiesToFetch.contains { $0 is NSExpressionDescription || ($0 as? String)?.hasPrefix("@") == true }
    }

    /// The same without offset and limit: for results that are merged with others.
    var withoutPaging: StoreFetch {
        var all = self
        all.limit = 0
        all.offset = 0
        return all
    }

    /// Merged results in the order that was asked for, within offset and limit.
    func sortedAndPaged(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard let sortDescriptors, !sortDescriptors.isEmpty else { return paged(objects) }
        return paged(objects.sorted(using: sortDescriptors))
    }

    /// What offset and limit leave.
    func paged<Result>(_ results: [Result]) -> [Result] { results.page(offset: offset, limit: limit) }

    /// Whether objects of that entity can be among the results.
    func covers(_ layout: EntityLayout) -> Bool {
        includesSubentities ? layout.isKind(of: entity) : layout === entity
    }
}

extension Array {
    /// So many elements behind an offset; a limit of 0 is none.
    func page(offset: Int, limit: Int) -> [Element] {
        if offset <= 0, limit <= 0 { return self }
        let rest = dropFirst(Swift.max(0, offset))
        return Array(limit > 0 ? rest.prefix(limit) : rest)
    }
}
