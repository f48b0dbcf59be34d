import Foundation

extension NSPersistentStoreCoordinator: NSLocking {
    /// Runs a block while nobody else works with the stores.
    func runLocked<T>(_ block: () throws -> T) rethrows -> T {
        try gate.alone(block)
    }
}
