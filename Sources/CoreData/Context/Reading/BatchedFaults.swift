@_spi(Engine) import CoreDataRows

// Safe: the queue of the context that made the faults is the only one that uses it.
/// Faults that came without values, and whose rows are read many at a time.
///
/// It belongs to the page of their identities and is used on the queue of the context that made them.
final class BatchedFaults: @unchecked Sendable {
    /// How many rows are read at a time.
    enum Pace {
        /// The whole of the batch that a row is in, as `fetchBatchSize` says.
        case batches(Int)
        /// One row first, then more and more: a program that reads the second and the third mostly reads the rest.
        case growing
    }

    private let pace: Pace
    /// What to do with objects whose rows have come.
    let afterReading: (([NSManagedObject]) throws -> Void)?
    private var nextCount = 1
    /// By row, whether it was read ahead.
    private var isRead: [Bool] = []

    private static let mostAtOnce = RowPage.defaultCapacity

    init(_ pace: Pace, afterReading: (([NSManagedObject]) throws -> Void)? = nil) {
        self.pace = pace
        self.afterReading = afterReading
    }

    /// How the objects of a request get their rows when those are to come later; nil where the values have to come at once.
    /// A request that refreshes what the context has is one of those.
    convenience init?(
        for fetch: StoreFetch, _ request: AnyFetchRequest, prefetching prefetch: RelationshipPrefetch,
        in context: NSManagedObjectContext
    ) {
        if request.shouldRefreshRefetchedObjects { return nil }
        let realizes = !request.returnsObjectsAsFaults
        let pace: Pace
        if fetch.batchSize > 0 {
            pace = .batches(fetch.batchSize)
        } else if !request.includesPropertyValues, !realizes, prefetch.isEmpty {
            pace = .growing
        } else {
            return nil
        }
        guard realizes || !prefetch.isEmpty else {
            self.init(pace)
            return
        }
        self.init(pace) { [unowned context] objects in
            try prefetch.run(for: objects, in: context)
            if realizes { for object in objects { object.fireIfNeeded() } }
        }
    }

    /// The rows to read when the value of one is wanted, that one first.
    func rows(with row: Int, of count: Int) -> [Int] {
        switch pace {
        case .batches(let size):
            let start = row / size * size
            return [row] + (start..<min(start + size, count)).filter { $0 != row }
        case .growing: return growingRows(with: row, of: count)
        }
    }

    /// The row and those behind it that weren't read yet; behind the last comes the first.
    private func growingRows(with row: Int, of count: Int) -> [Int] {
        if isRead.isEmpty { isRead = Array(repeating: false, count: count) }
        var rows = [row]
        isRead[row] = true
        var place = row + 1
        while rows.count < nextCount, place < row + count {
            let candidate = place % count
            if !isRead[candidate] {
                rows.append(candidate)
                isRead[candidate] = true
            }
            place += 1
        }
        nextCount = min(nextCount * 4, Self.mostAtOnce)
        return rows
    }
}

extension RowPage {
    /// What is read together, where the page's rows are identities only.
    // Only contexts make such pages.
    var batchedFaults: BatchedFaults? { readingPlan.map { unsafeDowncast($0, to: BatchedFaults.self) } }
}
