import Foundation

/// Equality of the untyped values that models hold: default values, user info, warnings.
package enum ValueEquality {
    /// Whether both are nil, or equal as Foundation objects (so that `5` equals `NSNumber(5)`).
    package static func areEqual(_ left: Any?, _ right: Any?) -> Bool {
        switch (left, right) {
        case (nil, nil): return true
        case (let left?, let right?): return object(left).isEqual(object(right))
        default: return false
        }
    }

    private static func object(_ value: Any) -> NSObject {
        (value as? NSObject) ?? (value as AnyObject as? NSObject) ?? NSNull()
    }
}
