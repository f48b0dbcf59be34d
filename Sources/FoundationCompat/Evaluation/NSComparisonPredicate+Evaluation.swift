import Foundation

extension NSComparisonPredicate {
    func compare(_ object: Any?, _ scope: inout EvaluationScope) throws -> Bool {
        guard storedModifier == .direct else {
            return try compareEach(object, &scope)
        }
        let left = EvaluatedValue(try storedLeft.value(for: object, &scope))
        let right = try rightValue(object, &scope)
        if storedRight.expressionType == .fetchRequest || storedLeft.expressionType == .fetchRequest,
            predicateOperatorType.isRelation
        {
            return try compare(left.firstResult, right.firstResult, object, &scope)
        }
        return try compare(left, right, object, &scope)
    }

    /// `ANY` and `ALL`: over the values at the end of the left side's path, those of nested collections included.
    private func compareEach(_ object: Any?, _ scope: inout EvaluationScope) throws -> Bool {
        let right = try rightValue(object, &scope)
        let wanted = storedModifier == .any
        var found = false
        try forEachLeftValue(object, &scope) { value, scope in
            found = try compare(EvaluatedValue(value), right, object, &scope) == wanted
            return found
        }
        return found ? wanted : !wanted
    }

    private func forEachLeftValue(
        _ object: Any?, _ scope: inout EvaluationScope, _ body: (Any?, inout EvaluationScope) throws -> Bool
    ) throws {
        guard case .keyPath(let operand, let path) = storedLeft.form else {
            let value = try storedLeft.value(for: object, &scope)
            _ = try LeafValues.visit(value, &scope, body)
            return
        }
        let base = try operand.map { try $0.value(for: object, &scope) } ?? object
        _ = try LeafValues.visit(base, at: path, from: 0, &scope, body)
    }

    private func rightValue(_ object: Any?, _ scope: inout EvaluationScope) throws -> EvaluatedValue {
        if let constantRight { return constantRight }
        return EvaluatedValue(try storedRight.value(for: object, &scope))
    }

    private func compare(
        _ left: EvaluatedValue, _ right: EvaluatedValue, _ object: Any?, _ scope: inout EvaluationScope
    ) throws -> Bool {
        switch storedOperator {
        case .equalTo: return ValueComparison.areEqual(left, right, storedOptions)
        case .notEqualTo: return !ValueComparison.areEqual(left, right, storedOptions)
        case .lessThan: return ValueComparison.order(left, right, storedOptions) == .orderedAscending
        case .lessThanOrEqualTo: return isOrdered(left, right, not: .orderedDescending)
        case .greaterThan: return ValueComparison.order(left, right, storedOptions) == .orderedDescending
        case .greaterThanOrEqualTo: return isOrdered(left, right, not: .orderedAscending)
        case .between: return try isBetween(left, right, object, &scope)
        case .in:
            if let constantKeys, let key = ValueIdentity.key(left) { return constantKeys.contains(key) }
            return try isIn(left, right, from: storedRight)
        case .contains: return try isIn(right, left, from: storedLeft)
        case .beginsWith, .endsWith, .like, .matches: return try compareTexts(left, right)
        case .customSelector: return try compareBySelector(left, right)
        }
    }

    private func isOrdered(_ left: EvaluatedValue, _ right: EvaluatedValue, not excluded: ComparisonResult) -> Bool {
        guard let order = ValueComparison.order(left, right, storedOptions) else { return false }
        return order != excluded
    }

    private func isBetween(
        _ value: EvaluatedValue, _ bounds: EvaluatedValue, _ object: Any?, _ scope: inout EvaluationScope
    ) throws -> Bool {
        guard case .collection(let collection) = bounds, let elements = Elements(collection),
            elements.kind == .array, elements.values.count == 2
        else { throw EvaluationError.notBounds(storedRight) }
        let limits = try elements.values.map { limit -> EvaluatedValue in
            // A constant array may hold expressions.
            guard let expression = instance(limit, of: NSExpression.self) else { return EvaluatedValue(limit) }
            return EvaluatedValue(try expression.value(for: object, &scope))
        }
        return isOrdered(value, limits[0], not: .orderedAscending)
            && isOrdered(value, limits[1], not: .orderedDescending)
    }

    /// `IN`, and `CONTAINS` from the other side: an element of a collection, or a part of a string.
    private func isIn(_ element: EvaluatedValue, _ container: EvaluatedValue, from expression: NSExpression) throws
        -> Bool
    {
        switch (container, element) {
        case (.collection(let collection), _):
            return Elements(collection)?.values.contains {
                ValueComparison.areEqual(EvaluatedValue($0), element, storedOptions)
            } ?? false
        case (.string(let text), .string(let part)):
            return StringComparison.contains(text, part, storedOptions)
        case (.null, _), (.string, .null):
            return false
        default:
            throw EvaluationError.notACollection(expression)
        }
    }

    private func compareTexts(_ left: EvaluatedValue, _ right: EvaluatedValue) throws -> Bool {
        guard case .string(let text) = left.asText, case .string(let pattern) = right.asText else { return false }
        switch storedOperator {
        case .beginsWith: return StringComparison.beginsWith(text, pattern, storedOptions)
        case .endsWith: return StringComparison.endsWith(text, pattern, storedOptions)
        case .like: return StringComparison.like(text, pattern, storedOptions)
        default:
            do {
                return try StringComparison.matches(text, pattern, storedOptions)
            } catch let error as PatternTooSlow {
                throw error
            } catch {
                throw EvaluationError.invalidPattern(pattern, error)
            }
        }
    }

    /// The comparison methods of `NSString`, `NSNumber` and `NSDate`, by name.
    private func compareBySelector(_ left: EvaluatedValue, _ right: EvaluatedValue) throws -> Bool {
        let selector = storedSelector ?? ""
        switch selector.description {
        case "isEqual:", "isEqualTo:", "isEqualToString:", "isEqualToNumber:", "isEqualToDate:":
            return ValueComparison.areEqual(left, right)
        case "isNotEqualTo:": return !ValueComparison.areEqual(left, right)
        case "isLessThan:": return ValueComparison.order(left, right) == .orderedAscending
        case "isLessThanOrEqualTo:": return isOrdered(left, right, not: .orderedDescending)
        case "isGreaterThan:": return ValueComparison.order(left, right) == .orderedDescending
        case "isGreaterThanOrEqualTo:": return isOrdered(left, right, not: .orderedAscending)
        case "isLike:": return text(left, right) { StringComparison.like($0, $1, []) }
        case "isCaseInsensitiveLike:":
            return text(left, right) { StringComparison.like($0, $1, .caseInsensitive) }
        case "hasPrefix:": return text(left, right) { StringComparison.beginsWith($0, $1, []) }
        case "hasSuffix:": return text(left, right) { StringComparison.endsWith($0, $1, []) }
        case "containsString:": return text(left, right) { StringComparison.contains($0, $1, []) }
        case "localizedCaseInsensitiveContainsString:":
            return text(left, right) { StringComparison.contains($0, $1, .caseInsensitive) }
        case "localizedStandardContainsString:":
            return text(left, right) {
                StringComparison.contains($0, $1, [.caseInsensitive, .diacriticInsensitive])
            }
        case "isKindOfClass:": return try ClassMembership.isMember(left, of: right, orOfSubclass: true, selector)
        case "isMemberOfClass:": return try ClassMembership.isMember(left, of: right, orOfSubclass: false, selector)
        default: throw EvaluationError.unknownComparison(selector)
        }
    }

    private func text(_ left: EvaluatedValue, _ right: EvaluatedValue, _ compare: (String, String) -> Bool) -> Bool {
        guard case .string(let left) = left, case .string(let right) = right else { return false }
        return compare(left, right)
    }
}

extension NSComparisonPredicate.Operator {
    /// Whether it is about equality or order.
    fileprivate var isRelation: Bool {
        switch self {
        case .equalTo, .notEqualTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo: return true
        default: return false
        }
    }
}

extension EvaluatedValue {
    /// Of the results of a fetch the first one, as of a subquery in SQL that stands for a value.
    fileprivate var firstResult: EvaluatedValue {
        guard case .collection(let collection) = self, let elements = Elements(collection) else { return self }
        return EvaluatedValue(elements.values.first)
    }

    /// UUIDs, URLs and numbers as text, for the string operators.
    fileprivate var asText: EvaluatedValue {
        switch self {
        case .number(let number): return .string(number.number.stringValue)
        case .uuid(let uuid): return .string(uuid.uuidString)
        case .object(let object): return (object as? URL).map { .string($0.absoluteString) } ?? self
        default: return self
        }
    }
}
