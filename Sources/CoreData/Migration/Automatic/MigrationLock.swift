@_spi(Engine) import CoreDataRows
import Foundation

/// A lock that only one migration of a store holds at a time, in this process and all others.
///
/// So what a migration finds out at its beginning, such as the store's model, stays true until its end, and no other
/// migration has the file open, for which the exchange would have to wait. The lock is on a file beside the store and
/// ends with the process. The file is removed at the end, or when the store is opened next. A store that is no file is locked
/// where it is kept.
struct MigrationLock {
    private let store: URL
    private let timeout: TimeInterval
    private let options: [AnyHashable: Any]?
    private let stores: (any UnopenedStores.Type)?

    /// The one that Apple documents for waiting for a store (`NSPersistentStoreTimeoutOption`).
    private static let usualTimeout = 240.0
    private static let pause = 0.02
    private static let longestPause = 0.25

    init(_ url: URL, of storeClass: NSPersistentStore.Type?, options: [AnyHashable: Any]?) {
        self.options = options
        stores = storeClass?.unopenedStores
        store = url.isFileURL ? url.resolvingSymlinksInPath() : url
        timeout = options?.seconds(NSPersistentStoreTimeoutOption) ?? Self.usualTimeout
    }

    /// - Throws: what the body throws; `NSPersistentStoreTimeoutError` where another migration takes longer than the
    ///   time-out.
    func hold<Result>(_ body: () throws -> Result) throws -> Result {
        guard !store.isNullDevice else { return try body() }
        // What a stage or a policy opens while the store is migrated has the lock already.
        let held = Thread.current.threadDictionary
        guard store.isFileURL else { return try holdWhereItIsKept(held, body) }
        guard held[file.path] == nil else { return try body() }
        let deadline = Date(timeIntervalSinceNow: timeout)
        var pause = Self.pause
        while true {
            let descriptor = open()
            // Where no file can be made, the migration can't make its store either and gives that error; a migration in
            // place needs no files.
            guard descriptor >= 0 else { return try body() }
            defer { close(descriptor) }
            if flock(descriptor, LOCK_EX | LOCK_NB) == 0 {
                // The process that held the lock before may have removed the file, and another one made a new file.
                guard WorkFolder.isOpen(descriptor, file) else { continue }
                held[file.path] = true
                defer {
                    held[file.path] = nil
                    unlink(file.path)
                }
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

    private func holdWhereItIsKept<Result>(_ held: NSMutableDictionary, _ body: () throws -> Result) throws -> Result {
        let name = "migration of \(store.absoluteString)"
        guard let stores, held[name] == nil else { return try body() }
        held[name] = true
        defer { held[name] = nil }
        var result: Result?
        try stores.holdingMigrationLock(ofStoreAt: store, options: options) { result = try body() }
        guard let result else { preconditionFailure("\(stores) hasn't run what was to be done under its lock") }
        return result
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
        return WorkFolder.openForLock(file)
    }
}
