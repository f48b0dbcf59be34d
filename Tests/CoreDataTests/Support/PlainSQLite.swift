import Foundation
import GRDBSQLite

/// Reads a database with SQLite's C API alone, so that what our own code says can be held against it.
enum PlainSQLite {
    struct Failure: Error {
        let text: String
    }

    /// The rows of a query, each column as text; nil for NULL, data as hexadecimal digits.
    static func rows(_ sql: String, in url: URL) throws -> [[String?]] {
        var database: OpaquePointer?
        guard sqlite3_open_v2(url.path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw Failure(text: "can't open \(url.path)")
        }
        defer { sqlite3_close_v2(database) }
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
            throw Failure(text: String(cString: sqlite3_errmsg(database)))
        }
        defer { sqlite3_finalize(statement) }
        var rows: [[String?]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { text(statement, $0) })
            case SQLITE_DONE: return rows
            default: throw Failure(text: String(cString: sqlite3_errmsg(database)))
            }
        }
    }

    private static func text(_ statement: OpaquePointer?, _ column: Int32) -> String? {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return nil
        case SQLITE_BLOB:
            let bytes = UnsafeRawBufferPointer(
                start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
            return bytes.map { String(format: "%02x", $0) }.joined()
        default: return sqlite3_column_text(statement, column).map { String(cString: $0) }
        }
    }
}

extension TemporaryStack {
    func column(_ name: String, of table: String, sort: String) throws -> [String?] {
        try PlainSQLite.rows("SELECT \(name) FROM \(table) ORDER BY \(sort)", in: storeURL).map { $0[0] }
    }
}
