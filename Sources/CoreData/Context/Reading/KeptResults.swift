import FoundationCompat

/// What a context's fetches have found since its block began, or the turn of the main queue.
///
/// Autorelease pools keep that on Apple's platforms, so programs hold it by `unowned` references alone, or look it up again by its ID (seen in
/// tests of Sworm). A bound keeps a block with many fetches from keeping all of them.
struct KeptResults {
    private static let limit = 10_000
    private var results: [[NSManagedObject]] = []
    private var count = 0

    var isEmpty: Bool { count == 0 }

    /// - Returns: what is no longer kept. To let it go may run code of the program's, which may fetch.
    mutating func keep(_ objects: [NSManagedObject]) -> [[NSManagedObject]] {
        if objects.isEmpty { return [] }
        let former = count + objects.count > Self.limit ? takeAll() : []
        results.append(objects)
        count += objects.count
        return former
    }

    mutating func takeAll() -> [[NSManagedObject]] {
        defer { self = KeptResults() }
        return results
    }
}

extension NSManagedObjectContext {
    /// Keeps what a fetch has found until the block ends. Outside of blocks that is known of the main queue only.
    func keepUntilEndOfBlock(_ objects: [NSManagedObject]) {
        guard CurrentContext.context === self else {
            guard queue.isMain, MainQueue.isCurrent else { return }
            if keptResults.isEmpty, !objects.isEmpty {
                MainQueue.atEndOfTurn { [reference] in _ = reference.target?.keptResults.takeAll() }
            }
            _ = keptResults.keep(objects)
            return
        }
        _ = keptResults.keep(objects)
    }
}
