@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import GRDBSQLite

/// Opening files: what may be changed, and what may not.
extension SQLiteFile {
    /// A store in memory only, which Apple's framework makes for the path `/dev/null`.
    static func isInMemory(_ url: URL) -> Bool { url.isNullDevice }

    /// Opens a file for reading. No byte of it, and no file beside it, changes.
    ///
    /// - Parameter options: those of a store; without any, the file is opened for one task.
    /// - Throws: an error in `NSCocoaErrorDomain` that names the file and the cause: missing, empty, truncated,
    ///   damaged, no database, no Core Data store.
    package static func openForReading(_ url: URL, options: SQLiteOpenOptions = .oneTask) throws -> SQLiteFile {
        let probe = try SQLiteFileProbe(url)
        guard probe.exists else {
            throw SQLiteStoreError.error(.fileReadNoSuchFile, "there is no such file", url: url)
        }
        guard probe.size > 0 else {
            throw SQLiteStoreError.error(.fileReadCorrupt, "the file is empty", url: url)
        }
        if let defect = probe.defect { throw defect }
        let file = try connect(probe, options: options)
        try file.requireStore()
        return file
    }

    /// Whether a file is an empty database, as destroying a store leaves one. One that is missing or damaged isn't.
    static func isBlank(_ url: URL, options: SQLiteOpenOptions) throws -> Bool {
        let probe = try SQLiteFileProbe(url)
        guard probe.exists, probe.size == 0 || probe.defect == nil else { return false }
        // A log beside an empty file is none of its own.
        if probe.size == 0 { return true }
        // One page holds no table beside the list of tables.
        guard probe.size <= largestBlankFile, !probe.hasWriteAheadLog, !probe.hasHotJournal else { return false }
        let file = try connect(probe, options: options)
        // It was only read.
        defer { try? file.close() }
        return try file.isBlank()
    }

    /// In bytes: a page of the largest size that SQLite knows, and one for what it counts free pages with.
    private static var largestBlankFile: Int { 2 * 65536 }

    private static func connect(_ probe: SQLiteFileProbe, options: SQLiteOpenOptions) throws -> SQLiteFile {
        let url = probe.url
        // A connection that takes locks sees by itself what others write. The others have to be opened again.
        let state = probe.isInUse ? nil : probe.state
        var copy: SQLiteTemporaryCopy?
        let path: String
        if probe.isInUse {
            path = url.path
        } else if probe.hasWriteAheadLog || probe.hasHotJournal || !canOpenImmutably {
            let made = try SQLiteTemporaryCopy(of: url)
            path = made.url.path
            copy = made
        } else {
            path = immutablePath(url)
        }
        var configuration = try SQLiteConnection.configuration(options: options, path: path)
        // The copy is ours: SQLite may roll back or check-point in it.
        configuration.readonly = copy == nil
        do {
            let connections: any DatabaseWriter =
                copy == nil && options.readerCount > 0
                ? try DatabasePool(path: path, configuration: configuration)
                : try DatabaseQueue(path: path, configuration: configuration)
            return SQLiteFile(
                url: url, isReadOnly: true, connections: connections, copy: copy, openedState: state, options: options)
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
    }

    /// Whether this SQLite takes paths as URIs, which is how a file is declared immutable.
    private static var canOpenImmutably: Bool { sqlite3_compileoption_used("USE_URI") != 0 }

    /// SQLite then neither locks the file nor looks for a log: <https://www.sqlite.org/uri.html>.
    private static func immutablePath(_ url: URL) -> String {
        var allowed = CharacterSet.urlPathAllowed
        allowed.remove(charactersIn: "?#%")
        let path = url.path.addingPercentEncoding(withAllowedCharacters: allowed) ?? url.path
        return "file:\(path)?immutable=1"
    }

    /// Opens a file for reading and writing, where it is a Core Data store.
    ///
    /// - Parameters:
    ///   - options: those of a store; without any, the file is opened for one task.
    ///   - accepts: whether a store with that metadata is to be written. It is asked where opening would change the journal
    ///     mode; a store that isn't accepted is opened for reading instead.
    /// - Returns: nil where there is no file, or one in which nothing has been made yet.
    /// - Throws: an error in `NSCocoaErrorDomain` that names the file and the cause; the file is unchanged then.
    package static func openForWriting(
        _ url: URL, options: SQLiteOpenOptions = .oneTask,
        accepts: @escaping @Sendable ([String: Any]) -> Bool = { _ in true }
    ) throws -> SQLiteFile? {
        if isInMemory(url) { return nil }
        let probe = try SQLiteFileProbe(url)
        guard probe.exists, probe.size > 0 else { return nil }
        if let defect = probe.defect { throw defect }
        guard access(url.path, W_OK) == 0, access(url.deletingLastPathComponent().path, W_OK) == 0 else {
            throw SQLiteStoreError.error(.fileWriteNoPermission, "the file or its folder can't be written", url: url)
        }
        // SQLite plays back, overwrites or removes what lies beside a file when that is opened for writing, so such a file is looked at
        // without a change first: one that isn't a store stays as it is, with all beside it. Where others have it open it has to
        // be looked at through its log anyway.
        if !probe.isInUse, SQLiteSideFiles.exist(besides: url.path), try !isKnownStore(probe, options: options) {
            return nil
        }
        do {
            return try connectForWriting(url, options: options) { database in
                if try SQLiteConnection.isBlank(database) { throw BlankFile() }
                try requireStore(database, at: url)
                // A store that can't be read is refused before the first write, which sets the journal mode or fills the log.
                let metadata = try SQLiteMetadata.read(database)
                _ = try SQLiteFileLayout.entities(database)
                let hasLog = try database.value(String.self, "PRAGMA journal_mode") == "wal"
                if hasLog != (options.journalMode == "wal"), !accepts(metadata) { throw StoreOfOtherModel() }
            }
        } catch is BlankFile {
            return nil
        } catch is StoreOfOtherModel {
            return try openForReading(url, options: options.forOneTask)
        }
    }

    /// Nothing has been made in the file yet.
    private struct BlankFile: Error {}
    /// The file is a store, and not of the model that it is opened with.
    private struct StoreOfOtherModel: Error {}

    /// Whether a file that isn't in use is a store; false where it is blank.
    private static func isKnownStore(_ probe: SQLiteFileProbe, options: SQLiteOpenOptions) throws -> Bool {
        if try isStore(withoutLog: probe, options: options) { return true }
        let file = try connect(probe, options: options.forOneTask)
        // It was only read.
        defer { try? file.close() }
        if try file.isBlank() { return false }
        try file.requireStore()
        return true
    }

    /// Whether a file shows that it is a store without what is in its log, as it does once the log was moved into it.
    /// This saves a copy of a big store that was left by a process which was killed.
    private static func isStore(withoutLog probe: SQLiteFileProbe, options: SQLiteOpenOptions) throws -> Bool {
        guard probe.hasWriteAheadLog, !probe.hasHotJournal, canOpenImmutably else { return false }
        let path = immutablePath(probe.url)
        var configuration = try SQLiteConnection.configuration(options: options, path: path)
        configuration.readonly = true
        // Then it is opened the longer way, which says what is wrong.
        guard let queue = try? DatabaseQueue(path: path, configuration: configuration) else { return false }
        let file = SQLiteFile(url: probe.url, isReadOnly: true, connections: queue)
        // It was only read.
        defer { try? file.close() }
        // Without its log the file may as well look damaged.
        return (try? file.requireStore()) != nil
    }

    /// Opens connections to a file that is a store, or is to become one.
    ///
    /// - Parameter check: looks at the file before anything of it changes.
    package static func connectForWriting(
        _ url: URL, options: SQLiteOpenOptions, check: @escaping @Sendable (Database) throws -> Void = { _ in }
    ) throws -> SQLiteFile {
        let configuration = try SQLiteConnection.configuration(options: options, path: url.path, check: check)
        let deadline = Date(timeIntervalSinceNow: options.timeout)
        while true {
            let before = SQLiteFileIdentity(url)
            do {
                let file = try connectForWriting(url, options: options, configuration: configuration)
                // A file that was replaced while it was opened would be taken for the one that is there now.
                if before == nil || before == SQLiteFileIdentity(url) { return file }
                try file.close()
                guard Date() < deadline else { throw DatabaseError(resultCode: .SQLITE_READONLY_DBMOVED) }
            } catch let error as DatabaseError where isPassing(error) && Date() < deadline {
                Thread.sleep(forTimeInterval: 0.01)
            } catch let finding where finding is BlankFile || finding is StoreOfOtherModel {
                throw finding
            } catch {
                throw SQLiteStoreError.translating(error, at: url)
            }
        }
    }

    /// Whether it may be gone at the next attempt: SQLite doesn't wait for the lock under which the journal mode changes,
    /// and a migration by another process may have put another file in the place of the one that was opened.
    private static func isPassing(_ error: DatabaseError) -> Bool {
        error.resultCode == .SQLITE_BUSY || error.extendedResultCode == .SQLITE_READONLY_DBMOVED
    }

    private static func connectForWriting(
        _ url: URL, options: SQLiteOpenOptions, configuration: Configuration
    ) throws -> SQLiteFile {
        let connections: any DatabaseWriter
        if isInMemory(url) {
            connections = try DatabaseQueue(configuration: configuration)
        } else if options.usesPool {
            connections = try DatabasePool(path: url.path, configuration: configuration)
        } else {
            connections = try DatabaseQueue(path: url.path, configuration: configuration)
        }
        // Again after opening, as GRDB sets some of them itself.
        let statements = try options.pragmaStatements()
        try connections.writeWithoutTransaction { try SQLiteConnection.run(statements, in: $0) }
        return SQLiteFile(url: url, isReadOnly: false, connections: connections)
    }

    /// Whether nothing has been made in the file yet, as when its making was cut off.
    package func isBlank() throws -> Bool {
        try read { try SQLiteConnection.isBlank($0) }
    }
}
