/// Where the newest rows of one entity hierarchy lie. The row cache has the lock.
///
/// Pages are only listed when they come; their rows are entered when the first row is looked for, because most pages are
/// read by the objects that were made with them and never looked into again.
final class RowDirectory {
    private struct WeakPage {
        weak var page: RowPage?
    }

    private struct Place {
        let page: Int32
        let row: Int32
    }

    /// Newest last.
    private var pages: ContiguousArray<WeakPage> = []
    /// The handles of each page, apart from the weak references so that they can be run through quickly.
    private var ranges: ContiguousArray<ClosedRange<Int64>> = []
    private var highest = Int64.min
    private var places: [Int64: Place] = [:]
    /// How many of the pages have been entered.
    private var enteredCount = 0
    /// Handles of deleted objects, whose rows may still lie in pages.
    private var gone: Set<Int64> = []
    private var sweepAt = 64

    func add(_ page: RowPage) {
        if pages.count >= sweepAt { sweep() }
        let handles = page.handleRange
        if handles.lowerBound <= highest {
            for (index, range) in ranges.enumerated() where range.overlaps(handles) {
                pages[index].page?.noteSuccessor()
            }
        }
        if !gone.isEmpty {
            for row in 0..<page.count { gone.remove(page.handle(row)) }
        }
        append(page, handles)
    }

    /// The newest row of an object; nil where it isn't in memory any more, even if an older one is.
    func newest(_ handle: Int64) -> RowRef? {
        enterPages()
        guard let place = places[handle], let page = pages[Int(place.page)].page else { return nil }
        return RowRef(page: page, row: Int(place.row))
    }

    func forget(_ handle: Int64) {
        places[handle] = nil
        gone.insert(handle)
    }

    private func append(_ page: RowPage, _ handles: ClosedRange<Int64>) {
        pages.append(WeakPage(page: page))
        ranges.append(handles)
        highest = max(highest, handles.upperBound)
    }

    private func enterPages() {
        while enteredCount < pages.count {
            if let page = pages[enteredCount].page {
                for row in 0..<page.count where gone.isEmpty || !gone.contains(page.handle(row)) {
                    places[page.handle(row)] = Place(page: Int32(enteredCount), row: Int32(row))
                }
            }
            enteredCount += 1
        }
    }

    /// Lets go of the pages that nobody has any more.
    private func sweep() {
        let alive = zip(pages, ranges).compactMap { entry, range in entry.page.map { ($0, range) } }
        pages = []
        ranges = []
        highest = .min
        places = [:]
        enteredCount = 0
        for (page, range) in alive { append(page, range) }
        sweepAt = max(64, pages.count * 2)
    }
}

extension RowPage {
    /// The lowest and highest handle. The page must have rows.
    fileprivate var handleRange: ClosedRange<Int64> {
        var (low, high) = (handle(0), handle(0))
        for row in 1..<max(count, 1) {
            low = min(low, handle(row))
            high = max(high, handle(row))
        }
        return low...high
    }
}
