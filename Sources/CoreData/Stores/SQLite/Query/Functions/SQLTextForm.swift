import Foundation
import FoundationCompat
import GRDB

/// The kinds of values besides strings that `BEGINSWITH`, `LIKE` and their like take, as text.
enum SQLTextForm: String {
    case number
    case decimal
    case uuid
    case uri

    /// Nil where string operators don't look at values of the type.
    init?(_ type: SQLValueType) {
        switch type {
        case .integer, .bool, .real: self = .number
        case .decimal: self = .decimal
        case .uuid: self = .uuid
        case .uri: self = .uri
        case .date, .string, .data, .transformable, .object, .entity, .entityName: return nil
        }
    }

    /// The text of a column's value.
    func text(_ value: DatabaseValue) -> String? {
        switch (self, value.storage) {
        case (.decimal, .double(let value)):
            return DecimalStorage.decimal(value).flatMap { Self.text(of: NSDecimalNumber(decimal: $0)) }
        case (.uuid, .blob(let data)):
            guard data.count == 16 else { return nil }
            return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
        case (_, .int64(let value)): return Self.text(of: NSNumber(value: value))
        case (_, .double(let value)): return Self.text(of: NSNumber(value: value))
        case (_, .string(let value)): return value
        case (_, .null), (_, .blob): return nil
        }
    }

    /// The text of a constant; nil where string operators don't look at such a value.
    static func text(of value: Any?) -> String? {
        switch EvaluatedValue(value) {
        case .string(let text): return text
        case .number(let number): return number.number.stringValue
        case .uuid(let uuid): return uuid.uuidString
        case .object(let object): return (object as? URL)?.absoluteString
        case .null, .date, .data, .collection: return nil
        }
    }
}
