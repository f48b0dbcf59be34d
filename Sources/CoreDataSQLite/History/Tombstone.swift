@_spi(Engine) import CoreDataRows
import Foundation
import GRDBSQLite

/// The value that history keeps of an attribute of a deleted object.
enum Tombstone {
    /// The value in a column; nil where there is none, or none that the attribute can have.
    static func value(_ row: OpaquePointer, _ column: Int32, _ property: PropertyLayout) -> Any? {
        guard sqlite3_column_type(row, column) != SQLITE_NULL else { return nil }
        switch property.kind {
        case .int16, .int32, .int64, .bool:
            return FieldValue.int(sqlite3_column_int64(row, column)).anyValue(of: property)
        case .double, .float, .date:
            return FieldValue.double(sqlite3_column_double(row, column)).anyValue(of: property)
        case .decimal: return decimal(row, column).map { NSDecimalNumber(decimal: $0) }
        case .string: return ColumnReader.text(row, column)
        case .uri: return ColumnReader.text(row, column).flatMap(URL.init(string:))
        case .uuid: return uuid(data(row, column))
        case .data: return data(row, column)
        case .transformable: return TransformableCoder.value(from: data(row, column), of: property, in: nil)
        case .composite, .objectID, .undefined, .toOne, .toMany, .fetched: return nil
        }
    }

    private static func data(_ row: OpaquePointer, _ column: Int32) -> Data {
        guard let bytes = sqlite3_column_blob(row, column) else { return Data() }
        return Data(bytes: bytes, count: Int(sqlite3_column_bytes(row, column)))
    }

    private static func decimal(_ row: OpaquePointer, _ column: Int32) -> Decimal? {
        switch sqlite3_column_type(row, column) {
        case SQLITE_INTEGER: Decimal(sqlite3_column_int64(row, column))
        case SQLITE_FLOAT: DecimalStorage.decimal(sqlite3_column_double(row, column))
        default: ColumnReader.text(row, column).flatMap { DecimalStorage.decimal($0) }
        }
    }

    private static func uuid(_ bytes: Data) -> UUID? {
        guard bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
