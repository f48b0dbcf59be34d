@_spi(Engine) import CoreDataRows
import Foundation

/// Turns the values of rows into parameters.
enum PostgreSQLRowEncoder {
    /// Appends a value, and for a to-one the number of its destination's entity, where there is a column for it.
    ///
    /// - Throws: an error that names the attribute, where the column can't have the value.
    static func append(
        _ value: FieldValue, of column: PostgreSQLColumn, _ schema: PostgreSQLSchema,
        to parameters: inout PostgreSQLParameters
    ) throws {
        switch value {
        case .null: appendNull(column, to: &parameters)
        case .int(let value):
            switch column.type {
            case .boolean: parameters.append(value != 0)
            case .int2: parameters.append(Int16(truncatingIfNeeded: value))
            case .int4: parameters.append(Int32(truncatingIfNeeded: value))
            default: parameters.append(value)
            }
        case .double(let value):
            // "Not a number" is missing, as in a SQLite store.
            if value.isNaN {
                parameters.appendNull(column.type)
            } else if column.type == .float4 {
                parameters.append(Float(value))
            } else {
                parameters.append(value)
            }
        case .string(let value): try append(value, column, to: &parameters)
        case .data(let value): try append(value, column, to: &parameters)
        case .uuid(let value): parameters.append(value)
        case .decimal(let value): parameters.append(value)
        case .reference(let key):
            parameters.append(key.handle)
            if column.entityColumn != nil { parameters.append(try schema.entity(at: key.entityIndex).number) }
        case .destination(let object): throw unstorable(object, column)
        case .object(let box):
            if let url = box.value as? URL { return try append(url.absoluteString, column, to: &parameters) }
            guard column.property.kind == .transformable else { throw unstorable(box.value, column) }
            try append(TransformableCoder.archive(box.value, of: column.property), column, to: &parameters)
        }
    }

    static func appendNull(_ column: PostgreSQLColumn, to parameters: inout PostgreSQLParameters) {
        parameters.appendNull(column.type)
        if column.entityColumn != nil { parameters.appendNull(.int2) }
    }

    /// The server's limit, with room for what is around a value.
    private static let mostBytes = 1_000_000_000

    private static func append(_ data: Data, _ column: PostgreSQLColumn, to parameters: inout PostgreSQLParameters)
        throws
    {
        guard data.count <= mostBytes else { throw tooLong(data.count, column) }
        parameters.append(data)
    }

    private static func tooLong(_ count: Int, _ column: PostgreSQLColumn) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError,
            "The value of \(column.property.owner.name).\(column.property.name) can't be saved in a PostgreSQL store: it has "
                + "\(count) bytes, and a server takes \(mostBytes).")
    }

    private static func append(
        _ text: String, _ column: PostgreSQLColumn, to parameters: inout PostgreSQLParameters
    ) throws {
        guard !text.utf8.contains(0) else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The value of \(column.property.owner.name).\(column.property.name) can't be saved in a PostgreSQL store: it has "
                    + "the character U+0000, which no text of a server can have. Keep such a value as binary data.")
        }
        guard text.utf8.count <= mostBytes else { throw tooLong(text.utf8.count, column) }
        parameters.append(text)
    }

    private static func unstorable(_ value: Any, _ column: PostgreSQLColumn) -> NSError {
        CoreDataError.make(
            NSPersistentStoreSaveError,
            "The value of \(column.property.owner.name).\(column.property.name) can't be stored: \(type(of: value)) \(value)"
        )
    }
}
