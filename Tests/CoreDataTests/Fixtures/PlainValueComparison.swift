import CoreData
import Foundation

/// Whether a value is what a column holds, by the attribute's declared type.
enum PlainValueComparison {
    static func areEqual(
        _ value: Any?, _ row: [String: PlainValue], _ attribute: NSAttributeDescription, path: String,
        columns: [String: String]
    ) -> Bool {
        if let composite = attribute as? NSCompositeAttributeDescription {
            let values = value as? [String: Any] ?? [:]
            return composite.elements.allSatisfy {
                areEqual(values[$0.name], row, $0, path: path + "." + $0.name, columns: columns)
            }
        }
        if attribute.attributeType == .undefinedAttributeType { return true }
        guard let column = columns[path], let stored = row[column] else { return false }
        return areEqual(value, stored, attribute)
    }

    static func areEqual(_ value: Any?, _ stored: PlainValue, _ attribute: NSAttributeDescription) -> Bool {
        if stored == .null { return value == nil }
        switch attribute.attributeType {
        case .integer16AttributeType, .integer32AttributeType, .integer64AttributeType:
            return (value as? NSNumber)?.int64Value == stored.integer
        case .booleanAttributeType:
            return (value as? NSNumber)?.boolValue == (stored.integer != 0)
        case .doubleAttributeType:
            return (value as? NSNumber)?.doubleValue == stored.double
        case .floatAttributeType:
            return (value as? NSNumber)?.floatValue == stored.double.map { Float($0) }
        case .dateAttributeType:
            return (value as? Date)?.timeIntervalSinceReferenceDate == stored.double
        case .decimalAttributeType:
            guard let decimal = (value as? NSDecimalNumber)?.decimalValue else { return false }
            if stored.string == "NaN" { return decimal.isNaN }
            return decimal == stored.double.flatMap { Decimal(string: "\($0)") }
        case .stringAttributeType:
            return (value as? String) == stored.string
        case .URIAttributeType:
            return (value as? URL)?.absoluteString == stored.string
        case .UUIDAttributeType:
            guard let uuid = (value as? UUID)?.uuid else { return false }
            return withUnsafeBytes(of: uuid) { Array($0) } == stored.bytes
        case .binaryDataAttributeType:
            let bytes = stored.bytes ?? []
            guard attribute.allowsExternalBinaryDataStorage else { return value as? Data == Data(bytes) }
            // The files of external data aren't among the fixtures.
            return bytes.first == 2 ? value == nil : value as? Data == Data(bytes.dropFirst())
        default:
            // A transformable's class is the app's; whether its data can be decoded is not for the store to say.
            return true
        }
    }
}
