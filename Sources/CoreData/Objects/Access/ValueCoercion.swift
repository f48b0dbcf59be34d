@_spi(Engine) import CoreDataRows
import Foundation

/// Makes values of an attribute's type of values of another type that say the same (Apple: `validateValue(_:forKey:)`, whose
/// default "coerces the value into an appropriate type"; which types become which is our choice: those whose text is exact).
enum ValueCoercion {
    /// Nil where the value doesn't say anything of the type.
    static func value(_ value: Any, as kind: PropertyKind) -> Any? {
        if kind == .string { return (value as? NSNumber)?.stringValue ?? (value as? UUID)?.uuidString ?? text(value) }
        guard let text = text(value)?.trimmingCharacters(in: .whitespaces), !text.isEmpty else { return nil }
        switch kind {
        case .int16: return Int16(text).map { NSNumber(value: $0) }
        case .int32: return Int32(text).map { NSNumber(value: $0) }
        case .int64: return Int64(text).map { NSNumber(value: $0) }
        case .double: return Double(text).map { NSNumber(value: $0) }
        case .float: return Float(text).map { NSNumber(value: $0) }
        case .bool: return flag(text).map { NSNumber(value: $0) }
        case .decimal: return Decimal(string: text).map { NSDecimalNumber(decimal: $0) }
        case .uuid: return UUID(uuidString: text)
        case .uri: return URL(string: text)
        default: return nil
        }
    }

    private static func text(_ value: Any) -> String? { value as? String ?? (value as? URL)?.absoluteString }

    private static func flag(_ text: String) -> Bool? {
        switch text.lowercased() {
        case "yes", "true", "1": true
        case "no", "false", "0": false
        default: nil
        }
    }
}
