import Foundation
import FoundationCompat
import ManagedObjectModel

/// Answers a fetch over values in memory: predicate, order, offset and limit.
struct InMemoryQuery {
    private let fetch: StoreFetch

    init(_ fetch: StoreFetch) { self.fetch = fetch }

    /// - Throws: an error that names the part of the predicate that can't be evaluated.
    func select<Record: KeyValueCoding>(_ records: [Record]) throws -> [Record] {
        var selected = records
        if let predicate = fetch.predicate {
            selected = try selected.filter { try predicate.checkedEvaluate(with: $0) }
        }
        if let descriptors = fetch.sortDescriptors, !descriptors.isEmpty {
            selected = selected.sorted(using: descriptors)
        }
        if fetch.offset > 0 { selected.removeFirst(min(fetch.offset, selected.count)) }
        if fetch.limit > 0, selected.count > fetch.limit { selected.removeLast(selected.count - fetch.limit) }
        return selected
    }
}
