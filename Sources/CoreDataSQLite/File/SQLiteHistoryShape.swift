import GRDB
import Synchronization

/// What the tables of persistent history in a store look like.
package struct SQLiteHistoryShape: Sendable {
    package var hasHistory = false
    /// Whether texts are in a table of their own, as since macOS 10.14, rather than in each transaction.
    var hasStrings = false
    var tombstoneColumns: [String] = []
}

/// The shape of a file's history, looked up once for each version of the file's schema.
package final class SQLiteKnownHistoryShape: Sendable {
    private let known = Mutex<(schemaVersion: Int64, shape: SQLiteHistoryShape)?>(nil)

    /// The shape as the connection sees it now: another process may begin history at any time.
    package func shape(in database: Database) throws -> SQLiteHistoryShape {
        let statement = try SQLiteStatement(database, "PRAGMA schema_version")
        guard try statement.next() else { return SQLiteHistoryShape() }
        let version = statement.int(0)
        statement.reset()
        if let known = known.withLock({ $0 }), known.schemaVersion == version { return known.shape }
        let shape = try read(database)
        known.withLock { $0 = (version, shape) }
        return shape
    }

    private func read(_ database: Database) throws -> SQLiteHistoryShape {
        let tables = try Set(
            database.values(String.self, "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'A%'"))
        guard tables.isSuperset(of: SQLiteName.texts(.changeTable, .transactionTable)) else {
            return SQLiteHistoryShape()
        }
        let columns = try Set(database.values(String.self, "SELECT name FROM pragma_table_info('\(.changeTable)')"))
        return SQLiteHistoryShape(
            hasHistory: true, hasStrings: tables.contains(SQLiteName.textTable.rawValue),
            tombstoneColumns: (0..<columns.count).map(SQLiteName.tombstone).filter(columns.contains))
    }
}
