import CoreDataSQL
import Foundation
import GRDB

/// What `NSSQLitePragmasOption` asks for, set in each connection.
extension SQLiteConnection {
    static func run(_ pragmas: [SQLFragment], in database: Database) throws {
        for pragma in pragmas { _ = try database.rows(pragma) }
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
