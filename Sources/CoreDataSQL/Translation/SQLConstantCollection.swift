import Foundation

/// The collections that a predicate can hold as a constant.
package enum SQLConstantCollection {
    /// The elements; of a dictionary the values. Nil where the value is no collection.
    package static func elements(of value: Any?) -> [Any]? {
        switch value {
        case let value as [Any]: return value
        case let value as Set<AnyHashable>: return value.map(\.base)
        case let value as [AnyHashable: Any]: return Array(value.values)
        case let value as NSArray: return Array(value)
        case let value as NSSet: return Array(value)
        case let value as NSOrderedSet: return Array(value)
        case let value as NSDictionary: return value.allValues
        default: return nil
        }
    }
}
