@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB
import GRDBSQLite

/// What SQLite says about how it will answer a query (https://sqlite.org/eqp.html).
enum QueryPlan {
    /// Logs the plan where the level of `-com.apple.CoreData.SQLDebug` is 4.
    static func log(_ sql: SQLFragment, in database: Database) throws {
        guard DebugSettings.current.sqlLevel >= 4 else { return }
        let statement = try SQLiteStatement(database, "EXPLAIN QUERY PLAN \(sql)")
        let detailColumn: Int32 = 3
        while try statement.next() {
            let detail = sqlite3_column_text(statement.handle, detailColumn).map { String(cString: $0) } ?? ""
            CoreDataLog.write("details: plan: \(detail)", atLevel: 4)
        }
    }
}
