@_spi(Engine) import CoreDataRows
import Foundation
import GRDBSQLite

/// Reads the values that need more than a call of SQLite's from the row that a statement stands on.
struct ColumnCoercion {
    let statement: OpaquePointer
    /// The table that is read, for errors.
    let table: String
    /// The column that has the row's key, for errors.
    let keyColumn: Int32?

    @inline(__always)
    func isNull(_ column: Int32) -> Bool { sqlite3_column_type(statement, column) == SQLITE_NULL }

    /// The bytes of a text or blob, valid until the statement's next step.
    func bytes(_ column: Int32) -> UnsafeRawBufferPointer {
        let start = sqlite3_column_blob(statement, column)
        return UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, column)))
    }

    func string(_ column: Int32) -> String { Self.text(statement, column) ?? "" }

    /// The whole text of a column, which may have U+0000 in it; nil where it is null.
    static func text(_ statement: OpaquePointer, _ column: Int32) -> String? {
        guard let text = sqlite3_column_text(statement, column) else { return nil }
        let count = Int(sqlite3_column_bytes(statement, column))
        return String(decoding: UnsafeBufferPointer(start: text, count: count), as: UTF8.self)
    }

    func uuid(_ column: Int32) throws -> UUID {
        let type = sqlite3_column_type(statement, column)
        let bytes = bytes(column)
        if type == SQLITE_BLOB, bytes.count == 16 { return UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) }
        if type == SQLITE_TEXT, let uuid = UUID(uuidString: String(decoding: bytes, as: UTF8.self)) { return uuid }
        throw invalid(column, "\(bytes.count) bytes where a UUID has 16")
    }

    func decimal(_ column: Int32) throws -> Decimal {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER:
            return Decimal(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT:
            let value = sqlite3_column_double(statement, column)
            // A computed value may be beyond a decimal's range, and is to stand in the way of no other object.
            return DecimalStorage.decimal(value) ?? .nan
        default:
            let text = String(decoding: bytes(column), as: UTF8.self)
            if let decimal = DecimalStorage.decimal(text) { return decimal }
            throw invalid(column, "\"\(text.prefix(40))\", which is no decimal")
        }
    }

    /// The error for a value that can't be one of its property.
    func invalid(_ column: Int32, _ found: String) -> NSError {
        let name = sqlite3_column_name(statement, column).map { String(cString: $0) } ?? "?"
        let key = keyColumn.map { sqlite3_column_int64(statement, $0) }
        return SQLiteRowError.invalidValue(found, table: table, column: name, key: key)
    }
}
