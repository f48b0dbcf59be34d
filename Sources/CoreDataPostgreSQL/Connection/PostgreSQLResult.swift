import CLibPQ
import Foundation

/// The rows of a statement, in the server's binary form.
final class PostgreSQLResult {
    let handle: OpaquePointer
    let count: Int32

    init(_ handle: OpaquePointer) {
        self.handle = handle
        count = PQntuples(handle)
    }

    deinit { PQclear(handle) }

    /// What the server says that it has done, such as COMMIT or ROLLBACK.
    var command: String { String(cString: PQcmdStatus(handle)) }

    var columnCount: Int32 { PQnfields(handle) }
    func columnName(_ column: Int32) -> String { PQfname(handle, column).map { String(cString: $0) } ?? "?" }
    func type(_ column: Int32) -> PostgreSQLType? { PostgreSQLType(rawValue: PQftype(handle, column)) }

    @inline(__always)
    func isNull(_ row: Int32, _ column: Int32) -> Bool { PQgetisnull(handle, row, column) != 0 }

    /// Valid as long as the result.
    @inline(__always)
    func bytes(_ row: Int32, _ column: Int32) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: PQgetvalue(handle, row, column), count: Int(PQgetlength(handle, row, column)))
    }

    @inline(__always)
    private func load<Value: FixedWidthInteger>(_ row: Int32, _ column: Int32, as type: Value.Type) -> Value {
        guard let start = PQgetvalue(handle, row, column), Int(PQgetlength(handle, row, column)) >= Value.bitWidth / 8
        else {
            return 0
        }
        return Value(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: type))
    }

    @inline(__always) func int8(_ row: Int32, _ column: Int32) -> Int64 { load(row, column, as: Int64.self) }
    @inline(__always) func int4(_ row: Int32, _ column: Int32) -> Int32 { load(row, column, as: Int32.self) }
    @inline(__always) func int2(_ row: Int32, _ column: Int32) -> Int16 { load(row, column, as: Int16.self) }
    @inline(__always) func bool(_ row: Int32, _ column: Int32) -> Bool { load(row, column, as: UInt8.self) != 0 }

    @inline(__always) func double(_ row: Int32, _ column: Int32) -> Double {
        Double(bitPattern: load(row, column, as: UInt64.self))
    }

    @inline(__always) func float(_ row: Int32, _ column: Int32) -> Float {
        Float(bitPattern: load(row, column, as: UInt32.self))
    }

    func string(_ row: Int32, _ column: Int32) -> String { String(decoding: bytes(row, column), as: UTF8.self) }
    func data(_ row: Int32, _ column: Int32) -> Data { Data(bytes(row, column)) }
    func decimal(_ row: Int32, _ column: Int32) -> Decimal? { PostgreSQLNumeric.decimal(bytes(row, column)) }

    func uuid(_ row: Int32, _ column: Int32) -> UUID? {
        let bytes = bytes(row, column)
        return bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
    }
}
