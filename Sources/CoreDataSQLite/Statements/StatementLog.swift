@_spi(Engine) import CoreDataRows
import Foundation

/// The lines of `-com.apple.CoreData.SQLDebug`.
enum StatementLog {
    /// The observer that logs; nil where the level is 0.
    static let observer: StatementObserver? =
        DebugSettings.current.sqlLevel > 0 ? StatementObserver(log) : nil

    private static func log(_ statement: ExecutedStatement) {
        let level = isHousekeeping(statement.sql) ? 2 : 1
        let showsValues = DebugSettings.current.sqlLevel >= 3
        let time = String(format: "%.4f", statement.duration)
        CoreDataLog.write(
            "sql: \(showsValues ? statement.expandedSQL : statement.sql) (\(time) s, \(statement.rowCount) rows)",
            atLevel: level)
    }

    /// Transactions, pragmas and looks at the schema.
    private static func isHousekeeping(_ sql: String) -> Bool {
        let start = sql.prefix(10).uppercased()
        return ["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "PRAGMA"].contains { start.hasPrefix($0) }
            || sql.contains("sqlite_master")
    }
}
