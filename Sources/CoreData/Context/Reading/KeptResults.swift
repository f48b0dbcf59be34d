import FoundationCompat

/// What a context's fetches have found, and its saves inserted, since its block began, or the turn of the main queue.
///
/// Autorelease pools keep that on Apple's platforms, so programs hold it by `unowned` references alone, or look it up again by its ID (seen in
/// tests of Sworm). A bound keeps a block with many fetches from keeping all that they find.
struct KeptResults {
    private static let limit = 10_000
    private var results: [any Collection<NSManagedObject>] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// - Returns: what is no longer kept. To let it go may run code of the program's, which may fetch.
    mutating func keep(_ objects: some Collection<NSManagedObject>) -> [any Collection<NSManagedObject>] {
        if objects.isEmpty || objects.count > Self.limit { return [] }
        let former = count + objects.count > Self.limit ? takeAll() : []
        results.append(objects)
        count += objects.count
        return former
    }

    mutating func takeAll() -> [any Collection<NSManagedObject>] {
        defer { self = KeptResults() }
        return results
    }
}

extension NSManagedObjectContext {
    /// Keeps objects until the block ends, or the innermost `autoreleasepool`. Outside of both that is known of the main queue only.
    func keepUntilEndOfBlock(_ objects: some Collection<NSManagedObject>) {
        if let pool = AutoreleasePool.current { return PooledResults.of(pool).keep(objects) }
        if CurrentContext.context !== self {
            guard queue.isMain, MainQueue.isCurrent else { return }
            if keptResults.isEmpty, !objects.isEmpty {
                MainQueue.atEndOfTurn { [reference] in _ = reference.target?.keptResults.takeAll() }
            }
        }
        _ = keptResults.keep(objects)
    }
}

/// What contexts have found inside of an `autoreleasepool`.
private final class PooledResults {
    private var results = KeptResults()

    static func of(_ pool: AutoreleasePool) -> PooledResults {
        if let known = pool.kept as? PooledResults { return known }
        let new = PooledResults()
        pool.kept = new
        return new
    }

    func keep(_ objects: some Collection<NSManagedObject>) { _ = results.keep(objects) }
}
