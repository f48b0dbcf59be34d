import GRDB
import Synchronization

/// The rows that triggers have changed, as the functions tell that they call: what is in memory of these is out of date.
final class SQLiteRecomputedRows: Sendable {
    /// A table, and a key in it.
    struct Row: Hashable, Sendable {
        let table: String
        let handle: Int64
    }

    private let rows = Mutex<Set<Row>>([])

    /// Takes the arguments of a trigger's call: table, `Z_ENT`, `Z_PK`, property and value.
    func note(_ arguments: [DatabaseValue]) {
        guard let table = String.fromDatabaseValue(arguments[0]), let handle = Int64.fromDatabaseValue(arguments[2])
        else {
            return
        }
        _ = rows.withLock { $0.insert(Row(table: table, handle: handle)) }
    }

    /// The rows noted since this was last asked.
    func take() -> Set<Row> {
        rows.withLock { rows in
            defer { rows = [] }
            return rows
        }
    }
}
