import Foundation
import FoundationCompat

/// The kinds of values besides strings that `BEGINSWITH`, `LIKE` and their like take, as text.
package enum SQLTextForm: String {
    case number
    case decimal
    case uuid
    case uri

    /// Nil where string operators don't look at values of the type.
    package init?(_ type: SQLValueType) {
        switch type {
        case .integer, .bool, .real: self = .number
        case .decimal: self = .decimal
        case .uuid: self = .uuid
        case .uri: self = .uri
        case .date, .string, .data, .transformable, .object, .entity, .entityName: return nil
        }
    }

    /// The text of a constant; nil where string operators don't look at such a value.
    package static func text(of value: Any?) -> String? {
        switch EvaluatedValue(value) {
        case .string(let text): return text
        case .number(let number): return number.number.stringValue
        case .uuid(let uuid): return uuid.uuidString
        case .object(let object): return (object as? URL)?.absoluteString
        case .null, .date, .data, .collection: return nil
        }
    }
}
