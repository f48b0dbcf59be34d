import Foundation
import GRDBSQLite

/// A value as SQLite's C API hands it out.
enum PlainValue: Hashable, CustomStringConvertible {
    case null
    case integer(Int64)
    case real(UInt64)
    case text([UInt8])
    case blob([UInt8])

    var integer: Int64? {
        switch self {
        case .integer(let value): value
        case .real(let bits): Int64(Double(bitPattern: bits))
        default: nil
        }
    }

    var double: Double? {
        switch self {
        case .integer(let value): Double(value)
        case .real(let bits): Double(bitPattern: bits)
        default: nil
        }
    }

    var bytes: [UInt8]? {
        switch self {
        case .text(let bytes), .blob(let bytes): bytes
        default: nil
        }
    }

    var string: String? { bytes.map { String(decoding: $0, as: UTF8.self) } }

    var description: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): "\(value)"
        case .real(let bits): "\(Double(bitPattern: bits))"
        case .text(let bytes): "'\(String(decoding: bytes.prefix(60), as: UTF8.self))'"
        case .blob(let bytes): "\(bytes.count) bytes"
        }
    }
}

/// A database read with SQLite's C API alone, so that what our own code says can be held against it.
final class PlainDatabase {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private var handle: OpaquePointer?

    /// - Parameter url: a file that may be written beside, since that is what SQLite does to read a log.
    init(_ url: URL) throws {
        guard sqlite3_open_v2(url.path, &handle, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK else {
            throw Failure(description: "can't open \(url.path)")
        }
        sqlite3_busy_timeout(handle, 5000)
    }

    deinit { sqlite3_close_v2(handle) }

    func rows(_ sql: String) throws -> [[PlainValue]] {
        var statement: OpaquePointer?
        guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else { throw failure(sql) }
        defer { sqlite3_finalize(statement) }
        var rows: [[PlainValue]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_ROW: rows.append((0..<sqlite3_column_count(statement)).map { Self.value(statement, $0) })
            case SQLITE_DONE: return rows
            default: throw failure(sql)
            }
        }
    }

    func execute(_ sql: String) throws { _ = try rows(sql) }

    private func failure(_ sql: String) -> Failure {
        Failure(description: String(cString: sqlite3_errmsg(handle)) + ": " + sql)
    }

    private static func value(_ statement: OpaquePointer?, _ column: Int32) -> PlainValue {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_NULL: return .null
        case SQLITE_INTEGER: return .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: return .real(sqlite3_column_double(statement, column).bitPattern)
        case let type:
            let start = sqlite3_column_blob(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            let bytes = [UInt8](UnsafeRawBufferPointer(start: start, count: count))
            return type == SQLITE_TEXT ? .text(bytes) : .blob(bytes)
        }
    }

    /// The names of the ordinary tables, without those that belong to an R-tree.
    func tables() throws -> [String] {
        try rows("SELECT name FROM sqlite_master WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'")
            .compactMap { $0[0].string }
            .filter { !$0.hasPrefix("Z_RT_") && !$0.hasPrefix("sqlite_") }
    }

    func columns(of table: String) throws -> [String] {
        try rows("SELECT name FROM pragma_table_info('\(table)')").compactMap { $0[0].string }
    }

    /// The rows of a table by rowid, each with its values by column.
    func content(of table: String) throws -> [Int64: [String: PlainValue]] {
        let names = try columns(of: table)
        var result: [Int64: [String: PlainValue]] = [:]
        for row in try rows("SELECT rowid, * FROM \"\(table)\"") {
            result[row[0].integer ?? 0] = Dictionary(zip(names, row.dropFirst())) { first, _ in first }
        }
        return result
    }

    /// All rows of all tables.
    func content() throws -> [String: [Int64: [String: PlainValue]]] {
        var result: [String: [Int64: [String: PlainValue]]] = [:]
        for table in try tables() { result[table] = try content(of: table) }
        return result
    }
}
