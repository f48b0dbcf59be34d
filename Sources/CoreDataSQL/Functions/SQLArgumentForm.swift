import Foundation

/// What an argument of a registered function stands for, as a letter: SQLite tells an integer from a text, but not a
/// date or a decimal from a number.
package enum SQLArgumentForm: Character {
    case number = "n"
    case decimal = "d"
    case date = "t"
    case string = "s"
    case null = "0"

    /// Nil where no function takes such a value.
    package init?(_ type: SQLValueType?) {
        switch type {
        case nil: self = .null
        case .integer, .bool, .real: self = .number
        case .decimal: self = .decimal
        case .date: self = .date
        case .string: self = .string
        case .uri, .uuid, .data, .transformable, .object, .entity, .entityName: return nil
        }
    }
}
