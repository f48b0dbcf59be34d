import Foundation

extension NSPersistentStoreCoordinator: NSLocking {
    /// Runs a block with exclusive access to the stores.
    func runLocked<T>(_ block: () throws -> T) rethrows -> T {
        try gate.alone(block)
    }
}
