import Foundation
import FoundationCompat
import ManagedObjectModel

extension CoordinatorParent {
    /// The objects of several stores as one result. Offset and limit are of the whole, so each store is asked for all.
    func mergedObjects(
        _ fetch: StoreFetch, _ request: AnyFetchRequest, from stores: [NSPersistentStore],
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        var objects: [NSManagedObject] = []
        for store in stores {
            try fetchObjects(fetch.withoutPaging, request, from: store, in: context, into: &objects)
        }
        return fetch.sortedAndPaged(objects)
    }
}

extension StoreFetch {
    /// Merged results in the order that was asked for, within offset and limit.
    func sortedAndPaged(_ objects: [NSManagedObject]) -> [NSManagedObject] {
        guard let sortDescriptors, !sortDescriptors.isEmpty else { return paged(objects) }
        return paged(objects.sorted(using: sortDescriptors))
    }
}

/// A fetch for dictionaries from several stores: each gives the values that the dictionaries are made of, for the objects
/// that fulfil the predicate, and the dictionaries are made, grouped, sorted and paged of all of them.
struct MultiStoreDictionaryFetch {
    /// What each store is asked for.
    let parts: StoreFetch
    private let query: InMemoryDictionaryQuery

    /// - Throws: an error that names the part of the request that isn't supported.
    init(_ fetch: StoreFetch) throws {
        var whole = fetch
        whole.predicate = nil
        query = try InMemoryDictionaryQuery(whole)
        var parts = fetch.withoutPaging
        parts.sortDescriptors = nil
        parts.returnsDistinctResults = false
        parts.propertiesToGroupBy = nil
        parts.havingPredicate = nil
        parts.propertiesToFetch = query.keyPaths.sorted()
        self.parts = parts
    }

    /// - Parameter values: what the stores have answered.
    func dictionaries(_ values: [[String: Any]]) throws -> [[String: Any]] {
        try query.dictionaries(values.map { MultiStoreRecord($0, below: "") })
    }
}

/// An object of one of the stores, as far as its values were asked for: they are found by whole key paths.
private final class MultiStoreRecord: NSObject, KeyValueCoding {
    private let values: [String: Any]
    private let prefix: String

    init(_ values: [String: Any], below prefix: String) {
        self.values = values
        self.prefix = prefix
        super.init()
    }

    func kvcValue(forKey key: String) -> Any? {
        let path = prefix + key
        if let value = values[path] { return value }
        return MultiStoreRecord(values, below: path + ".").orNil
    }

    /// Nil where nothing lies below.
    private var orNil: MultiStoreRecord? { values.keys.contains { $0.hasPrefix(prefix) } ? self : nil }

    func definesKVCValue(forKey key: String) -> Bool { true }
    func setKVCValue(_ value: Any?, forKey key: String) {}
}
