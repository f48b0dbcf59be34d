@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// Makes dictionaries of the rows of a ``DictionaryQuery``, with values as key-value coding gives them.
struct PostgreSQLDictionaryReader {
    private let query: DictionaryQuery
    private let schema: PostgreSQLSchema
    private let result: PostgreSQLResult
    private let types: [PostgreSQLType?]

    init(_ query: DictionaryQuery, _ schema: PostgreSQLSchema, _ result: PostgreSQLResult) {
        self.query = query
        self.schema = schema
        self.result = result
        types = (0..<result.columnCount).map(result.type)
    }

    func dictionaries() throws -> [[String: Any]] { try (0..<result.count).map(dictionary) }

    private func dictionary(_ row: Int32) throws -> [String: Any] {
        var dictionary: [String: Any] = [:]
        dictionary.reserveCapacity(query.columns.count)
        for (index, column) in query.columns.enumerated() where !result.isNull(row, Int32(index)) {
            let value = try value(of: column, row, Int32(index))
            dictionary[column.name] = value.map { Self.conform($0, to: column) }
        }
        return dictionary
    }

    /// The value in the type that the expression description declares, where the two are numbers.
    private static func conform(_ value: Any, to column: DictionaryColumn) -> Any {
        guard let declared = column.declaredType, let number = value as? NSNumber else { return value }
        return declared.conforming(number)
    }

    private func value(of column: DictionaryColumn, _ row: Int32, _ index: Int32) throws -> Any? {
        switch column.type {
        case .integer, .real, .decimal, .bool: return try number(column, row, index)
        case .date:
            return Date(timeIntervalSinceReferenceDate: try number(column, row, index).doubleValue)
        case .string: return result.string(row, index)
        case .uri: return URL(string: result.string(row, index))
        case .uuid: return result.uuid(row, index)
        case .data: return result.data(row, index)
        case .transformable(let property): return try query.builder.coder.unarchive(result.data(row, index), property)
        case .object(let entity):
            let concrete = try query.entityColumns[Int(index)].map { try self.entity(row, $0) } ?? entity
            return query.builder.coder.objectID(
                ObjectKey(handle: result.int8(row, index), entityIndex: concrete.index))
        case .entity: return try entity(row, index).entity
        case .entityName: return try entity(row, index).name
        }
    }

    private func number(_ column: DictionaryColumn, _ row: Int32, _ index: Int32) throws -> NSNumber {
        let integer: Int64
        switch types[Int(index)] {
        case .boolean: return NSNumber(value: result.bool(row, index))
        case .int2: integer = Int64(result.int2(row, index))
        case .int4: integer = Int64(result.int4(row, index))
        case .int8: integer = result.int8(row, index)
        case .float4: return NSNumber(value: result.float(row, index))
        case .float8:
            let value = result.double(row, index)
            return column.property?.kind == .float ? NSNumber(value: Float(value)) : NSNumber(value: value)
        case .numeric:
            guard let decimal = result.decimal(row, index) else { throw invalid(column, "a number that is too large") }
            return NSDecimalNumber(decimal: decimal)
        default: throw invalid(column, "no number")
        }
        switch column.property?.kind {
        case .int16: return NSNumber(value: Int16(truncatingIfNeeded: integer))
        case .int32: return NSNumber(value: Int32(truncatingIfNeeded: integer))
        default:
            if case .bool = column.type { return NSNumber(value: integer != 0) }
            return NSNumber(value: integer)
        }
    }

    private func entity(_ row: Int32, _ index: Int32) throws -> EntityLayout {
        guard let found = schema.entityIndex(forNumber: result.int2(row, index)) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "A row has the entity number \(result.int2(row, index)), which no entity has.")
        }
        return schema.model.entities[Int(found)]
    }

    private func invalid(_ column: DictionaryColumn, _ found: String) -> NSError {
        CoreDataError.make(NSPersistentStoreOperationError, "The value of \(column.name) is \(found).")
    }
}
