import Foundation
import GRDBSQLite

/// A connection through SQLite's C interface, set up as the stores of both other sides are.
final class PlainDatabase {
    let connection: OpaquePointer

    init(_ url: URL) throws {
        var handle: OpaquePointer?
        // As GRDB opens its connections: each is used by one thread at a time.
        let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX
        guard sqlite3_open_v2(url.path, &handle, flags, nil) == SQLITE_OK, let handle else {
            sqlite3_close_v2(handle)
            throw BenchmarkError("SQLite can't open \(url.path)")
        }
        connection = handle
        try execute("PRAGMA journal_mode = WAL")
        try execute("PRAGMA synchronous = NORMAL")
    }

    deinit { sqlite3_close_v2(connection) }

    func execute(_ sql: String) throws {
        if sqlite3_exec(connection, sql, nil, nil, nil) != SQLITE_OK { throw error(sql) }
    }

    /// Prepares a statement, lends it and finalizes it.
    func prepare<Value>(_ sql: String, _ body: (OpaquePointer) throws -> Value) throws -> Value {
        var handle: OpaquePointer?
        guard sqlite3_prepare_v2(connection, sql, -1, &handle, nil) == SQLITE_OK, let handle else {
            throw error(sql)
        }
        defer { sqlite3_finalize(handle) }
        return try body(handle)
    }

    /// The first number that a query returns.
    func integer(_ sql: String) throws -> Int64 {
        try prepare(sql) { statement in
            guard sqlite3_step(statement) == SQLITE_ROW else { throw error(sql) }
            return sqlite3_column_int64(statement, 0)
        }
    }

    func transaction(_ body: () throws -> Void) throws {
        try execute("BEGIN IMMEDIATE")
        try body()
        try execute("COMMIT")
    }

    /// Takes primary keys for new rows, as a store in Apple's format has to.
    ///
    /// - Returns: the first key.
    func reserveKeys(_ count: Int, entity: String) throws -> Int64 {
        let highest = try integer("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")
        try execute("UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + \(count) WHERE Z_NAME = '\(entity)'")
        return highest + 1
    }

    func entityNumber(_ entity: String) throws -> Int64 {
        try integer("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = '\(entity)'")
    }

    func run(_ statement: OpaquePointer) throws {
        let status = sqlite3_step(statement)
        sqlite3_reset(statement)
        if status != SQLITE_DONE { throw error(String(cString: sqlite3_sql(statement))) }
    }

    func error(_ sql: String) -> BenchmarkError {
        BenchmarkError("\(sql): \(String(cString: sqlite3_errmsg(connection)))")
    }
}
