@_spi(Engine) import CoreDataRows
import Foundation

/// What processes have left beside a store that were ended while they replaced or migrated it.
enum AbandonedStoreFiles {
    /// Removes what belongs to no process that is alive. To be called by who may write to the store.
    static func remove(besides url: URL) {
        guard url.isFileURL, !url.isNullDevice else { return }
        // A link may be replaced itself, or what it leads to.
        for store in Set([url, url.resolvingSymlinksInPath()]) {
            WorkFolder.removeRemains(besides: store)
            StoreFiles.removeRemains(besides: store)
            MigrationLock.removeRemains(besides: store)
        }
    }
}
