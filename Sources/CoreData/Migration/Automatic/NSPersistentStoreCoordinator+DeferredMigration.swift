import Foundation

extension NSPersistentStoreCoordinator {
    /// Does all that lightweight migrations of the coordinator's stores have left for later
    /// (``NSPersistentStoreDeferredLightweightMigrationOptionKey``).
    ///
    /// Which part is left is our choice: indexes that only make fetches faster. Values and rules are never put off.
    /// - Throws: what a store throws.
    public func finishDeferredLightweightMigration() throws { try finishDeferredMigration(all: true) }

    /// Does one task of what lightweight migrations have left for later: one index of each store. The store's metadata has
    /// the option's key as long as more is left.
    ///
    /// - Throws: what a store throws.
    public func finishDeferredLightweightMigrationTask() throws { try finishDeferredMigration(all: false) }

    private func finishDeferredMigration(all: Bool) throws {
        storeLock.lock()
        defer { storeLock.unlock() }
        for store in persistentStores where !store.isReadOnly { try store.finishDeferredMigration(all: all) }
    }
}
