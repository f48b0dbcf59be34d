import Foundation

extension NSPersistentStoreCoordinator: NSLocking {
    /// Keeps everybody else from working with the stores until ``unlock()`` is called as often. Prefer
    /// ``performAndWait(_:)``, which can't be left locked.
    public func lock() { storeLock.lock() }

    /// Lets others work with the stores again.
    public func unlock() { storeLock.unlock() }

    /// Locks if nobody else works with the stores right now; says whether it has.
    public func tryLock() -> Bool { storeLock.try() }
}
