@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Watches the statements of a store's connections (https://sqlite.org/c3ref/trace_v2.html), and tells its observers.
final class StatementTrace: Sendable {
    private let observers: [StatementObserver]
    private let connections = Mutex<[Connection]>([])

    /// Nil where there is no observer; then nothing is traced.
    init?(_ observers: [StatementObserver]) {
        guard !observers.isEmpty else { return nil }
        self.observers = observers
    }

    // Safe: a connection runs one statement at a time.
    /// One connection, which one thread uses at a time.
    private final class Connection: @unchecked Sendable {
        let observers: [StatementObserver]
        var rowCounts: [OpaquePointer: Int] = [:]

        init(_ observers: [StatementObserver]) { self.observers = observers }

        func finish(_ statement: OpaquePointer, nanoseconds: UInt64) {
            let rowCount = rowCounts.removeValue(forKey: statement) ?? 0
            let expanded = sqlite3_expanded_sql(statement)
            defer { sqlite3_free(expanded) }
            let sql = sqlite3_sql(statement).map { String(cString: $0) } ?? ""
            let executed = ExecutedStatement(
                sql: sql, expandedSQL: expanded.map { String(cString: $0) } ?? sql,
                duration: Double(nanoseconds) / 1e9, rowCount: rowCount)
            for observer in observers { observer.note(executed) }
        }
    }

    /// To be called once for every connection.
    func install(in database: Database) {
        let connection = Connection(observers)
        connections.withLock { $0.append(connection) }
        let events = UInt32(SQLITE_TRACE_PROFILE | SQLITE_TRACE_ROW)
        sqlite3_trace_v2(
            database.sqliteConnection, events,
            { event, context, statement, detail in
                guard let context, let statement else { return 0 }
                let connection = Unmanaged<Connection>.fromOpaque(context).takeUnretainedValue()
                if event == UInt32(SQLITE_TRACE_ROW) {
                    connection.rowCounts[OpaquePointer(statement), default: 0] += 1
                } else if let detail {
                    connection.finish(
                        OpaquePointer(statement), nanoseconds: detail.assumingMemoryBound(to: UInt64.self).pointee)
                }
                return 0
            }, Unmanaged.passUnretained(connection).toOpaque())
    }
}
