import Foundation

/// The value of one slot of a changed object, unboxed.
package enum FieldValue: @unchecked Sendable {
    case null
    /// Integers and booleans.
    case int(Int64)
    /// Doubles, floats, and dates as seconds since 1 January 2001.
    case double(Double)
    case string(String)
    case data(Data)
    case uuid(UUID)
    case decimal(Decimal)
    /// A to-one whose destination has a permanent identity in the same store.
    case reference(ObjectKey)
    /// A transformable's value, a URL, or the destination object of a to-one.
    case object(any Sendable)

    package var isNull: Bool {
        if case .null = self { return true }
        return false
    }
}
