@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// The values of attributes as text.
enum XMLStoreValue {
    /// The type that the file names. `decimal`, `double`, `uuid` and `uri` have not been seen in a fixture; the last two
    /// are our choice.
    static func typeName(of kind: PropertyKind) -> String? {
        switch kind {
        case .int16: "int16"
        case .int32: "int32"
        case .int64: "int64"
        case .bool: "bool"
        case .double: "double"
        case .float: "float"
        case .date: "date"
        case .decimal: "decimal"
        case .string: "string"
        case .uri: "uri"
        case .uuid: "uuid"
        case .data, .transformable: "binary"
        case .composite, .objectID, .undefined, .toOne, .toMany, .fetched: nil
        }
    }

    // MARK: Reading

    /// The value that a text stands for; nil when it isn't of the property's type.
    static func value(_ text: String, of property: PropertyLayout) -> Any? {
        switch property.kind {
        case .string: return XMLStoreText.unescaped(text)
        case .uri: return URL(string: XMLStoreText.unescaped(text))
        case .data: return Data(base64Encoded: text, options: .ignoreUnknownCharacters)
        case .transformable:
            return Data(base64Encoded: text, options: .ignoreUnknownCharacters).map(ArchivedTransformable.init)
        default: break
        }
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        switch property.kind {
        case .int16: return Int16(text).map { NSNumber(value: $0) }
        case .int32: return Int32(text).map { NSNumber(value: $0) }
        case .int64: return Int64(text).map { NSNumber(value: $0) }
        case .bool: return text == "1" ? NSNumber(value: true) : text == "0" ? NSNumber(value: false) : nil
        case .double: return number(text, Double.init).map { NSNumber(value: $0) }
        case .float: return number(text, Float.init).map { NSNumber(value: $0) }
        case .date: return number(text, Double.init).map { Date(timeIntervalSinceReferenceDate: $0) }
        case .decimal: return DecimalStorage.decimal(text).map { NSDecimalNumber(decimal: $0) }
        case .uuid: return UUID(uuidString: text)
        default: return nil
        }
    }

    /// A number that its type can hold: one beyond it would be read as infinity, and written so.
    private static func number<Number: BinaryFloatingPoint>(_ text: String, _ parse: (String) -> Number?) -> Number? {
        guard let number = parse(text), !number.isInfinite || !text.contains(where: \.isNumber) else { return nil }
        return number
    }

    // MARK: Writing

    /// The text of a value; nil when it isn't of the property's type.
    static func text(of value: Any, _ property: PropertyLayout) -> String? {
        if let archived = value as? ArchivedTransformable { return base64(archived.data) }
        if property.kind == .transformable {
            return TransformableCoder.data(from: value, of: property).map(base64)
        }
        switch FieldValue(value, kind: property.kind) {
        case .int(let value): return String(value)
        case .double(let value):
            switch property.kind {
            case .date: return date(value)
            case .float: return number(value) ?? "\(Float(value))"
            default: return number(value) ?? "\(value)"
            }
        case .string(let value): return XMLStoreText.escaped(value)
        case .data(let value): return base64(value)
        case .uuid(let value): return value.uuidString
        case .decimal(let value): return value.isNaN ? DecimalStorage.notANumber : value.description
        case .object(let box): return (box.value as? URL).map { XMLStoreText.escaped($0.absoluteString) }
        default: return nil
        }
    }

    /// Twenty decimals (seen in the fixtures of Things), unless a date so close to 2001 needs more to be the same again.
    private static func date(_ seconds: Double) -> String {
        let text = String(format: "%.20f", seconds)
        return Double(text) == seconds ? text : "\(seconds)"
    }

    /// Whole numbers have no point (seen in the fixtures of Things).
    private static func number(_ value: Double) -> String? {
        guard let whole = Int64(exactly: value), whole.magnitude < 1 << 53, value != 0 || value.sign == .plus else {
            return nil
        }
        return String(whole)
    }

    /// A first line of 76 characters, then all the rest in a second one (seen in all 40 long values of the fixtures).
    private static func base64(_ data: Data) -> String {
        let text = data.base64EncodedString()
        guard text.utf8.count > firstLineLength else { return text.isEmpty ? "" : "\(text)\n" }
        let end = text.utf8.index(text.startIndex, offsetBy: firstLineLength)
        return "\(text[..<end])\n\(text[end...])\n"
    }

    private static let firstLineLength = 76
}
