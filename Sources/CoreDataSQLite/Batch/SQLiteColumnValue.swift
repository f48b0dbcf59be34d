@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// A constant value of a batch update, as its columns hold it.
struct SQLiteColumnValue {
    /// One for each column of the property.
    let bindings: [SQLBinding]

    /// - Throws: an error for a value that no column can hold.
    init(_ field: FieldValue, _ binding: SQLiteRowPlan.Binding, _ environment: SQLiteBatchEnvironment) throws {
        switch field {
        case .null: bindings = binding.columns.map { _ in .null }
        case .reference(let key):
            let number = environment.schema.number(forEntityIndex: Int(key.entityIndex))
            bindings = Array([.int(key.handle), .int(number)].prefix(binding.columns.count))
        default: bindings = [try Self.binding(field, binding, environment)]
        }
    }

    private static func binding(
        _ field: FieldValue, _ binding: SQLiteRowPlan.Binding, _ environment: SQLiteBatchEnvironment
    ) throws -> SQLBinding {
        switch field {
        case .int(let value): return .int(value)
        case .double(let value): return .double(value)
        case .string(let value): return .text(value)
        case .uuid(let value): return .blob(withUnsafeBytes(of: value.uuid) { Data($0) })
        case .decimal(let value): return DecimalStorage.binding(for: value)
        // All rows get the same bytes, and a file belongs to one row only: so they stay in the rows, however long.
        case .data(let value): return .blob(binding.isExternal ? SQLiteExternalData.inline(value) : value)
        case .object(let box):
            if binding.property.kind == .uri, let url = box.value as? URL { return .text(url.absoluteString) }
            let encoded = try environment.encode(box.value, binding.property)
            if case .object = encoded { break }
            return try self.binding(encoded, binding, environment)
        case .null: return .null
        case .reference, .destination: break
        }
        throw SQLiteStoreError.error(
            .operation, "the value of \(binding.property.owner.name).\(binding.property.name) can't be stored")
    }
}
