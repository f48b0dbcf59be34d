@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// The values that history keeps of deleted objects: an object of JSON with a text for each attribute that has a value, which
/// is exact where JSON's numbers needn't be.
enum PostgreSQLTombstone {
    /// The attributes of an entity that the model preserves.
    static func properties(of entity: PostgreSQLEntity) -> [(property: PropertyLayout, column: String)] {
        entity.layout.properties.compactMap { property in
            guard let attribute = property.attribute, attribute.preservesValueInHistoryOnDeletion,
                !attribute.allowsExternalBinaryDataStorage, let column = entity.columns[property.rowSlot]
            else { return nil }
            return (property, column.name)
        }
    }

    /// What is kept of a row, as an expression over the columns of its table; nil where nothing is, whatever its entity.
    static func expression(of entities: [PostgreSQLEntity]) -> SQLFragment? {
        let cases = entities.compactMap { entity -> SQLFragment? in
            let properties = properties(of: entity)
            guard !properties.isEmpty else { return nil }
            // A function takes a hundred arguments at most.
            let parts = stride(from: 0, to: properties.count, by: 40).map { start in
                let pairs = properties[start..<min(start + 40, properties.count)].map { property, column in
                    "\(.constant(name(property))), \(text(column, property))" as SQLFragment
                }
                return "jsonb_build_object(\(pairs.joined(separator: ", ")))" as SQLFragment
            }
            return "WHEN \(.number(entity.number)) THEN jsonb_strip_nulls(\(parts.joined(separator: " || ")))"
        }
        guard !cases.isEmpty else { return nil }
        return "CAST(CASE \(.quoted(PostgreSQLName.entity)) \(cases.joined(separator: " ")) END AS text)"
    }

    private static func name(_ property: PropertyLayout) -> String {
        property.name.replacing("\u{0}", with: "\u{FFFD}")
    }

    private static func text(_ column: String, _ property: PropertyLayout) -> SQLFragment {
        let column = SQLFragment.quoted(column)
        return switch property.kind {
        case .data, .transformable: "encode(\(column), 'hex')"
        default: "CAST(\(column) AS text)"
        }
    }

    // MARK: Reading

    /// The values, by name; nil where there are none that the attributes can have.
    static func values(_ json: String, of entity: PostgreSQLEntity) -> [AnyHashable: Any]? {
        // What isn't the store's own writing gives no values.
        guard let texts = try? JSONDecoder().decode([String: String].self, from: Data(json.utf8)) else { return nil }
        var values: [AnyHashable: Any] = [:]
        for (property, _) in properties(of: entity) {
            values[property.name] = texts[name(property)].flatMap { value($0, property) }
        }
        return values.isEmpty ? nil : values
    }

    private static func value(_ text: String, _ property: PropertyLayout) -> Any? {
        switch property.kind {
        case .int16, .int32, .int64: Int64(text).flatMap { FieldValue.int($0).anyValue(of: property) }
        case .bool: FieldValue.int(text == "true" ? 1 : 0).anyValue(of: property)
        case .double, .date: Double(text).flatMap { FieldValue.double($0).anyValue(of: property) }
        case .float: Float(text).flatMap { FieldValue.double(Double($0)).anyValue(of: property) }
        case .decimal: (text == "NaN" ? Decimal.nan : Decimal(string: text)).map { NSDecimalNumber(decimal: $0) }
        case .string: text
        case .uri: URL(string: text)
        case .uuid: UUID(uuidString: text)
        case .data: data(text)
        case .transformable: data(text).flatMap { TransformableCoder.value(from: $0, of: property, in: nil) }
        case .composite, .objectID, .undefined, .toOne, .toMany, .fetched: nil
        }
    }

    private static func data(_ hexadecimal: String) -> Data? {
        let digits = Array(hexadecimal.utf8)
        guard digits.count.isMultiple(of: 2) else { return nil }
        var bytes = Data(capacity: digits.count / 2)
        for place in stride(from: 0, to: digits.count, by: 2) {
            guard let byte = UInt8(String(decoding: digits[place...place + 1], as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(byte)
        }
        return bytes
    }
}
