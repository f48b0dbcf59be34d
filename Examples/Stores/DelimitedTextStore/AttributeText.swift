import CoreData
import Foundation

/// The values of attributes as text, escaped.
///
/// Numbers as they are in Swift, dates as seconds since 1 January 2001, data in Base64; transformable values as the data that
/// their transformer makes, in Base64, and composite ones as names and values.
enum AttributeText {
    static func text(_ value: Any, of attribute: NSAttributeDescription) -> String? {
        plainText(value, of: attribute).map(TextEscapes.escaped)
    }

    private static func plainText(_ value: Any, of attribute: NSAttributeDescription) -> String? {
        switch attribute.attributeType {
        case .booleanAttributeType: (value as? Bool).map { $0 ? "true" : "false" }
        case .doubleAttributeType: (value as? Double)?.description
        case .floatAttributeType: (value as? Float)?.description
        case .dateAttributeType: (value as? Date)?.timeIntervalSinceReferenceDate.description
        case .stringAttributeType: value as? String
        case .UUIDAttributeType: (value as? UUID)?.uuidString
        case .URIAttributeType: (value as? URL)?.absoluteString
        case .binaryDataAttributeType: (value as? Data)?.base64EncodedString()
        case .transformableAttributeType:
            (transformer(of: attribute)?.reverseTransformedValue(value) as? Data)?.base64EncodedString()
        case .compositeAttributeType: compositeText(value, of: attribute)
        default: "\(value)"
        }
    }

    private static func compositeText(_ value: Any, of attribute: NSAttributeDescription) -> String? {
        guard let composite = attribute as? NSCompositeAttributeDescription, let values = value as? [String: Any] else {
            return nil
        }
        let texts = composite.elements.compactMap { element in
            values[element.name].flatMap { text($0, of: element) }.map { "\(TextEscapes.escaped(element.name)):\($0)" }
        }
        return texts.joined(separator: ":")
    }

    /// - Throws: ``DelimitedTextError`` for a text that isn't of the attribute's type.
    static func value(_ field: DelimitedField, of attribute: NSAttributeDescription) throws -> Any {
        let text = try TextEscapes.unescaped(field)
        if let value = try value(text, of: attribute, in: field) { return value }
        throw field.error("'\(text)' is no value for \(attribute.name), which is \(kind(of: attribute))")
    }

    private static func value(_ text: String, of attribute: NSAttributeDescription, in field: DelimitedField) throws
        -> Any?
    {
        switch attribute.attributeType {
        case .integer16AttributeType: return Int16(text)
        case .integer32AttributeType: return Int32(text)
        case .integer64AttributeType: return Int64(text)
        case .decimalAttributeType: return Double(text) == nil ? nil : Decimal(string: text)
        case .doubleAttributeType: return Double(text)
        case .floatAttributeType: return Float(text)
        case .booleanAttributeType: return Bool(text)
        case .dateAttributeType: return Double(text).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .UUIDAttributeType: return UUID(uuidString: text)
        case .URIAttributeType: return URL(string: text)
        case .binaryDataAttributeType: return Data(base64Encoded: text)
        case .transformableAttributeType:
            return Data(base64Encoded: text).flatMap { transformer(of: attribute)?.transformedValue($0) }
        case .compositeAttributeType: return try compositeValue(text, of: attribute, in: field)
        default: return text
        }
    }

    private static func compositeValue(_ text: String, of attribute: NSAttributeDescription, in field: DelimitedField)
        throws -> Any?
    {
        guard let composite = attribute as? NSCompositeAttributeDescription else { return nil }
        let parts = DelimitedLine(text, number: field.line.number, in: field.line.url).fields(separator: ":")
        guard parts.count % 2 == 0 else { return nil }
        var values: [String: Any] = [:]
        for start in stride(from: 0, to: parts.count, by: 2) {
            let name = try TextEscapes.unescaped(parts[start])
            guard let element = composite.elements.first(where: { $0.name == name }) else { return nil }
            values[name] = try value(parts[start + 1], of: element)
        }
        return values
    }

    private static func kind(of attribute: NSAttributeDescription) -> String {
        attribute.attributeValueClassName.map { "a \($0)" } ?? "of another type"
    }

    /// One whose forward direction is from data to value, as that of `NSSecureUnarchiveFromDataTransformer` is.
    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
        let name = attribute.valueTransformerName.map { NSValueTransformerName($0) }
        return ValueTransformer(forName: name ?? .secureUnarchiveFromDataTransformerName)
    }
}
