import CLibPQ
import CoreDataSQL
import Foundation

/// Many rows at once, by COPY.
extension PostgreSQLConnection {
    /// Appends rows to a table by COPY.
    ///
    /// - Parameters:
    ///   - target: the table and its columns, as they stand in the statement.
    ///   - rows: fills in the values of one row after the other, in the order of the columns.
    func copy(into target: SQLFragment, rows: [PostgreSQLParameters]) throws {
        _ = try run("COPY \(target) FROM STDIN (FORMAT binary)")
        var buffer: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + [UInt8](repeating: 0, count: 8)
        func flush() throws {
            let sent = buffer.withUnsafeBytes {
                PQputCopyData(handle, $0.baseAddress?.assumingMemoryBound(to: CChar.self), Int32($0.count))
            }
            guard sent == 1 else { throw PostgreSQLFailure(nil, of: handle) }
            buffer.removeAll(keepingCapacity: true)
        }
        for row in rows {
            withUnsafeBytes(of: Int16(row.count).bigEndian) { buffer.append(contentsOf: $0) }
            buffer.append(contentsOf: row.bytes)
            if buffer.count > 1 << 16 { try flush() }
        }
        buffer.append(contentsOf: [0xFF, 0xFF])
        try flush()
        try endCopy()
    }

    private func endCopy() throws {
        guard PQputCopyEnd(handle, nil) == 1 else { throw PostgreSQLFailure(nil, of: handle) }
        try takeRest()
    }

    /// Takes what the server answers when all rows have gone over.
    private func takeRest() throws {
        var failure: PostgreSQLFailure?
        while let result = PQgetResult(handle) {
            if PQresultStatus(result) != PGRES_COMMAND_OK, failure == nil {
                failure = PostgreSQLFailure(result, of: handle)
            }
            PQclear(result)
        }
        if let failure { throw failure }
    }

    /// Appends the rows of a table, by way of this process, to one that another connection sees. They aren't held in memory.
    ///
    /// - Parameters:
    ///   - source: the table and its columns, as they stand in a statement.
    ///   - target: the same of the other one.
    func copy(from source: SQLFragment, into target: SQLFragment, of other: PostgreSQLConnection) throws {
        _ = try run("COPY \(source) TO STDOUT (FORMAT binary)")
        _ = try other.run("COPY \(target) FROM STDIN (FORMAT binary)")
        while true {
            var buffer: UnsafeMutablePointer<CChar>?
            let count = PQgetCopyData(handle, &buffer, 0)
            guard count > 0, let buffer else {
                if count == -1 { break }
                throw PostgreSQLFailure(nil, of: handle)
            }
            defer { PQfreemem(buffer) }
            guard PQputCopyData(other.handle, buffer, count) == 1 else {
                throw PostgreSQLFailure(nil, of: other.handle)
            }
        }
        try takeRest()
        try other.endCopy()
    }
}
