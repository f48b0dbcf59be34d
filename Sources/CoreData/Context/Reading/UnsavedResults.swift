import Foundation
import FoundationCompat
import ManagedObjectModel

/// What a context's unsaved changes do to the results of a fetch, where the stores can leave out the changed objects.
///
/// Only the changed objects are evaluated in memory; of the others no more are read than the request asks for.
struct UnsavedResults {
    private let fetch: StoreFetch
    /// The changed and deleted objects of which the stores have rows, and those to be inserted again of which they may have one.
    private let touched: [NSManagedObject]
    /// The changed and new objects that are among the results, in the order that the fetch asks for.
    private let matching: [NSManagedObject]

    /// - Returns: nil where a store evaluates everything itself, and may not know how to leave out objects.
    /// - Throws: why the predicate can't be evaluated.
    init?(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws {
        let stores = context.coordinator.stores(for: fetch, affected: request.affectedStores)
        guard stores.allSatisfy({ $0.traits.contains(.readsManyAtOnce) }) else { return nil }
        self.fetch = fetch
        let (updated, inserted) = (context.updated.objects, context.inserted.objects)
        let again = context.doubts.insertsAgain ? inserted.filter { $0.flags.contains(.insertedAgain) } : []
        let stored = (updated + context.deleted.objects).filter { !$0.wasNeverSaved }
        touched = (stored + again).filter { fetch.covers($0.layout) && context.isAsked($0, by: request) }
        let predicate = try context.objectPredicate(of: fetch)
        let found = try (updated + inserted).filter {
            try fetch.covers($0.layout) && context.isAsked($0, by: request) && predicate?.answer(for: $0) ?? true
        }
        matching = found.sorted(using: fetch.sortDescriptors ?? [])
    }

    // MARK: Counting

    func count(_ count: (StoreFetch) throws -> Int) throws -> Int {
        let all = try count(untouched.withoutPaging) + matching.count
        let rest = max(0, all - fetch.offset)
        return fetch.limit == 0 ? rest : min(rest, fetch.limit)
    }

    // MARK: Objects

    /// Whether a fetch can read fewer rows than all.
    static func arePaged(_ fetch: StoreFetch) -> Bool {
        fetch.limit > 0 || isSorted(fetch) && (fetch.offset > 0 || fetch.batchSize > 0)
    }

    /// What to ask the stores for: enough for the page, however the changes move its results.
    var storeFetch: StoreFetch {
        guard isSorted else {
            // Changed objects stay where the store has them.
            var window = fetch
            window.offset = 0
            window.limit = fetch.offset + fetch.limit + touched.count
            return window
        }
        var window = untouched
        window.offset = start
        window.limit = fetch.limit == 0 ? 0 : fetch.limit + fetch.offset - start
        return window
    }

    /// The results, of what the stores have given for ``storeFetch``.
    func merged(into stored: [NSManagedObject]) -> [NSManagedObject] {
        guard isSorted else {
            let gone = Set(touched).subtracting(matching)
            let kept = gone.isEmpty ? stored : stored.filter { !gone.contains($0) }
            let present = Set(kept)
            return fetch.paged(kept + matching.filter { !present.contains($0) })
        }
        var results: [NSManagedObject] = []
        results.reserveCapacity(stored.count + matching.count)
        var next = 0
        for object in matching {
            let place = self.insertionIndex(of: object, in: stored, from: next)
            results += stored[next..<place]
            results.append(object)
            next = place
        }
        results += stored[next...]
        return results.page(offset: fetch.offset - start, limit: fetch.limit)
    }

    // MARK: Order

    private var isSorted: Bool { Self.isSorted(fetch) }

    private static func isSorted(_ fetch: StoreFetch) -> Bool { !(fetch.sortDescriptors ?? []).isEmpty }

    /// The place, among the untouched objects, of the first one that may be on the page: as many as there are changed ones may
    /// come before the page.
    private var start: Int { max(0, fetch.offset - matching.count) }

    /// The fetch without the objects whose rows don't count.
    private var untouched: StoreFetch {
        if touched.isEmpty { return fetch }
        let isTouched = NSComparisonPredicate(
            leftExpression: .expressionForEvaluatedObject(),
            rightExpression: NSExpression(forConstantValue: touched.map(\.objectID)),
            modifier: .direct, type: .in, options: [])
        let others = NSCompoundPredicate(notPredicateWithSubpredicate: isTouched)
        var fetch = fetch
        fetch.predicate =
            fetch.predicate.map { NSCompoundPredicate(andPredicateWithSubpredicates: [$0, others]) } ?? others
        return fetch
    }

    /// The place behind all that don't come after an object. Few of them are looked at, as most may be faults.
    private func insertionIndex(of object: NSManagedObject, in stored: [NSManagedObject], from start: Int) -> Int {
        var (low, high) = (start, stored.count)
        while low < high {
            let middle = (low + high) / 2
            if comesAfter(stored[middle], object) { high = middle } else { low = middle + 1 }
        }
        return low
    }

    private func comesAfter(_ left: NSManagedObject, _ right: NSManagedObject) -> Bool {
        for descriptor in fetch.sortDescriptors ?? [] {
            switch descriptor.compare(left, to: right) {
            case .orderedSame: continue
            case .orderedDescending: return true
            case .orderedAscending: return false
            }
        }
        return false
    }
}
