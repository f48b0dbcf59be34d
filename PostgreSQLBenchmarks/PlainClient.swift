import CLibPQ
import Foundation

/// The same work as a C program does it: libpq's functions, binary values, prepared statements, COPY.
final class PlainClient {
    private let handle: OpaquePointer

    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    init(_ address: String) throws {
        handle = PQconnectdb(address)
        guard PQstatus(handle) == CONNECTION_OK else { throw failure() }
    }

    deinit { PQfinish(handle) }

    private func failure() -> Failure { Failure(description: String(cString: PQerrorMessage(handle))) }

    func run(_ sql: String) throws {
        let result = PQexec(handle, sql)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK || PQresultStatus(result) == PGRES_TUPLES_OK else {
            throw failure()
        }
    }

    func prepare(_ name: String, _ sql: String) throws {
        let result = PQprepare(handle, name, sql, 0, nil)
        defer { PQclear(result) }
        guard PQresultStatus(result) == PGRES_COMMAND_OK else { throw failure() }
    }

    /// Executes a prepared statement with one number, and gives its rows to a closure.
    func execute(_ name: String, _ number: Int64, _ body: (OpaquePointer, Int32) -> Void) throws {
        var big = number.bigEndian
        let result = withUnsafeBytes(of: &big) { bytes in
            let values: [UnsafePointer<CChar>?] = [bytes.baseAddress?.assumingMemoryBound(to: CChar.self)]
            return PQexecPrepared(handle, name, 1, values, [8], [1], 1)
        }
        defer { PQclear(result) }
        guard let result, PQresultStatus(result) == PGRES_TUPLES_OK || PQresultStatus(result) == PGRES_COMMAND_OK
        else { throw failure() }
        body(result, PQntuples(result))
    }

    /// All rows of a statement.
    func query(_ sql: String, _ body: (OpaquePointer, Int32) -> Void) throws {
        let result = PQexecParams(handle, sql, 0, nil, nil, nil, nil, 1)
        defer { PQclear(result) }
        guard let result, PQresultStatus(result) == PGRES_TUPLES_OK else { throw failure() }
        body(result, PQntuples(result))
    }

    static func number(_ result: OpaquePointer, _ row: Int32, _ column: Int32) -> Int64 {
        guard let start = PQgetvalue(result, row, column) else { return 0 }
        return Int64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: Int64.self))
    }

    /// Rows of a key, the three columns of every object, a text and a number.
    func copy(into table: String, _ rows: Range<Int64>) throws {
        let begun = PQexec(
            handle,
            "COPY \(table) (\"_id\", \"_entity\", \"_version\", \"name\", \"number\") FROM STDIN (FORMAT binary)")
        defer { PQclear(begun) }
        guard PQresultStatus(begun) == PGRES_COPY_IN else { throw failure() }
        var buffer: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
        func append(_ value: some FixedWidthInteger) {
            withUnsafeBytes(of: value.bigEndian) { buffer.append(contentsOf: $0) }
        }
        func flush() throws {
            let sent = buffer.withUnsafeBytes {
                PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
            }
            guard sent == 1 else { throw failure() }
            buffer.removeAll(keepingCapacity: true)
        }
        for row in rows {
            append(Int16(5))
            append(Int32(8))
            append(row)
            append(Int32(2))
            append(Int16(1))
            append(Int32(8))
            append(Int64(1))
            let name = Array("name \(row)".utf8)
            append(Int32(name.count))
            buffer += name
            append(Int32(8))
            append(row)
            if buffer.count > 1 << 16 { try flush() }
        }
        append(Int16(-1))
        try flush()
        guard PQputCopyEnd(handle, nil) == 1 else { throw failure() }
        while let result = PQgetResult(handle) { PQclear(result) }
    }
}
