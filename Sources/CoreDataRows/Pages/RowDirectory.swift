import CSwiftRuntime

/// Where the newest rows of one entity hierarchy lie. All calls are made while the row cache's lock is held.
///
/// Pages are not retained: a page removes itself when it is deinitialised. (A weak reference would give every page a
/// side table, which makes each retain and release of it several times slower.) Code that looks into a page retains it
/// until the lock is released: a page whose last reference went while the lock is held would wait for the lock in its
/// deinitialiser.
///
/// Pages that were fetched are only listed when they come; their rows are entered when the first row is looked for,
/// because most pages are read by the objects that were made with them and never looked into again. Pages that a save
/// has made are entered at once: their versions must be remembered after they have gone, as older pages may still
/// exist.
///
/// Pages arrive in any order: a page that was read before a save may arrive after the page of that save. So the newer
/// row is the one with the higher version, and the one that came later only among equals.
package final class RowDirectory {
    /// What is known of the newest row of an object.
    package enum Newest {
        case row(RowRef)
        /// Something newer than any row in memory was saved. The highest version that was seen, of which the row may lack what the
        /// store has computed.
        case elsewhere(version: Int64)
        /// The object was deleted, and not inserted again.
        case deleted
        /// The newest that was saved has that version, and its page has gone.
        case gone(version: Int64)
        /// No newer row than the caller's is known.
        case unknown
    }

    private struct Place {
        /// The place in ``pages``, or -1 where the page has been deinitialised.
        var page: Int32
        var row: Int32
        /// The highest version that was seen.
        var version: Int64
        /// Whether a save has written the object since older pages were read.
        var wasSaved: Bool
        /// Whether the object was deleted: no row is newer, except one that a save inserts anew.
        var isDeleted = false

        func isNewer(than version: Int64, wasSaved: Bool) -> Bool {
            if isDeleted { return !wasSaved || !RowVersion.isOfNewRow(version, after: self.version) }
            return version < self.version
        }
    }

    // Safe: the row cache's lock keeps accesses apart, and what runs inside one uses no other.
    /// Newest last; nil where a page has gone.
    @exclusivity(unchecked) private var pages: ContiguousArray<Unmanaged<RowPage>?> = []
    /// The handles of each page, apart from the pages so that they can be run through quickly.
    @exclusivity(unchecked) private var ranges: ContiguousArray<ClosedRange<Int64>> = []
    @exclusivity(unchecked) private var highest = Int64.min
    /// The places of the pages with several rows, which may overlap any other.
    @exclusivity(unchecked) private var widePages: ContiguousArray<Int32> = []
    /// The newest of the pages that have one row, by its handle. There may be as many as there are objects.
    @exclusivity(unchecked) private var singlePages: [Int64: Int32] = [:]
    /// For each page with one row the one before it with the same handle, or -1.
    @exclusivity(unchecked) private var olderSingles: ContiguousArray<Int32> = []
    @exclusivity(unchecked) private var places = HandleMap<Place>()
    /// How many of the pages have been entered, from the first one on.
    @exclusivity(unchecked) private var enteredCount = 0
    @exclusivity(unchecked) private var hasOverlaps = false
    @exclusivity(unchecked) private var sweepAt = 64

    package func add(_ page: RowPage, wasSaved: Bool, holding held: inout [RowPage]) {
        if pages.count >= sweepAt { sweep(holding: &held) }
        let handles = page.handleRange
        if handles.lowerBound <= highest { markOverlapped(by: handles, holding: &held) }
        append(page, handles)
        if wasSaved { enter(page, at: pages.count - 1, wasSaved: true) }
    }

    private func markOverlapped(by handles: ClosedRange<Int64>, holding held: inout [RowPage]) {
        for place in widePages.indices where ranges[Int(widePages[place])].overlaps(handles) {
            mark(widePages[place], holding: &held)
        }
        if UInt64(singlePages.count) > UInt64(bitPattern: handles.upperBound &- handles.lowerBound) {
            for handle in handles { markSingles(from: singlePages[handle], holding: &held) }
        } else {
            for (handle, newest) in singlePages where handles.contains(handle) {
                markSingles(from: newest, holding: &held)
            }
        }
    }

    private func markSingles(from newest: Int32?, holding held: inout [RowPage]) {
        var index = newest ?? -1
        while index >= 0 {
            mark(index, holding: &held)
            index = olderSingles[Int(index)]
        }
    }

    private func mark(_ index: Int32, holding held: inout [RowPage]) {
        hold(Int(index), in: &held)?.markSuperseded()
        hasOverlaps = true
    }

    package func newest(_ handle: Int64, holding held: inout [RowPage]) -> Newest {
        enterPages(holding: &held)
        guard let place = places[handle] else { return .unknown }
        if place.page >= 0, let page = hold(Int(place.page), in: &held) {
            return .row(RowRef(page: page, row: Int(place.row)))
        }
        guard place.wasSaved else { return .unknown }
        if place.isDeleted { return .deleted }
        return place.page >= 0 ? .gone(version: place.version) : .elsewhere(version: place.version)
    }

    /// Records that an object was changed elsewhere, or deleted: no row in memory is its newest any more.
    package func forget(_ handle: Int64, wasDeleted: Bool, holding held: inout [RowPage]) {
        enterPages(holding: &held)
        let version = places[handle]?.version ?? 0
        places.set(Place(page: -1, row: 0, version: version, wasSaved: true, isDeleted: wasDeleted), for: handle)
    }

    /// Takes out a page that is being deinitialised.
    package func forget(_ page: RowPage) {
        let index = page.cacheIndex
        guard pages.indices.contains(index), pages[index]?.toOpaque() == Unmanaged.passUnretained(page).toOpaque()
        else { return }
        pages[index] = nil
    }

    /// Retains a page until the lock is released; nil where it is being deinitialised or has gone.
    private func hold(_ index: Int, in held: inout [RowPage]) -> RowPage? {
        guard let page = pages[index], retain_unless_deinitializing(page.toOpaque()) != nil else { return nil }
        held.append(page.takeRetainedValue())
        return held.last
    }

    private func append(_ page: RowPage, _ handles: ClosedRange<Int64>) {
        page.cacheIndex = pages.count
        pages.append(.passUnretained(page))
        ranges.append(handles)
        let index = Int32(page.cacheIndex)
        if handles.lowerBound == handles.upperBound {
            var older = singlePages.updateValue(index, forKey: handles.lowerBound) ?? -1
            while older >= 0, pages[Int(older)] == nil { older = olderSingles[Int(older)] }
            olderSingles.append(older)
        } else {
            olderSingles.append(-1)
            widePages.append(index)
        }
        highest = max(highest, handles.upperBound)
    }

    private func enterPages(holding held: inout [RowPage]) {
        while enteredCount < pages.count {
            if let page = hold(enteredCount, in: &held) { enter(page, at: enteredCount, wasSaved: false) }
            enteredCount += 1
        }
    }

    private func enter(_ page: RowPage, at index: Int, wasSaved: Bool) {
        places.reserve(page.count)
        for row in 0..<page.count {
            let handle = page.handle(row)
            let version = page.version(row)
            let known = places[handle]
            if let known {
                if Int(known.page) >= index { continue }
                if known.isNewer(than: version, wasSaved: wasSaved) {
                    page.markSuperseded()
                    continue
                }
            }
            let isSaved = wasSaved || known?.wasSaved ?? false
            places.set(
                Place(page: Int32(index), row: Int32(row), version: version, wasSaved: isSaved), for: handle)
        }
    }

    private func isOnPage(_ handle: Int64) -> Bool {
        singlePages[handle] != nil || widePages.contains { ranges[Int($0)].contains(handle) }
    }

    /// Removes the entries of pages that have been deinitialised.
    private func sweep(holding held: inout [RowPage]) {
        if hasOverlaps { enterPages(holding: &held) }
        var moved = ContiguousArray<Int32>(repeating: -1, count: pages.count)
        let kept = pages.indices.map { hold($0, in: &held) }
        let (oldRanges, oldEntered) = (ranges, enteredCount)
        pages = []
        ranges = []
        widePages = []
        singlePages = [:]
        olderSingles = []
        highest = .min
        enteredCount = 0
        for index in kept.indices {
            guard let page = kept[index] else { continue }
            moved[index] = Int32(pages.count)
            if index < oldEntered { enteredCount += 1 }
            append(page, oldRanges[index])
        }
        var keptPlaces = HandleMap<Place>()
        // In the order of the one table, those of a smaller one would come to lie in each other's way.
        keptPlaces.reserve(places.count)
        places.forEach { handle, place in
            var place = place
            place.page = place.page < 0 ? -1 : moved[Int(place.page)]
            if place.page >= 0 || place.wasSaved && isOnPage(handle) { keptPlaces.set(place, for: handle) }
        }
        places = keptPlaces
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
