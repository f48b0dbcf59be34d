import CoreData

/// The value of an attribute as JSON and back, by the attribute's type, without loss.
///
/// Dates are seconds since 2001; decimals, UUIDs and URIs are text; data and archived transformables are Base64; composites
/// are objects; doubles that JSON has no number for are text.
public enum JSONAttribute {
    /// - Throws: an error that names the attribute where its transformer can't archive the value.
    public static func json(_ value: Any?, of attribute: NSAttributeDescription) throws -> Any {
        guard let value, !(value is NSNull) else { return NSNull() }
        switch attribute.attributeType {
        case .dateAttributeType:
            return number((value as? Date)?.timeIntervalSinceReferenceDate ?? .nan)
        case .doubleAttributeType, .floatAttributeType:
            return number((value as? NSNumber)?.doubleValue ?? .nan)
        case .decimalAttributeType: return "\((value as? NSNumber)?.decimalValue ?? .nan)"
        case .UUIDAttributeType: return (value as? UUID)?.uuidString ?? ""
        case .URIAttributeType: return (value as? URL)?.absoluteString ?? ""
        case .binaryDataAttributeType: return (value as? Data)?.base64EncodedString() ?? ""
        case .transformableAttributeType:
            guard let data = attribute.storedData(ofTransformable: value) else {
                throw JSONFormatError("\(attribute.name): a \(type(of: value)) can't be archived")
            }
            return data.base64EncodedString()
        case .compositeAttributeType:
            var elements: [String: Any] = [:]
            for element in self.elements(of: attribute) {
                elements[element.name] = try json((value as? [String: Any])?[element.name], of: element)
            }
            return elements
        case .objectIDAttributeType:
            throw JSONFormatError(
                "\(attribute.entity.name ?? "?").\(attribute.name): an object ID can't be written as JSON")
        default: return value
        }
    }

    /// - Returns: the value as a node has it; nil where there is none.
    /// - Throws: an error that names the attribute which the JSON isn't a value of.
    public static func value(_ json: Any?, of attribute: NSAttributeDescription) throws -> Any? {
        guard let json, !(json is NSNull) else { return nil }
        let value: Any?
        switch attribute.attributeType {
        case .dateAttributeType: value = double(json).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .doubleAttributeType, .floatAttributeType: value = double(json)
        case .decimalAttributeType: value = (json as? String).flatMap { Decimal(string: $0) }
        case .UUIDAttributeType: value = (json as? String).flatMap { UUID(uuidString: $0) }
        case .URIAttributeType: value = (json as? String).flatMap { URL(string: $0) }
        case .binaryDataAttributeType: value = data(json)
        case .transformableAttributeType: value = data(json).flatMap { attribute.transformable(fromStored: $0) }
        case .compositeAttributeType:
            guard let object = json as? [String: Any] else { throw mismatch(json, attribute) }
            var values: [String: Any] = [:]
            for element in elements(of: attribute) {
                values[element.name] = try self.value(object[element.name], of: element)
            }
            value = values
        case .stringAttributeType: value = json as? String
        default: value = json is String ? nil : json as? NSNumber
        }
        guard let value else { throw mismatch(json, attribute) }
        return value
    }

    private static func elements(of attribute: NSAttributeDescription) -> [NSAttributeDescription] {
        (attribute as? NSCompositeAttributeDescription)?.elements ?? []
    }

    private static func number(_ value: Double) -> Any { value.isFinite ? value : "\(value)" }

    private static func double(_ json: Any) -> Double? {
        if let text = json as? String { return Double(text) }
        return (json as? NSNumber)?.doubleValue
    }

    private static func data(_ json: Any) -> Data? { (json as? String).flatMap { Data(base64Encoded: $0) } }

    private static func mismatch(_ json: Any, _ attribute: NSAttributeDescription) -> JSONFormatError {
        JSONFormatError("\(attribute.entity.name ?? "?").\(attribute.name) can't be \(json)")
    }
}

/// JSON that isn't what a store has written.
public struct JSONFormatError: LocalizedError {
    let text: String
    /// Makes an error of what is wrong, as a sentence.
    public init(_ text: String) { self.text = text }
    /// What is wrong, which becomes the error's `localizedDescription`.
    public var errorDescription: String? { text }
}
