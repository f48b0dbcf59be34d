import Foundation

extension NSPersistentStoreCoordinator {
    func finishDeferredMigration(all: Bool) throws {
        storeLock.lock()
        defer { storeLock.unlock() }
        for store in persistentStores where !store.isReadOnly { try store.finishDeferredMigration(all: all) }
    }
}
