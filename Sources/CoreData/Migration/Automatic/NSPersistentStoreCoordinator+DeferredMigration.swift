import Foundation

extension NSPersistentStoreCoordinator {
    func finishDeferredMigration(all: Bool) throws {
        try gate.shared {
            for store in persistentStores where !store.isReadOnly {
                try store.requests.withLock { try store.finishDeferredMigration(all: all) }
            }
        }
    }
}
