@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDBSQLite

/// The values that history keeps of a deleted object.
enum SQLiteTombstone {
    /// The statement that copies a row's values to a change: the row's key is its first parameter, the change's the second.
    ///
    /// - Returns: nil where none of the properties has a column.
    static func keeping(_ properties: [PropertyLayout], of entity: SQLiteEntity, in columns: [String]) -> SQLFragment? {
        let assignments = zip(columns, properties).compactMap { column, property -> SQLFragment? in
            guard let kept = entity.column(of: property)?.name else { return nil }
            return
                "\(.name(column)) = (SELECT \(.name(kept)) FROM \(.name(entity.table)) WHERE \(.key) = \(.parameter(1)))"
        }
        if assignments.isEmpty { return nil }
        return "UPDATE \(.changeTable) SET \(assignments.joined(separator: ", ")) WHERE \(.key) = \(.parameter(2))"
    }

    /// The value in a column; nil where there is none, or none that the attribute can have.
    static func value(_ row: OpaquePointer, _ column: Int32, _ property: PropertyLayout) -> Any? {
        guard sqlite3_column_type(row, column) != SQLITE_NULL else { return nil }
        switch property.kind {
        case .int16, .int32, .int64, .bool:
            return FieldValue.int(sqlite3_column_int64(row, column)).anyValue(of: property)
        case .double, .float, .date:
            return FieldValue.double(sqlite3_column_double(row, column)).anyValue(of: property)
        case .decimal: return decimal(row, column).map { NSDecimalNumber(decimal: $0) }
        case .string: return ColumnCoercion.text(row, column)
        case .uri: return ColumnCoercion.text(row, column).flatMap(URL.init(string:))
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
        default: ColumnCoercion.text(row, column).flatMap { DecimalStorage.decimal($0) }
        }
    }

    private static func uuid(_ bytes: Data) -> UUID? {
        guard bytes.count == 16 else { return nil }
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }
}
