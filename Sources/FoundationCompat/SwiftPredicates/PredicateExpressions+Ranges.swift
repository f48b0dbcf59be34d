import Foundation

extension PredicateExpressions.RangeExpressionContains: ClassicConvertible {
    func classic(_ conversion: inout ClassicConversion) throws -> FormatNode.Content {
        let value = try conversion.expression(element)
        if let parts = range as? any RangeOfParts {
            let bounds = ClassicConversion.Bounds(
                lower: try conversion.expression(parts.bounds.lower),
                upper: try conversion.expression(parts.bounds.upper), includesUpper: parts.isClosed)
            return .predicate(try conversion.contains(bounds, value))
        }
        guard let bounds = ClassicConversion.range(range) else {
            throw ClassicConversion.Unsupported(description: "NSPredicate has no form for \(type(of: range))")
        }
        return .predicate(try conversion.contains(bounds, value))
    }
}

/// A range whose bounds are parts of the predicate.
private protocol RangeOfParts {
    var bounds: (lower: Any, upper: Any) { get }
    var isClosed: Bool { get }
}

extension PredicateExpressions.Range: RangeOfParts {
    fileprivate var bounds: (lower: Any, upper: Any) { (lower, upper) }
    fileprivate var isClosed: Bool { false }
}

extension PredicateExpressions.ClosedRange: RangeOfParts {
    fileprivate var bounds: (lower: Any, upper: Any) { (lower, upper) }
    fileprivate var isClosed: Bool { true }
}

/// A range that is known when the predicate is converted.
private protocol RangeOfValues {
    var values: (lower: Any?, upper: Any?, includesUpper: Bool) { get }
}

extension Range: RangeOfValues {
    fileprivate var values: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: RangeOfValues {
    fileprivate var values: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: RangeOfValues {
    fileprivate var values: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, nil, false) }
}

extension PartialRangeThrough: RangeOfValues {
    fileprivate var values: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, true) }
}

extension PartialRangeUpTo: RangeOfValues {
    fileprivate var values: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, false) }
}

extension ClassicConversion {
    /// The limits of a range; one that is open to a side has none there.
    struct Bounds {
        var lower: NSExpression?
        var upper: NSExpression?
        var includesUpper: Bool
    }

    /// The limits of a part that is a range and the same for every object.
    static func range(_ part: some PredicateExpression) -> Bounds? {
        // A part that can't be evaluated without an object isn't constant.
        guard let range = try? part.evaluate(PredicateBindings()) as? any RangeOfValues else { return nil }
        let (lower, upper, includesUpper) = range.values
        return Bounds(
            lower: lower.map { NSExpression(forConstantValue: $0) },
            upper: upper.map { NSExpression(forConstantValue: $0) }, includesUpper: includesUpper)
    }

    /// The condition that a value is within the limits.
    func contains(_ bounds: Bounds, _ value: NSExpression) throws -> NSPredicate {
        if let lower = bounds.lower, let upper = bounds.upper, bounds.includesUpper {
            return compare(value, .between, NSExpression(forAggregate: [lower, upper]))
        }
        var conditions: [NSPredicate] = []
        if let lower = bounds.lower { conditions.append(compare(value, .greaterThanOrEqualTo, lower)) }
        if let upper = bounds.upper {
            conditions.append(compare(value, bounds.includesUpper ? .lessThanOrEqualTo : .lessThan, upper))
        }
        return conditions.count == 1 ? conditions[0] : NSCompoundPredicate(andPredicateWithSubpredicates: conditions)
    }
}
