import Foundation

/// Takes the lock that belongs to an object; the thread may take it several times (Apple: objc_sync_enter).
///
/// An addition for Linux, where there is no Objective-C runtime: a lock is there for as long as some thread has it or waits
/// for it.
@discardableResult
public func objc_sync_enter(_ object: Any) -> Int32 {
    ObjectLocks.enter(ObjectIdentifier(object as AnyObject))
    return 0
}

/// Gives the lock back that belongs to an object (Apple: objc_sync_exit).
///
/// - Returns: 0, or -1 where no thread has the lock.
@discardableResult
public func objc_sync_exit(_ object: Any) -> Int32 {
    ObjectLocks.exit(ObjectIdentifier(object as AnyObject)) ? 0 : -1
}

/// The locks of objects.
private enum ObjectLocks {
    private struct Entry {
        let lock = NSRecursiveLock()
        /// How often it was asked for and not given back.
        var count = 0
    }

    private static let table = NSLock()
    // Safe: read and written with the lock beside it held.
    nonisolated(unsafe) private static var entries: [ObjectIdentifier: Entry] = [:]

    static func enter(_ object: ObjectIdentifier) {
        let lock = table.withLock {
            entries[object, default: Entry()].count += 1
            return entries[object]?.lock
        }
        lock?.lock()
    }

    static func exit(_ object: ObjectIdentifier) -> Bool {
        let lock: NSRecursiveLock? = table.withLock {
            guard var entry = entries[object] else { return nil }
            entry.count -= 1
            entries[object] = entry.count == 0 ? nil : entry
            return entry.lock
        }
        lock?.unlock()
        return lock != nil
    }
}
