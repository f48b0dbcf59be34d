import Synchronization

/// The rows of a store that its coordinator has in memory: those of every page that some object still refers to.
///
/// The cache retains nothing. A page lives as long as an object has a row of it, so memory falls when clients release
/// objects; the cache only knows where the newest row of an object is.
package final class RowCache: Sendable {
    package init() {}

    /// By the index of the hierarchy's root entity.
    private let directories = Mutex<[Int: RowDirectory]>([:])

    /// Adds a page that has been filled.
    ///
    /// - Parameter wasSaved: whether the rows are what a save has just written, rather than what was read.
    package func register(_ page: RowPage, root: EntityLayout, wasSaved: Bool = false) {
        guard page.count > 0, page.cache == nil else { return }
        page.cache = self
        var held: [RowPage] = []
        directories.withLock { directories in
            let directory = directories[root.index] ?? RowDirectory()
            directories[root.index] = directory
            directory.add(page, wasSaved: wasSaved, holding: &held)
        }
    }

    /// The newest row of an object, if it is in memory.
    package func row(for key: ObjectKey, root: EntityLayout) -> RowRef? {
        if case .row(let row) = newest(key, root: root) { return row }
        return nil
    }

    /// What is known of the newest row of an object.
    package func newest(_ key: ObjectKey, root: EntityLayout) -> RowDirectory.Newest {
        var held: [RowPage] = []
        return directories.withLock { $0[root.index]?.newest(key.handle, holding: &held) ?? .unknown }
    }

    /// Drops a page that is being deinitialised.
    package func forget(_ page: RowPage) {
        let rootIndex = page.layout(0).rootIndex
        directories.withLock { $0[rootIndex]?.forget(page) }
    }

    /// Drops an object that was changed elsewhere.
    package func forget(handle: Int64, root: EntityLayout) {
        forget(handles: [handle], rootIndex: root.index)
    }

    /// Drops objects of one hierarchy that were changed elsewhere, or deleted.
    ///
    /// - Parameter wereDeleted: whether rows that were read before, and come later, are to be disregarded as well.
    package func forget(handles: [Int64], rootIndex: Int, wereDeleted: Bool = false) {
        var held: [RowPage] = []
        directories.withLock { directories in
            for handle in handles {
                directories[rootIndex]?.forget(handle, wasDeleted: wereDeleted, holding: &held)
            }
        }
    }

    /// Drops everything.
    package func removeAll() { directories.withLock { $0 = [:] } }
}
