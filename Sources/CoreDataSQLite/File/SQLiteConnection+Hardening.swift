import CSwiftRuntime
import Foundation
import GRDB

/// What a file may make SQLite do: the connection's part. ``SQLiteFile/requireStore()`` looks at what the file has.
extension SQLiteConnection {
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

    /// SQLite doesn't count its R-trees as harmless, so the triggers of a file with spatial indexes couldn't write to
    /// these. Such a file is trusted, as ``SQLiteFile/requireStore()`` has refused anything harmful. To be called when
    /// such an index was made, too.
    static func trustSpatialIndexes(in database: Database) {
        // Where the file can't be read, the first real read reports the error.
        let count = try? database.value(
            Int.self, "SELECT COUNT(*) FROM sqlite_master WHERE rootpage = 0 AND name LIKE 'Z\\_RT\\_%' ESCAPE '\\'")
        if (count ?? 0) > 0 { trust_schema(database.sqliteConnection) }
    }

    /// Keeps the file's triggers from running on a connection, for changes that they aren't to see.
    static func disableTriggers(_ database: Database) throws {
        try require(disable_triggers(database.sqliteConnection))
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
}
