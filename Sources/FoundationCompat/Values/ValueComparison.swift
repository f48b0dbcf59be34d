import Foundation

/// Equality and order of values of any kinds.
package enum ValueComparison {
    /// Whether two values are the same; a missing value is the same as a missing value.
    package static func areEqual(
        _ left: EvaluatedValue, _ right: EvaluatedValue, _ options: NSComparisonPredicate.Options = []
    ) -> Bool {
        switch (left, right) {
        case (.null, .null): return true
        case (.null, _), (_, .null): return false
        case (.string(let left), .string(let right)): return equal(left, right, options)
        case (.number(let left), .number(let right)): return NumericValue.order(left, right) == .orderedSame
        case (.date(let left), .date(let right)): return left == right
        case (.data(let left), .data(let right)): return left == right
        case (.uuid(let left), .uuid(let right)): return left == right
        case (.collection(let left), .collection(let right)): return areEqualCollections(left, right, options)
        case (.object(let left), .object(let right)): return areEqualObjects(left, right)
        default: return false
        }
    }

    private static func equal(_ left: String, _ right: String, _ options: NSComparisonPredicate.Options) -> Bool {
        options.contains(.localeSensitive)
            ? StringComparison.order(left, right, options) == .orderedSame
            : StringComparison.equal(left, right, options)
    }

    private static func areEqualCollections(
        _ left: Any, _ right: Any, _ options: NSComparisonPredicate.Options
    ) -> Bool {
        if left is NSDictionary, right is NSDictionary {
            let key = ValueIdentity.key(left)
            return key != nil && key == ValueIdentity.key(right)
        }
        guard let left = Elements(left), let right = Elements(right),
            left.kind == right.kind, left.values.count == right.values.count
        else { return false }
        if left.kind == .set {
            return Set(left.values.map(ValueIdentity.key)) == Set(right.values.map(ValueIdentity.key))
        }
        return zip(left.values, right.values).allSatisfy {
            areEqual(EvaluatedValue($0), EvaluatedValue($1), options)
        }
    }

    private static func areEqualObjects(_ left: Any, _ right: Any) -> Bool {
        if let left = left as? any PredicateComparableObject, let right = right as? any PredicateComparableObject {
            return left.predicateIdentity == right.predicateIdentity
        }
        if let left = left as? NSObject, let right = right as? NSObject {
            return left.isEqual(right)
        }
        if let left = ValueIdentity.hashable(left), let right = ValueIdentity.hashable(right) {
            return left == right
        }
        guard type(of: left) is AnyClass, type(of: right) is AnyClass else { return false }
        return left as AnyObject === right as AnyObject
    }

    /// The order of two values; nil where there is none: one is missing, or they are of different kinds.
    package static func order(
        _ left: EvaluatedValue, _ right: EvaluatedValue, _ options: NSComparisonPredicate.Options = []
    ) -> ComparisonResult? {
        switch (left, right) {
        case (.string(let left), .string(let right)): return StringComparison.order(left, right, options)
        case (.number(let left), .number(let right)): return NumericValue.order(left, right)
        case (.date(let left), .date(let right)):
            return left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
        case (.data(let left), .data(let right)): return byteOrder(left, right)
        case (.uuid(let left), .uuid(let right)):
            return withUnsafeBytes(of: left.uuid) { left in
                withUnsafeBytes(of: right.uuid) { right in byteOrder(left, right) }
            }
        case (.object(let left), .object(let right)):
            if let left = left as? any PredicateOrderedObject { return left.predicateOrder(to: right) }
            guard let left = left as? URL, let right = right as? URL else { return nil }
            return StringComparison.order(left.absoluteString, right.absoluteString, options)
        default: return nil
        }
    }

    private static func byteOrder<Bytes: Collection<UInt8>>(_ left: Bytes, _ right: Bytes) -> ComparisonResult {
        if left.lexicographicallyPrecedes(right) { return .orderedAscending }
        return left.elementsEqual(right) ? .orderedSame : .orderedDescending
    }
}
