@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// An open store file: connections, and the rules for using them.
///
/// Reads run side by side, each on one state of the file, and a writer doesn't block them. Neither ``read(_:)`` nor
/// ``write(_:)`` may be called from inside one of the two.
package final class SQLiteFile: Sendable {
    package let url: URL
    package let isReadOnly: Bool
    package let connections: any DatabaseWriter
    /// The copy that is read instead of the file, where the file can't be read without changing it.
    private let copy: SQLiteTemporaryCopy?
    /// What the tables of persistent history look like in the file.
    package let knownHistoryShape = SQLiteKnownHistoryShape()
    /// What the store is known to be, where the file was opened as one.
    package let knownMetadata = SQLiteKnownMetadata()
    /// Files that no row names any more and that wait for those who read an older state.
    let obsoleteFiles = Mutex<[URL]>([])
    /// Is called after each write.
    let writeObserver = Mutex<(@Sendable () -> Void)?>(nil)
    /// The thread that is writing; 0 for none.
    private let writer = Atomic<Int>(0)

    private let identity: SQLiteFileIdentity?
    /// The write-ahead log and its index.
    private let logFiles: [URL]
    /// Those of them that were there when the file was opened or last written; nil where there was none.
    private let knownLogFiles: Mutex<[SQLiteFileIdentity?]>
    /// What the file was like when it was opened in a way that doesn't see what others write; nil where it is opened as
    /// usual.
    private let openedState: SQLiteFileState?
    private let openOptions: SQLiteOpenOptions
    /// The file as it is now, once others have written to it.
    private let successor = Mutex<SQLiteFile?>(nil)

    /// - Parameter openedState: for a file that is read as a copy or without locks, what it was like before it was opened.
    package init(
        url: URL, isReadOnly: Bool, connections: any DatabaseWriter, copy: SQLiteTemporaryCopy? = nil,
        openedState: SQLiteFileState? = nil, options: SQLiteOpenOptions = SQLiteOpenOptions()
    ) {
        self.url = url
        self.openedState = openedState
        openOptions = options
        identity = SQLiteFileIdentity(url)
        let files = SQLiteStoreFiles(url)
        logFiles = [files.log, files.logIndex]
        knownLogFiles = Mutex(logFiles.map { isReadOnly ? nil : SQLiteFileIdentity($0) })
        self.isReadOnly = isReadOnly
        self.connections = connections
        self.copy = copy
    }

    /// Reads one state of the file.
    ///
    /// - Parameter body: is run again where the file is read without locks and was written to meanwhile.
    /// - Throws: what `body` throws; SQLite's errors as Cocoa errors that name the file.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard openedState != nil else { return try readAsOpened(body) }
        for _ in 0..<Self.readAttempts {
            let file = try current()
            let result = Result { try file.readAsOpened(body) }
            if !file.isOutdated { return try result.get() }
        }
        return try current().readAsOpened(body)
    }

    private static let readAttempts = 10

    /// Whether the file was written to and this connection doesn't see it.
    private var isOutdated: Bool { openedState.map { $0 != SQLiteFileState(url) } ?? false }

    /// The file opened anew, where others have written to it since it was opened without locks or as a copy.
    private func current() throws -> SQLiteFile {
        try successor.withLock { successor in
            if let successor, !successor.isOutdated { return successor }
            if successor == nil, !isOutdated { return self }
            let present = try Self.openForReading(url, options: openOptions)
            successor = present
            return present
        }
    }

    private func readAsOpened<Value>(_ body: (Database) throws -> Value) throws -> Value {
        do {
            // A thread that holds the only connection mustn't wait for it: a batch insert's handler may read.
            if connections is DatabaseQueue { return try connections.unsafeReentrantRead(body) }
            return try connections.read(body)
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
    }

    /// Writes in one transaction that no other process can come between: all of it or, where anything is thrown, none.
    ///
    /// - Throws: what `body` throws; SQLite's errors as Cocoa errors that name the file, and
    ///   `NSPersistentStoreTimeoutError` where another process kept the file locked for too long.
    package func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard !isReadOnly else {
            throw SQLiteStoreError.error(.fileWriteNoPermission, "the store was opened read-only", url: url)
        }
        try requireSameFile()
        try refuseNestedWrite()
        do {
            defer { writeObserver.withLock { $0 }?() }
            return try connections.writeWithoutTransaction { database in
                writer.store(ThreadNumber.current, ordering: .relaxed)
                defer { writer.store(0, ordering: .relaxed) }
                var result: Value?
                try database.inTransaction(.immediate) {
                    try knownMetadata.requireSameStore(database)
                    result = try body(database)
                    return .commit
                }
                guard let result else { throw DatabaseError(resultCode: .SQLITE_ABORT) }
                return result
            }
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
    }

    /// Writes one state of the file over another database, in one transaction of that.
    ///
    /// - Parameter prepare: what comes before; it is given the state that is copied then. It is run again, and the copy made again,
    ///   where the file is read without locks and was written to meanwhile.
    package func copy(into database: any DatabaseWriter, after prepare: (Database) throws -> Void = { _ in }) throws {
        try read { state in
            try prepare(state)
            try database.writeWithoutTransaction { try state.backup(to: $0) }
        }
    }

    /// Writes if no other connection is writing; otherwise nothing happens.
    func writeIfFree(_ body: (Database) throws -> Void) throws {
        guard !isReadOnly else { return }
        try requireSameFile()
        do {
            try connections.writeWithoutTransaction { database in
                sqlite3_busy_timeout(database.sqliteConnection, 0)
                defer { sqlite3_busy_timeout(database.sqliteConnection, Self.milliseconds(database.configuration)) }
                try database.inTransaction(.immediate) {
                    try body(database)
                    return .commit
                }
            }
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
    }

    /// Refuses a write inside of another one on the same thread, as by a batch insert's handler that saves a context: it would wait
    /// for the thread itself.
    private func refuseNestedWrite() throws {
        guard writer.load(ordering: .relaxed) == ThreadNumber.current else { return }
        throw SQLiteStoreError.error(
            .operation,
            "the store can't be written to by what a write calls, such as a batch insert's handler; save when it has ended",
            url: url)
    }

    private static func milliseconds(_ configuration: Configuration) -> Int32 {
        guard case .timeout(let seconds) = configuration.busyMode else { return 0 }
        return Int32(min(seconds * 1000, Double(Int32.max)))
    }

    /// Whether the path still leads to the file that was opened.
    package var isInPlace: Bool { Self.isInMemory(url) || SQLiteFileIdentity(url) == identity }

    /// Writes to a file that was moved away, or replaced by another one, would be lost, and its log would be taken for
    /// the log of the other file: <https://www.sqlite.org/howtocorrupt.html>.
    private func requireSameFile() throws {
        guard let identity, !Self.isInMemory(url) else { return }
        let present = SQLiteFileIdentity(url)
        guard present == identity else { throw notInPlace("file", isThere: present != nil) }
        try knownLogFiles.withLock { known in
            // SQLite would go on writing to a log without a name, which is gone with the last connection, or by an index that others don't
            // see.
            for (place, file) in logFiles.enumerated() {
                let present = SQLiteFileIdentity(file)
                if let before = known[place], before != present {
                    throw notInPlace("file's log", isThere: present != nil)
                }
                known[place] = present
            }
        }
    }

    private func notInPlace(_ what: String, isThere: Bool) -> NSError {
        SQLiteStoreError.error(
            isThere ? .operation : .fileReadNoSuchFile,
            "the \(what) was \(isThere ? "replaced by another one" : "removed") while it was open; nothing was written",
            url: url)
    }

    /// Closes the file. The last connection to a file moves the write-ahead log into it and removes the log.
    package func close() throws {
        if let successor = successor.withLock({ $0 }) { try successor.close() }
        do {
            // A reader that is closed last can't clear the log away.
            (connections as? DatabasePool)?.invalidateReadOnlyConnections()
            try connections.close()
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
    }

    /// What the file says about its own layout.
    ///
    /// - Throws: `NSFileReadCorruptFileError` where the system tables are missing or damaged.
    package func layout() throws -> SQLiteFileLayout {
        try read { try SQLiteFileLayout($0) }
    }
}
