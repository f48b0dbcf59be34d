import Foundation
import FoundationCompat
import ManagedObjectModel

/// Answers a fetch over values in memory: predicate, order, offset and limit.
package struct InMemoryQuery {
    private let fetch: StoreFetch

    package init(_ fetch: StoreFetch) { self.fetch = fetch }

    /// - Throws: an error that names the part of the predicate, or the sort key, that can't be evaluated.
    package func select<Record: KeyValueCoding>(_ records: [Record]) throws -> [Record] {
        let selected = try filter(records)
        if let descriptors = fetch.sortDescriptors, !descriptors.isEmpty {
            for key in descriptors.compactMap(\.key) {
                try FetchedKeyPath(key, from: fetch.entity).requireToOnes()
                try requireValues(at: ParsedKeyPath(key), of: selected)
            }
            return fetch.paged(selected.sorted(using: descriptors))
        }
        return fetch.paged(selected)
    }

    /// A custom store's value may be no object where the path has another key. Comparing can't throw, so the paths are
    /// checked first.
    private func requireValues<Record: KeyValueCoding>(at path: ParsedKeyPath, of records: [Record]) throws {
        if path.isSingleKey { return }
        for record in records { _ = try KeyValueAccess.value(of: record, at: path, .throwing) }
    }

    package func filter<Record: KeyValueCoding>(_ records: [Record]) throws -> [Record] {
        guard let predicate = fetch.predicate else { return records }
        let evaluated = try InMemoryPredicate.make(predicate, for: fetch.entity) {
            try GroupEvaluation(fetch.entity).value(of: $0, records)
        }
        return try records.filter { try evaluated.checkedEvaluate(with: $0) }
    }
}
