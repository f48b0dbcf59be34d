import CoreDataSQL
import Foundation
import GRDB
import GRDBSQLite

/// A prepared statement, driven through SQLite's C interface: no boxed values, no observers.
///
/// Belongs to the connection's queue, like the database it comes from.
package struct SQLiteStatement {
    private let statement: Statement
    package let handle: OpaquePointer

    /// SQLite copies text and blobs as they are bound.
    static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

    /// Prepares a statement, or takes it from the connection's cache. Parameters that the fragment has no values for are null
    /// until they are bound.
    package init(_ database: Database, _ sql: SQLFragment) throws {
        statement = try database.cachedStatement(sql: sql.text)
        handle = statement.sqliteStatement
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        for (place, value) in sql.bindings.enumerated() { try bind(value, Int32(place + 1)) }
    }

    private func bind(_ value: SQLBinding, _ index: Int32) throws {
        switch value {
        case .null: bindNull(index)
        case .int(let value): bind(value, index)
        case .double(let value): bind(value, index)
        case .text(let value): try bind(value, index)
        case .blob(let value): try bind(value, index)
        }
    }

    func bindNull(_ index: Int32) { sqlite3_bind_null(handle, index) }

    package func bind(_ value: Int64, _ index: Int32) { sqlite3_bind_int64(handle, index, value) }

    package func bind(_ value: Double, _ index: Int32) { sqlite3_bind_double(handle, index, value) }

    package func bind(_ value: String, _ index: Int32) throws {
        var value = value
        let status = value.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { bytes in
                // Without bytes there may be no address, which SQLite would take for NULL.
                bytes.isEmpty
                    ? sqlite3_bind_text(handle, index, "", 0, Self.transient)
                    : sqlite3_bind_text64(
                        handle, index, bytes.baseAddress, sqlite3_uint64(bytes.count), Self.transient,
                        UInt8(SQLITE_UTF8))
            }
        }
        try check(status)
    }

    package func bind(_ value: UnsafeRawBufferPointer, _ index: Int32) throws {
        try check(
            value.isEmpty
                ? sqlite3_bind_zeroblob(handle, index, 0)
                : sqlite3_bind_blob64(
                    handle, index, value.baseAddress, sqlite3_uint64(value.count), Self.transient))
    }

    package func bind(_ value: Data, _ index: Int32) throws {
        try value.withUnsafeBytes { try bind($0, index) }
    }

    package func bind(_ value: UUID, _ index: Int32) throws {
        try withUnsafeBytes(of: value.uuid) { try bind($0, index) }
    }

    /// Runs a statement that returns no rows, and makes it ready for the next time.
    ///
    /// - Returns: SQLite's extended result code; `SQLITE_DONE` where all went well.
    func runForStatus() -> Int32 {
        let status = sqlite3_step(handle)
        sqlite3_reset(handle)
        return status == SQLITE_ROW ? SQLITE_DONE : status
    }

    /// Runs a statement that returns no rows.
    package func run() throws {
        let status = runForStatus()
        if status != SQLITE_DONE { throw error(status) }
    }

    /// Steps to the next row; false where there is none, and the statement is ready for the next time.
    package func next() throws -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE:
            sqlite3_reset(handle)
            return false
        case let status:
            sqlite3_reset(handle)
            throw error(status)
        }
    }

    /// Ends a statement before its last row.
    package func reset() { sqlite3_reset(handle) }

    package func int(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

    package func isNull(_ column: Int32) -> Bool { sqlite3_column_type(handle, column) == SQLITE_NULL }

    /// The rows that the last statement of this connection changed directly.
    package var changes: Int32 { sqlite3_changes(sqlite3_db_handle(handle)) }

    package func check(_ status: Int32) throws {
        if status != SQLITE_OK { throw error(status) }
    }

    package func error(_ status: Int32) -> DatabaseError {
        let connection = sqlite3_db_handle(handle)
        return DatabaseError(
            resultCode: ResultCode(rawValue: status), message: String(cString: sqlite3_errmsg(connection)),
            sql: String(cString: sqlite3_sql(handle)))
    }
}
