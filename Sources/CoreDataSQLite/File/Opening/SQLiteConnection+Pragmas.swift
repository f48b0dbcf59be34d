import CoreDataSQL
import Foundation
import GRDB

/// What `NSSQLitePragmasOption` asks for, set in each connection.
extension SQLiteConnection {
    static func run(_ pragmas: [SQLFragment], in database: Database) throws {
        for pragma in pragmas { _ = try database.rows(pragma) }
    }
}

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

extension SQLiteOpenOptions {
    /// The pragma statements, without the journal mode, which is set when the file is opened.
    ///
    /// - Throws: `NSPersistentStoreOpenError` for a name or value that could be more than that.
    package func pragmaStatements() throws -> [SQLFragment] {
        try pragmas.sorted { $0.key < $1.key }.filter { $0.key.lowercased() != "journal_mode" }.map { name, value in
            guard !name.isEmpty, name.utf8.allSatisfy(Self.isWordByte),
                !value.isEmpty, value.utf8.allSatisfy({ Self.isWordByte($0) || $0 == 0x2D || $0 == 0x2E })
            else {
                throw SQLiteStoreError.error(.open, "\"\(name) = \(value)\" is not a pragma that can be set")
            }
            // A word with a hyphen is no name; a negative number is a number.
            let isText = value.utf8.contains(0x2D) && Double(value) == nil
            return isText ? "PRAGMA \(.word(name)) = \(.literal(value))" : "PRAGMA \(.word(name)) = \(.word(value))"
        }
    }

    private static func isWordByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F: true
        default: false
        }
    }
}
