import Foundation
import GRDB
import GRDBSQLite

/// A statement with its parameters bound, stepped through SQLite's C API.
///
/// Statements are compiled once a connection and text, by GRDB's cache.
struct SQLiteStatementRun {
    /// The compiled statement, on the row that the loop is at.
    let handle: OpaquePointer
    private let db: Database
    private let sql: String
    private let url: URL

    /// - Parameter url: where the store is, for errors.
    init(_ statement: SQLStatement, in db: Database, at url: URL) throws {
        self.db = db
        self.url = url
        sql = statement.sql
        do {
            handle = try db.cachedStatement(sql: statement.sql).sqliteStatement
        } catch let error as DatabaseError {
            throw SQLiteStoreError.translating(error, at: url)
        }
        sqlite3_reset(handle)
        sqlite3_clear_bindings(handle)
        for (index, binding) in statement.bindings.enumerated() {
            try check(bind(binding, at: Int32(index + 1)))
        }
    }

    /// Steps through all rows. However it ends, the statement is left reset, so that it holds no lock.
    func forEachRow(_ body: (OpaquePointer) throws -> Void) throws {
        defer { sqlite3_reset(handle) }
        while true {
            let code = sqlite3_step(handle)
            if code == SQLITE_DONE { return }
            guard code == SQLITE_ROW else { throw error(code) }
            try body(handle)
        }
    }

    private func bind(_ value: SQLBinding, at index: Int32) -> Int32 {
        let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
        switch value {
        case .null: return sqlite3_bind_null(handle, index)
        case .int(let value): return sqlite3_bind_int64(handle, index, value)
        case .double(let value): return sqlite3_bind_double(handle, index, value)
        case .text(var value):
            return value.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) { text in
                    sqlite3_bind_text64(
                        handle, index, text.baseAddress, UInt64(text.count), transient, UInt8(SQLITE_UTF8))
                }
            }
        case .blob(let value):
            if value.isEmpty { return sqlite3_bind_zeroblob(handle, index, 0) }
            return value.withUnsafeBytes {
                sqlite3_bind_blob64(handle, index, $0.baseAddress, UInt64($0.count), transient)
            }
        }
    }

    private func check(_ code: Int32) throws {
        if code != SQLITE_OK { throw error(code) }
    }

    private func error(_ code: Int32) -> any Error {
        let message = sqlite3_errmsg(db.sqliteConnection).map { String(cString: $0) }
        let error = DatabaseError(resultCode: ResultCode(rawValue: code), message: message, sql: sql)
        return SQLiteStoreError.translating(error, at: url)
    }
}
