@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDBSQLite
import ManagedObjectModel

/// Makes dictionaries of the rows of a ``DictionaryQuery``, with values as key-value coding gives them.
struct DictionaryReader {
    private let query: DictionaryQuery
    private let schema: SQLiteSchema
    private let table: String
    private let externalData: SQLiteExternalData

    init(_ query: DictionaryQuery, _ schema: SQLiteSchema, table: String, externalData: SQLiteExternalData) {
        self.query = query
        self.schema = schema
        self.table = table
        self.externalData = externalData
    }

    private var coder: SQLObjectGraph { query.builder.coder }

    /// The row that the statement stands on; what is nil is left out.
    func dictionary(_ statement: OpaquePointer) throws -> [String: Any] {
        let reader = ColumnCoercion(statement: statement, table: table, keyColumn: nil)
        var dictionary: [String: Any] = [:]
        dictionary.reserveCapacity(query.columns.count)
        for (index, column) in query.columns.enumerated() where !reader.isNull(Int32(index)) {
            let value = try value(of: column, at: Int32(index), reader)
            dictionary[column.name] = value.map { column.conform($0) }
        }
        return dictionary
    }

    private func value(of column: DictionaryColumn, at index: Int32, _ reader: ColumnCoercion) throws -> Any? {
        let statement = reader.statement
        switch column.type {
        case .integer, .real: return number(column, at: index, statement)
        case .bool: return NSNumber(value: sqlite3_column_int64(statement, index) != 0)
        case .decimal: return NSDecimalNumber(decimal: try reader.decimal(index))
        case .date: return Date(timeIntervalSinceReferenceDate: sqlite3_column_double(statement, index))
        case .string: return reader.string(index)
        case .uri: return URL(string: reader.string(index))
        case .uuid: return try reader.uuid(index)
        case .data: return try data(column, at: index, reader)
        case .transformable(let property):
            return try data(column, at: index, reader).flatMap { try coder.unarchive($0, property) }
        case .object(let entity):
            let handle = sqlite3_column_int64(statement, index)
            let concrete = try concreteEntity(entity, at: index, handle: handle, reader)
            return coder.objectID(ObjectKey(handle: handle, entityIndex: concrete))
        case .entity: return try entity(at: index, reader).entity
        case .entityName: return try entity(at: index, reader).name
        }
    }

    private func number(_ column: DictionaryColumn, at index: Int32, _ statement: OpaquePointer) -> NSNumber {
        switch column.property?.kind {
        case .int16: return NSNumber(value: Int16(truncatingIfNeeded: sqlite3_column_int64(statement, index)))
        case .int32: return NSNumber(value: Int32(truncatingIfNeeded: sqlite3_column_int64(statement, index)))
        case .float: return NSNumber(value: Float(sqlite3_column_double(statement, index)))
        case .double: return NSNumber(value: sqlite3_column_double(statement, index))
        case .int64: return NSNumber(value: sqlite3_column_int64(statement, index))
        default: break
        }
        if sqlite3_column_type(statement, index) == SQLITE_INTEGER {
            return NSNumber(value: sqlite3_column_int64(statement, index))
        }
        return NSNumber(value: sqlite3_column_double(statement, index))
    }

    private func data(_ column: DictionaryColumn, at index: Int32, _ reader: ColumnCoercion) throws -> Data? {
        let bytes = reader.bytes(index)
        guard column.property?.attribute?.allowsExternalBinaryDataStorage == true else { return Data(bytes) }
        switch try externalData.read(bytes, invalid: { reader.invalid(index, $0) }) {
        case .inline(let bytes): return Data(bytes)
        case .file(let data): return data
        }
    }

    private func concreteEntity(
        _ entity: EntityLayout, at index: Int32, handle: Int64, _ reader: ColumnCoercion
    ) throws -> Int32 {
        guard let column = query.entityColumns[Int(index)], !reader.isNull(column) else { return Int32(entity.index) }
        return Int32(try self.entity(at: column, reader).index)
    }

    private func entity(at index: Int32, _ reader: ColumnCoercion) throws -> EntityLayout {
        let number = sqlite3_column_int64(reader.statement, index)
        guard let entity = schema.entityIndex(forNumber: number) else {
            throw reader.invalid(index, "the entity number \(number), which no entity has")
        }
        return schema.model.entities[Int(entity)]
    }
}

extension DictionaryColumn {
    /// The value in the type that the expression description declares, where the two are numbers or strings.
    package func conform(_ value: Any) -> Any {
        guard let declaredType, let number = value as? NSNumber else { return value }
        return declaredType.conforming(number)
    }
}
