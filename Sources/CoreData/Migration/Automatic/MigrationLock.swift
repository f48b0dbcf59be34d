@_spi(Engine) import CoreDataRows
import Foundation

/// Lets one at a time migrate a store, in this process and in all others.
///
/// What a migration finds out before it begins, which model the store has for instance, holds until it is done; and nobody has
/// the file open whom the exchange would have to wait for. The lock is a file beside the store, and ends with the process; the
/// name goes with it, here or when the store is opened next.
struct MigrationLock {
    private let store: URL
    private let timeout: TimeInterval

    /// The one that Apple documents for waiting for a store (`NSPersistentStoreTimeoutOption`).
    private static let usualTimeout = 240.0
    private static let pause = 0.02
    private static let longestPause = 0.25

    init(_ url: URL, options: [AnyHashable: Any]?) {
        store = url.isFileURL ? url.resolvingSymlinksInPath() : url
        timeout = options?.seconds(NSPersistentStoreTimeoutOption) ?? Self.usualTimeout
    }

    /// - Throws: what the body throws; `NSPersistentStoreTimeoutError` where others migrate for longer than is to be waited.
    func hold<Result>(_ body: () throws -> Result) throws -> Result {
        guard store.isFileURL, store.path != "/dev/null" else { return try body() }
        let deadline = Date(timeIntervalSinceNow: timeout)
        var pause = Self.pause
        while true {
            let descriptor = open()
            // Where no file can be made no migrated store can be, and the migration says so; others need no files.
            guard descriptor >= 0 else { return try body() }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                // Who had it before may have taken the name away, and somebody else made another one.
                guard WorkFolder.isOpen(descriptor, file) else { continue }
                defer { unlink(file.path) }
                return try body()
            }
            // A file system without locks.
            guard errno == EWOULDBLOCK || errno == EINTR else { return try body() }
            guard Date() < deadline else {
                throw CoreDataError.make(
                    NSPersistentStoreTimeoutError,
                    "\(store.path) can't be migrated: another process migrates it, for longer than \(timeout) seconds.",
                    [NSURLErrorKey: store])
            }
            Thread.sleep(forTimeInterval: pause)
            pause = min(2 * pause, Self.longestPause)
        }
    }

    /// Removes what a process has left that was ended while it migrated.
    static func removeRemains(besides store: URL) {
        WorkFolder.removeUnlocked(file(of: store))
    }

    private var file: URL { Self.file(of: store) }

    private static func file(of store: URL) -> URL {
        store.deletingLastPathComponent().appendingPathComponent(".\(store.lastPathComponent)-migration.lock")
    }

    private func open() -> Int32 {
        do {
            try StoreFileMode.create(file, like: store)
        } catch {
            // Most often it is there; what else is wrong shows when it is opened.
        }
        return Foundation.open(file.path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC)
    }
}
