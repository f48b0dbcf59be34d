@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

/// Puts another file in the place of a store without losing what other processes write meanwhile.
///
/// Other connections may read while the new file is made, and must wait before they write. For the exchange itself no
/// other connection may exist: it would go on with the old file, and its log would be taken for the log of the new one
/// (<https://www.sqlite.org/howtocorrupt.html>). Leaving the write-ahead mode ensures that: SQLite refuses it as long
/// as there is another connection.
package struct SQLiteFileExchange {
    private enum Outcome {
        case made(version: Int)
        case alreadyDone
        /// Another connection is writing, or another file has been put in the store's place.
        case busy
    }

    package let url: URL
    package let options: SQLiteOpenOptions

    package init(url: URL, options: SQLiteOpenOptions) {
        self.url = url
        self.options = options
    }

    private static let pause = 0.02
    /// A process that waits for another one's migration tries less and less often: each try opens the file, and the
    /// migration needs a moment without other connections.
    private static let longestPause = 0.25
    /// How many seconds to wait for other processes to close the store. Most keep it open as long as they run.
    private static let patience = 3.0
    /// How often the new file is made where others write to the old one until it is done.
    private static let attempts = 5

    /// - Throws: what the two closures throw, and an error where another process has the store open. Then the store is
    ///   unchanged.
    package func run(
        unless isDone: ([String: Any]) -> Bool, make: () throws -> Void, exchange: () throws -> Void
    ) throws {
        let deadline = Date(timeIntervalSinceNow: options.timeout)
        var pause = Self.pause
        var attempts = Self.attempts
        while true {
            let file = try open(until: deadline)
            // What was committed is in the file or its log.
            defer { try? file.close() }
            switch try attempt(file, unless: isDone, make) {
            case .alreadyDone: return
            case .made(let version):
                if try exchangeUnderLocks(file, since: version, exchange) { return }
                attempts -= 1
                guard attempts > 0, Date() < deadline else {
                    throw MigrationError.make(
                        "\(url.path) was changed by another process again and again while it was migrated. Nothing was "
                            + "replaced.")
                }
            case .busy where Date() < deadline:
                // While the file is open here, another process can't exchange it.
                try file.close()
                Thread.sleep(forTimeInterval: pause)
                pause = min(2 * pause, Self.longestPause)
            case .busy:
                throw CoreDataError.make(
                    NSPersistentStoreTimeoutError,
                    "\(url.path) can't be migrated: another process writes to it, or migrates it, for longer than "
                        + "\(options.timeout) seconds.", [NSURLErrorKey: url])
            }
        }
    }

    /// Opens the file; again where another one takes its place meanwhile.
    private func open(until deadline: Date) throws -> SQLiteFile {
        while true {
            let before = SQLiteFileIdentity(url)
            do {
                if let file = try SQLiteFile.openForWriting(url, options: options) { return file }
                throw SQLiteStoreError.error(.fileReadNoSuchFile, "there is no store", url: url)
            } catch  where before != SQLiteFileIdentity(url) && Date() < deadline {
                Thread.sleep(forTimeInterval: Self.pause)
            }
        }
    }

    /// A file that was replaced after it was opened is one to open again.
    private func attempt(
        _ file: SQLiteFile, unless isDone: ([String: Any]) -> Bool, _ make: () throws -> Void
    ) throws -> Outcome {
        do {
            return try self.make(in: file, unless: isDone, make)
        } catch  where !file.isInPlace {
            return .busy
        }
    }

    private func make(
        in file: SQLiteFile, unless isDone: ([String: Any]) -> Bool, _ make: () throws -> Void
    ) throws -> Outcome {
        var outcome = Outcome.busy
        try file.writeIfFree { database in
            guard file.isInPlace else { return }
            if isDone(try SQLiteMetadata.read(database)) {
                outcome = .alreadyDone
            } else {
                try make()
                outcome = .made(version: try Self.version(database))
            }
        }
        return outcome
    }

    /// - Returns: false where the file was changed since the other one was made.
    private func exchangeUnderLocks(_ file: SQLiteFile, since version: Int, _ exchange: () throws -> Void) throws
        -> Bool
    {
        (file.connections as? DatabasePool)?.invalidateReadOnlyConnections()
        let deadline = Date(timeIntervalSinceNow: min(options.timeout, Self.patience))
        return try file.connections.writeWithoutTransaction { database in
            while true {
                // The change of mode changes the number as well, so it is looked at just before.
                guard try Self.version(database) == version else { return false }
                do {
                    _ = try database.value(String.self, "PRAGMA journal_mode = DELETE")
                    break
                } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                    guard Date() < deadline else { throw inUse(error) }
                    Thread.sleep(forTimeInterval: Self.pause)
                }
            }
            do {
                try database.inTransaction(.exclusive) {
                    try exchange()
                    return .rollback
                }
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                throw inUse(error)
            }
            return true
        }
    }

    private func inUse(_ cause: DatabaseError) -> NSError {
        MigrationError.make(
            "\(url.path) is open elsewhere, in this process or another one, so that it can't be replaced by its migrated "
                + "version. Close it first.", [NSUnderlyingErrorKey: cause, NSURLErrorKey: url])
    }

    /// A number that changes with each commit of another connection: <https://www.sqlite.org/pragma.html#pragma_data_version>.
    private static func version(_ database: Database) throws -> Int {
        try database.value(Int.self, "PRAGMA data_version") ?? 0
    }
}
