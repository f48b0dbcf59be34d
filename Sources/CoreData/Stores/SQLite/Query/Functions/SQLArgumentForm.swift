import Foundation
import GRDB

/// What an argument of a registered function stands for, as a letter: SQLite tells an integer from a text, but not a
/// date or a decimal from a number.
enum SQLArgumentForm: Character {
    case number = "n"
    case decimal = "d"
    case date = "t"
    case string = "s"
    case null = "0"

    /// Nil where no function takes such a value.
    init?(_ type: SQLValueType?) {
        switch type {
        case nil: self = .null
        case .integer, .bool, .real: self = .number
        case .decimal: self = .decimal
        case .date: self = .date
        case .string: self = .string
        case .uri, .uuid, .data, .transformable, .object, .entity, .entityName: return nil
        }
    }

    /// The value as evaluation in memory would have it.
    func value(_ argument: DatabaseValue) -> Any? {
        switch (self, argument.storage) {
        case (.null, _), (_, .null): return nil
        case (.decimal, .int64(let value)): return NSDecimalNumber(decimal: Decimal(value))
        case (.decimal, .double(let value)): return DecimalStorage.decimal(value).map(NSDecimalNumber.init(decimal:))
        case (.date, .int64(let value)): return Date(timeIntervalSinceReferenceDate: Double(value))
        case (.date, .double(let value)): return Date(timeIntervalSinceReferenceDate: value)
        case (_, .int64(let value)): return NSNumber(value: value)
        case (_, .double(let value)): return NSNumber(value: value)
        case (_, .string(let value)): return value
        case (_, .blob): return nil
        }
    }
}
