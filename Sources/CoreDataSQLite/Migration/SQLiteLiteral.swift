@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// Default values as they stand in a statement.
enum SQLiteLiteral {
    /// - Returns: nil for no value.
    /// - Throws: `NSMigrationError` for one that a store can't keep.
    static func text(_ value: FieldValue, of property: PropertyLayout) throws -> String? {
        switch value {
        case .null, .reference, .destination: return nil
        case .int(let number): return "\(number)"
        case .double(let number): return number.isFinite ? "\(number)" : nil
        case .string(let text): return SQLIdentifier.literal(text)
        case .data(let data):
            let isTagged = property.attribute?.allowsExternalBinaryDataStorage ?? false
            return SQLIdentifier.literal(isTagged ? SQLiteExternalData.inline(data) : data)
        case .uuid(let uuid): return withUnsafeBytes(of: uuid.uuid) { SQLIdentifier.literal(Data($0)) }
        case .decimal(let number): return "\(number)"
        case .object(let box):
            if let url = box.value as? URL { return SQLIdentifier.literal(url.absoluteString) }
            guard let data = TransformableCoder.data(from: box.value, of: property) else {
                throw MigrationError.make(
                    "The default value of '\(property.name)' can't be turned into data by its value transformer.")
            }
            return SQLIdentifier.literal(data)
        }
    }
}
