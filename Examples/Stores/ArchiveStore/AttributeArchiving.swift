import CoreData
import Foundation

/// The values of attributes as they are archived: numbers, texts, dates and data as they are, everything else as one of
/// these.
enum AttributeArchiving {
    static func archived(_ value: Any, of attribute: NSAttributeDescription) -> Any? {
        if let composite = attribute as? NSCompositeAttributeDescription {
            let values = value as? [String: Any] ?? [:]
            var archived: [String: Any] = [:]
            for element in composite.elements {
                archived[element.name] = values[element.name].flatMap { self.archived($0, of: element) }
            }
            return archived
        }
        switch attribute.attributeType {
        // A decimal number as a text is exact.
        case .decimalAttributeType: return "\(value)"
        case .UUIDAttributeType: return (value as? UUID)?.uuidString
        case .URIAttributeType: return (value as? URL)?.absoluteString
        case .transformableAttributeType: return transformer(of: attribute)?.reverseTransformedValue(value)
        default: return value
        }
    }

    /// A value of another type than the attribute's is given as it is; the framework refuses it with an error.
    static func value(_ archived: Any, of attribute: NSAttributeDescription) -> Any? {
        if let composite = attribute as? NSCompositeAttributeDescription {
            guard let archived = archived as? [String: Any] else { return archived }
            var values: [String: Any] = [:]
            for element in composite.elements {
                values[element.name] = archived[element.name].flatMap { value($0, of: element) }
            }
            return values
        }
        switch attribute.attributeType {
        case .decimalAttributeType: return (archived as? String).flatMap { Decimal(string: $0) } ?? archived
        case .UUIDAttributeType: return (archived as? String).flatMap { UUID(uuidString: $0) } ?? archived
        case .URIAttributeType: return (archived as? String).flatMap { URL(string: $0) } ?? archived
        case .transformableAttributeType:
            return (archived as? Data).flatMap { transformer(of: attribute)?.transformedValue($0) } ?? archived
        default: return archived
        }
    }

    /// One whose forward direction is from data to value, as that of `NSSecureUnarchiveFromDataTransformer` is.
    private static func transformer(of attribute: NSAttributeDescription) -> ValueTransformer? {
        let name = attribute.valueTransformerName.map { NSValueTransformerName($0) }
        return ValueTransformer(forName: name ?? .secureUnarchiveFromDataTransformerName)
    }
}
