import CoreDataSQL
import Foundation
import GRDB

/// The journal mode of a file, which is a write-ahead log (WAL) unless the options say otherwise.
extension SQLiteConnection {
    /// Gives a blank file the page size and auto-vacuum mode of Apple's stores, which have to be set before the first transaction that
    /// may write. Nothing is written yet.
    static func shapeBlankFile(_ database: Database) throws {
        guard try database.value(Int.self, "PRAGMA page_count") == 0 else { return }
        try database.run("PRAGMA page_size = 4096")
        try database.run("PRAGMA auto_vacuum = 2")
    }

    /// Shapes a blank file, and sets the journal mode.
    static func prepareFile(_ database: Database, at path: String, journalMode: String) throws {
        try shapeBlankFile(database)
        guard ["wal", "delete", "truncate", "persist", "memory", "off"].contains(journalMode) else {
            throw SQLiteStoreError.error(.open, "\"\(journalMode)\" is not a journal mode")
        }
        _ = try database.value(String.self, "PRAGMA journal_mode = \(.word(journalMode))")
    }

    /// A pool of GRDB's would make and drop a table to fill an empty log, which changes the schema's version.
    static func fillLog(of database: Database, at path: String) throws {
        var status = stat()
        if stat(SQLiteStoreFiles(URL(fileURLWithPath: path)).log.path, &status) != 0 || status.st_size == 0 {
            let version = try database.value(Int.self, "PRAGMA user_version") ?? 0
            try database.run("PRAGMA user_version = \(.number(version))")
        }
    }
}
