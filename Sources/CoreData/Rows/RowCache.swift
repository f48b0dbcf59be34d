import Synchronization

/// The rows of a store that its coordinator has in memory: those of every page that some object still refers to.
///
/// The cache owns nothing. A page lives as long as an object has a row of it, so memory falls when clients let go; the cache
/// only knows where the newest row of an object is.
final class RowCache: Sendable {
    private let state = Mutex(State())

    private struct State {
        var hierarchies: [Int: Hierarchy] = [:]
    }

    private struct Hierarchy {
        /// Newest last.
        var pages: [WeakPage] = []
        /// Rows of small pages, which would make the list long: those of fired faults, mostly.
        var single: [Int64: WeakRow] = [:]
        var sweepAt = 64
        var sweepSinglesAt = 256
    }

    private struct WeakPage {
        weak var page: RowPage?
        let handles: ClosedRange<Int64>
    }

    private struct WeakRow {
        weak var page: RowPage?
        let row: Int
    }

    private static let smallPage = 16

    /// Takes note of a page that has been filled.
    func register(_ page: RowPage, root: EntityLayout) {
        guard page.count > 0 else { return }
        let range = page.handleRange
        state.withLock { state in
            var hierarchy = state.hierarchies[root.index] ?? Hierarchy()
            state.hierarchies[root.index] = nil
            if page.count < Self.smallPage {
                for row in 0..<page.count { hierarchy.single[page.handle(row)] = WeakRow(page: page, row: row) }
                if hierarchy.single.count > hierarchy.sweepSinglesAt {
                    hierarchy.single = hierarchy.single.filter { $0.value.page != nil }
                    hierarchy.sweepSinglesAt = max(256, hierarchy.single.count * 2)
                }
            } else {
                // A row of its own that is older must not hide the page's.
                if !hierarchy.single.isEmpty {
                    for row in 0..<page.count { hierarchy.single[page.handle(row)] = nil }
                }
                hierarchy.pages.append(WeakPage(page: page, handles: range))
                if hierarchy.pages.count > hierarchy.sweepAt {
                    hierarchy.pages.removeAll { $0.page == nil }
                    hierarchy.sweepAt = max(64, hierarchy.pages.count * 2)
                }
            }
            state.hierarchies[root.index] = hierarchy
        }
    }

    /// The newest row of an object that is in memory.
    func row(for key: ObjectKey, root: EntityLayout) -> RowRef? { newest(key.handle, root: root, than: nil) }

    /// A newer row than the one of a fault that was fetched a while ago, if there is one.
    func successor(of page: RowPage, row: Int) -> RowRef? {
        let newest = newest(page.handle(row), root: page.layout(row).root, than: page)
        return newest?.page === page ? nil : newest
    }

    private func newest(_ handle: Int64, root: EntityLayout, than old: RowPage?) -> RowRef? {
        state.withLock { state in
            guard let hierarchy = state.hierarchies[root.index] else { return nil }
            if let single = hierarchy.single[handle], let page = single.page {
                return RowRef(page: page, row: single.row)
            }
            for candidate in hierarchy.pages.reversed() where candidate.handles.contains(handle) {
                guard let page = candidate.page else { continue }
                if page === old { return nil }
                if let row = page.row(of: handle) { return RowRef(page: page, row: row) }
            }
            return nil
        }
    }

    /// Drops an object that was deleted.
    func forget(handle: Int64, root: EntityLayout) {
        state.withLock { state in
            _ = state.hierarchies[root.index]?.single.removeValue(forKey: handle)
        }
    }

    /// Drops everything.
    func removeAll() { state.withLock { $0.hierarchies = [:] } }
}

extension RowPage {
    /// The lowest and highest handle. The page must have rows.
    var handleRange: ClosedRange<Int64> {
        var (low, high) = (handle(0), handle(0))
        for row in 1..<max(count, 1) {
            low = min(low, handle(row))
            high = max(high, handle(row))
        }
        return low...high
    }

    /// The last row of an object, found by search.
    func row(of handle: Int64) -> Int? {
        (0..<count).last { self.handle($0) == handle }
    }
}
