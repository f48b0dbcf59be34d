import CSwiftRuntime
import Foundation
import GRDB

/// The configuration of every connection to a database. Configurations are made nowhere else.
package enum SQLiteConnection {
    /// For a connection to any file, untrusted ones too: nothing in the file can attach another database, load an
    /// extension, write the schema's text, or call functions that aren't harmless, and no file beside it can lead SQLite astray.
    ///
    /// - Parameter timeout: how long to wait, in seconds, for others that have the file locked.
    package static func hardened(label: String = "CoreData", timeout: TimeInterval) -> Configuration {
        var configuration = Configuration()
        configuration.label = label
        // References are kept by the object graph; no table declares foreign keys.
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(timeout)
        configuration.prepareDatabase { database in
            try SQLiteSideFiles.check(besides: database)
            try require(distrust_schema(database.sqliteConnection))
            try require(set_schema_writable(database.sqliteConnection, false))
        }
        return configuration
    }

    /// For a connection to a store: hardened, with the functions of translated predicates and what the store's options ask for.
    package static func configuration(options: SQLiteOpenOptions, path: String) throws -> Configuration {
        var configuration = hardened(timeout: options.timeout)
        configuration.maximumReaderCount = max(1, options.readerCount)
        let pragmas = try options.pragmaStatements()
        let (journalMode, usesPool) = (options.journalMode, options.usesPool)
        let trace = StatementTrace([StatementLog.observer, options.statementObserver].compactMap { $0 })
        configuration.prepareDatabase { database in
            trace?.install(in: database)
            options.recomputedRows.register(SQLiteDerivedAttribute.functions, in: database)
            SQLiteQueryFunctions.register(in: database)
            if !database.configuration.readonly {
                // Without a journal, which the program may ask for, a connection isn't defensive in SQLite's sense.
                try withWritableSchema(database) { try prepareFile(database, at: path, journalMode: journalMode) }
                if usesPool { try fillLog(of: database, at: path) }
            }
            trustSpatialIndexes(in: database)
            for pragma in pragmas { _ = try Row.fetchAll(database, sql: pragma) }
        }
        return configuration
    }

    /// SQLite doesn't count its R-trees as harmless, so the triggers of a file with spatial indexes couldn't write to
    /// these. Such a file is trusted, as ``SQLiteFile/requireStore()`` has refused anything harmful. To be called when
    /// such an index was made, too.
    static func trustSpatialIndexes(in database: Database) {
        // Where the file can't be read, the first real read reports the error.
        let count = try? Int.fetchOne(
            database,
            sql: "SELECT COUNT(*) FROM sqlite_master WHERE rootpage = 0 AND name LIKE 'Z\\_RT\\_%' ESCAPE '\\'")
        if (count ?? 0) > 0 { trust_schema(database.sqliteConnection) }
    }

    private static func require(_ status: Int32) throws {
        if status != 0 { throw DatabaseError(resultCode: ResultCode(rawValue: status)) }
    }

    /// Runs statements that change the text of the schema itself, which every connection forbids otherwise.
    static func withWritableSchema<Value>(_ database: Database, _ body: () throws -> Value) throws -> Value {
        try require(set_schema_writable(database.sqliteConnection, true))
        defer { _ = set_schema_writable(database.sqliteConnection, false) }
        return try body()
    }

    /// Runs `VACUUM`, which attaches a database of its own.
    package static func vacuum(_ database: Database) throws {
        set_attaching_allowed(database.sqliteConnection, true)
        defer { set_attaching_allowed(database.sqliteConnection, false) }
        try database.run("VACUUM")
    }

    package static func isBlank(_ database: Database) throws -> Bool {
        try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM sqlite_master") == 0
    }

    /// Gives a blank file the page size and auto-vacuum mode of Apple's stores, which have to be set before its first
    /// table, and sets the journal mode.
    private static func prepareFile(_ database: Database, at path: String, journalMode: String) throws {
        if try Int.fetchOne(database, sql: "PRAGMA page_count") == 0 {
            try database.run("PRAGMA page_size = 4096")
            try database.run("PRAGMA auto_vacuum = 2")
        }
        guard ["wal", "delete", "truncate", "persist", "memory", "off"].contains(journalMode) else {
            throw SQLiteStoreError.error(.open, "\"\(journalMode)\" is not a journal mode")
        }
        _ = try String.fetchOne(database, sql: "PRAGMA journal_mode = \(journalMode)")
    }

    /// A pool of GRDB's would make and drop a table to fill an empty log, which changes the schema's version.
    private static func fillLog(of database: Database, at path: String) throws {
        var status = stat()
        if stat(path + "-wal", &status) != 0 || status.st_size == 0 {
            let version = try Int.fetchOne(database, sql: "PRAGMA user_version") ?? 0
            try database.run("PRAGMA user_version = \(version)")
        }
    }
}
