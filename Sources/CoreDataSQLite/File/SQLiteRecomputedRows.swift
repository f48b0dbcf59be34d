import GRDB
import GRDBSQLite
import Synchronization

/// The rows that triggers have changed, reported by the functions that the triggers call. Rows of them in memory are
/// out of date.
package final class SQLiteRecomputedRows: Sendable {
    package init() {}

    /// A table, and a key in it.
    package struct Row: Hashable, Sendable {
        package let table: String
        package let handle: Int64
    }

    /// In bytes: more than any model's entity has.
    private static let longestName: Int32 = 4096

    private let rows = Mutex<Set<Row>>([])

    /// Registers the functions that Apple's triggers call: without them no row of such a table can be written. They
    /// report which rows the triggers changed; these are read again when they are next accessed.
    ///
    /// A trigger calls one for each row that is written, so they are SQLite's own and box nothing. They are the only ones that
    /// the triggers of a file may call, and may do so with anything: all that they do is to keep a table's name and a number.
    package func register(_ names: [String], in database: Database) {
        for name in names {
            sqlite3_create_function_v2(
                database.sqliteConnection, name, 5, SQLITE_UTF8 | SQLITE_INNOCUOUS,
                Unmanaged.passRetained(self).toOpaque(),
                { context, _, arguments in
                    sqlite3_result_null(context)
                    guard let rows = sqlite3_user_data(context), let arguments else { return }
                    Unmanaged<SQLiteRecomputedRows>.fromOpaque(rows).takeUnretainedValue().insertRow(arguments)
                }, nil, nil,
                { rows in
                    if let rows { Unmanaged<SQLiteRecomputedRows>.fromOpaque(rows).release() }
                })
        }
    }

    /// Records the row of a trigger's call, whose arguments are table, `Z_ENT`, `Z_PK`, property and value.
    private func insertRow(_ arguments: UnsafeMutablePointer<OpaquePointer?>) {
        guard sqlite3_value_bytes(arguments[0]) <= Self.longestName, let table = sqlite3_value_text(arguments[0]),
            sqlite3_value_type(arguments[2]) == SQLITE_INTEGER
        else { return }
        let row = Row(table: String(cString: table), handle: sqlite3_value_int64(arguments[2]))
        _ = rows.withLock { $0.insert(row) }
    }

    /// Returns the rows recorded since the last call, and forgets them.
    package func drain() -> Set<Row> {
        rows.withLock { rows in
            defer { rows = [] }
            return rows
        }
    }
}
