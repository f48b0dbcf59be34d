import CoreData

/// Reads attribute values from the command line and says in which form each type is expected.
struct AttributeText {
    let attribute: NSAttributeDescription

    /// The value that `text` stands for, as key-value coding takes it; `nil` for no text.
    func value(from text: String) throws -> Any? {
        if text.isEmpty { return nil }
        guard let value = parsed(text) else {
            throw CommandFailure(subject, "\u{201C}\(text)\u{201D} is not \(expectedForm).")
        }
        return value
    }

    private var subject: String { "\(attribute.entity.name ?? "?").\(attribute.name)" }

    private func parsed(_ text: String) -> Any? {
        switch attribute.attributeType {
        case .integer16AttributeType: Int16(text).map { NSNumber(value: $0) }
        case .integer32AttributeType: Int32(text).map { NSNumber(value: $0) }
        case .integer64AttributeType: Int64(text).map { NSNumber(value: $0) }
        case .doubleAttributeType: finite(Double(text)).map { NSNumber(value: $0) }
        case .floatAttributeType: finite(Float(text)).map { NSNumber(value: $0) }
        case .decimalAttributeType: decimal(text)
        case .booleanAttributeType: boolean(text).map { NSNumber(value: $0) }
        case .stringAttributeType: text
        case .dateAttributeType: ISO8601Timestamp.date(from: text)
        case .binaryDataAttributeType: Data(base64Encoded: text)
        case .UUIDAttributeType: UUID(uuidString: text)
        case .URIAttributeType: URL(string: text)
        default: nil
        }
    }

    private var expectedForm: String {
        switch attribute.attributeType {
        case .integer16AttributeType: "a whole number from -32768 to 32767"
        case .integer32AttributeType: "a whole number from -2147483648 to 2147483647"
        case .integer64AttributeType: "a whole number of 64 bits"
        case .doubleAttributeType, .floatAttributeType: "a number, such as 2.5 or 1e-3"
        case .decimalAttributeType: "a decimal number, such as 12.50"
        case .booleanAttributeType: "a truth value: true, false, yes, no, 1 or 0"
        case .dateAttributeType: "a date in ISO 8601, such as 2024-05-31 or 2024-05-31T16:00:00.250Z"
        case .binaryDataAttributeType: "data in base64"
        case .UUIDAttributeType: "a UUID, such as 6A1F0C4E-5B2D-4E8A-9C37-01D2E4F5A601"
        case .URIAttributeType: "a URL"
        default: "something that can be given on a command line: the attribute holds objects of a class of its own"
        }
    }

    private func finite<Number: BinaryFloatingPoint>(_ number: Number?) -> Number? {
        number.flatMap { $0.isFinite ? $0 : nil }
    }

    private func decimal(_ text: String) -> NSDecimalNumber? {
        // Decimal(string:) takes the longest beginning that is a number, so the form is checked first.
        guard text.wholeMatch(of: /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,3})?/) != nil,
            let decimal = Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")), decimal.isFinite
        else { return nil }
        return NSDecimalNumber(decimal: decimal)
    }

    private func boolean(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "true", "yes", "1": true
        case "false", "no", "0": false
        default: nil
        }
    }
}
