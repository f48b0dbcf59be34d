import Foundation

/// A value for a parameter of a statement, in the five forms that SQLite stores.
package enum SQLBinding: Hashable, Sendable {
    case null
    case int(Int64)
    case double(Double)
    case text(String)
    case blob(Data)
}

extension SQLBinding: CustomStringConvertible {
    /// The value as it would stand in SQL, for diagnostics.
    package var description: String {
        switch self {
        case .null: return "NULL"
        case .int(let value): return String(value)
        case .double(let value): return String(value)
        case .text(let value): return SQLIdentifier.literal(value)
        case .blob(let value): return "x'\(value.map { String(format: "%02x", $0) }.joined())'"
        }
    }
}
