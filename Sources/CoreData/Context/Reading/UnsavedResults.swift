@_spi(Engine) import CoreDataRows
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

// MARK: - Fetching

extension NSManagedObjectContext {
    /// Whether unsaved changes may affect the results of a fetch.
    func hasPendingChanges(for fetch: StoreFetch, _ request: AnyFetchRequest) -> Bool {
        guard request.includesPendingChanges, holdsChanges else { return false }
        return [inserted, updated, deleted].contains { list in list.objects.contains { fetch.covers($0.layout) } }
    }

    /// The results of a fetch that unsaved changes affect.
    func fetchObjects(
        mergingChangesInto fetch: StoreFetch, _ request: AnyFetchRequest, _ prefetch: RelationshipPrefetch
    ) throws -> [NSManagedObject] {
        if UnsavedResults.arePaged(fetch), let pending = try UnsavedResults(fetch, request, in: self) {
            return try fetchObjects(pending, request, prefetch)
        }
        var objects = try parentStore.fetchObjects(fetch.withoutPaging, request, in: self)
        try merge(pendingChangesInto: &objects, fetch, request)
        objects = fetch.sortedAndPaged(objects)
        try prefetch.run(for: objects, in: self)
        return objects
    }

    /// The results within a request's limit and offset, where unsaved changes affect which these are.
    private func fetchObjects(_ pending: UnsavedResults, _ request: AnyFetchRequest, _ prefetch: RelationshipPrefetch)
        throws -> [NSManagedObject]
    {
        let fetch = pending.storeFetch
        if let faults = try parentStore.fetchFaults(fetch, request, prefetching: prefetch, in: self) {
            return pending.merged(into: faults)
        }
        let objects = pending.merged(into: try parentStore.fetchObjects(fetch, request, in: self))
        try prefetch.run(for: objects, in: self)
        return objects
    }

    /// The predicate of a fetch as single objects can be asked, with aggregates over all objects as the stores have these.
    func objectPredicate(of fetch: StoreFetch) throws -> NSPredicate? {
        try fetch.predicate.map { predicate in
            try InMemoryPredicate.make(predicate, for: fetch.entity) { try self.storedValue(of: $0, fetch) }
        }
    }

    /// An aggregate over all objects of a fetch's entity, as the stores have them.
    private func storedValue(of aggregate: NSExpression, _ fetch: StoreFetch) throws -> Any? {
        let column = NSExpressionDescription()
        column.name = "value"
        column.expression = aggregate
        let request = NSFetchRequest<NSDictionary>(entityName: fetch.entity.name)
        request.resultType = .dictionaryResultType
        request.includesSubentities = fetch.includesSubentities
        request.affectedStores = fetch.request.affectedStores
        request.propertiesToFetch = [column]
        return try parentStore.fetchDictionaries(StoreFetch(request, in: model), request, in: self).first?["value"]
    }

    /// Whether an unsaved object is, or will be, in one of the stores that a request asks.
    func isAsked(_ object: NSManagedObject, by request: AnyFetchRequest) -> Bool {
        guard let affected = request.affectedStores else { return true }
        // Of an object that no store takes the save tells.
        guard let store = object.savedStore ?? (try? coordinator.storeForInserting(object)) else { return true }
        return affected.contains { $0 === store }
    }

    /// Takes out what was deleted or no longer fits, and adds what was inserted or now does.
    private func merge(
        pendingChangesInto objects: inout [NSManagedObject], _ fetch: StoreFetch, _ request: AnyFetchRequest
    ) throws {
        let predicate = try objectPredicate(of: fetch)
        func fits(_ object: NSManagedObject) throws -> Bool {
            try fetch.covers(object.layout) && isAsked(object, by: request)
                && (predicate?.answer(for: object) ?? true)
        }
        try objects.removeAll { try $0.isToBeDeleted || ($0.isUpdated || $0.isInserted) && !fits($0) }
        let present = Set(objects)
        for object in updated.objects where try !present.contains(object) && fits(object) { objects.append(object) }
        for object in inserted.objects where try !present.contains(object) && fits(object) { objects.append(object) }
    }
}
