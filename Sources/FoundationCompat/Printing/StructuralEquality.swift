import Foundation

/// Equality and hashing of predicates and expressions by what they say.
enum StructuralEquality {
    // MARK: Predicates

    /// A compound without what doesn't change its meaning.
    private static func simplified(_ predicate: NSPredicate) -> NSPredicate {
        guard type(of: predicate) == NSCompoundPredicate.self, let compound = predicate as? NSCompoundPredicate,
            compound.compoundPredicateType != .not
        else { return predicate }
        switch compound.subpredicates.count {
        case 0: return NSPredicate(value: compound.compoundPredicateType == .and)
        case 1: return simplified(compound.subpredicates[0])
        default: return compound
        }
    }

    static func areEqual(_ left: NSPredicate, _ right: NSPredicate) -> Bool {
        if left === right { return true }
        switch (simplified(left), simplified(right)) {
        case (let left as NSComparisonPredicate, let right as NSComparisonPredicate):
            return left.predicateOperatorType == right.predicateOperatorType
                && left.comparisonPredicateModifier == right.comparisonPredicateModifier
                && left.options == right.options && left.customSelector == right.customSelector
                && left.leftExpression.isEqual(right.leftExpression)
                && left.rightExpression.isEqual(right.rightExpression)
        case (let left as NSCompoundPredicate, let right as NSCompoundPredicate):
            return left.compoundPredicateType == right.compoundPredicateType
                && left.subpredicates.count == right.subpredicates.count
                && zip(left.subpredicates, right.subpredicates).allSatisfy { $0.isEqual($1) }
        case (let left, let right):
            if case .value(let left) = left.form, case .value(let right) = right.form { return left == right }
            return left === right
        }
    }

    static func hash(_ predicate: NSPredicate, into hasher: inout Hasher) {
        switch simplified(predicate) {
        case let comparison as NSComparisonPredicate:
            hasher.combine(comparison.predicateOperatorType)
            hasher.combine(comparison.leftExpression.hash)
            hasher.combine(comparison.rightExpression.hash)
        case let compound as NSCompoundPredicate:
            hasher.combine(compound.compoundPredicateType)
            for subpredicate in compound.subpredicates {
                hasher.combine(subpredicate.hash)
            }
        case let simple:
            if case .value(let value) = simple.form {
                hasher.combine(value)
            } else {
                hasher.combine(ObjectIdentifier(simple))
            }
        }
    }

    // MARK: Expressions

    static func areEqual(_ left: NSExpression, _ right: NSExpression) -> Bool {
        if left === right { return true }
        let (left, right) = (CastTarget.simplified(left), CastTarget.simplified(right))
        if let left = elements(left), let right = elements(right) {
            return areEqual(left, right)
        }
        switch (left.form, right.form) {
        case (.constant(let left), .constant(let right)):
            return areEqualConstants(left, right)
        case (.evaluatedObject, .evaluatedObject), (.anyKey, .anyKey): return true
        case (.variable(let left), .variable(let right)): return left == right
        case (.keyPath(let left, let leftPath), .keyPath(let right, let rightPath)):
            return leftPath.keys == rightPath.keys && areEqual(left, right)
        case (.keyPathSpecifier(let left), .keyPathSpecifier(let right)): return left == right
        case (.function(let left, let leftName, let leftArguments), .function(let right, let name, let arguments)):
            return leftName == name && areEqual(left, right) && areEqual(leftArguments, arguments)
        case (.setOperation(let left, let leftFirst, let leftSecond), .setOperation(let right, let first, let second)):
            return left == right && leftFirst.isEqual(first) && leftSecond.isEqual(second)
        case (
            .subquery(let left, let leftVariable, let leftPredicate), .subquery(let right, let variable, let predicate)
        ):
            return left.isEqual(right) && leftVariable == variable && leftPredicate.isEqual(predicate)
        case (.conditional(let left, let leftFirst, let leftSecond), .conditional(let right, let first, let second)):
            return left.isEqual(right) && leftFirst.isEqual(first) && leftSecond.isEqual(second)
        case (.symbol(let left), .symbol(let right)): return left == right
        case (.assignment(let leftVariable, let left), .assignment(let variable, let right)):
            return leftVariable == variable && left.isEqual(right)
        default: return false
        }
    }

    private static func areEqual(_ left: NSExpression?, _ right: NSExpression?) -> Bool {
        guard let left, let right else { return left == nil && right == nil }
        return left.isEqual(right)
    }

    private static func areEqual(_ left: [NSExpression], _ right: [NSExpression]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.isEqual($1) }
    }

    /// By text where there is no equality, as for numbers that aren't any.
    private static func areEqualConstants(_ left: Any?, _ right: Any?) -> Bool {
        let (leftValue, rightValue) = (EvaluatedValue(left), EvaluatedValue(right))
        if ValueComparison.areEqual(leftValue, rightValue) { return true }
        guard case .number = leftValue, case .number = rightValue else { return false }
        return ValueIdentity.key(leftValue) == ValueIdentity.key(rightValue)
    }

    /// The elements of an aggregate or of a constant array.
    private static func elements(_ expression: NSExpression) -> [NSExpression]? {
        switch expression.form {
        case .aggregate(let elements):
            return elements
        case .constant(let value?):
            guard case .collection(let collection) = EvaluatedValue(value), let elements = Elements(collection),
                elements.kind == .array
            else { return nil }
            return elements.values.map { instance($0, of: NSExpression.self) ?? NSExpression(forConstantValue: $0) }
        default:
            return nil
        }
    }

    static func hash(_ original: NSExpression, into hasher: inout Hasher) {
        let expression = CastTarget.simplified(original)
        if let elements = elements(expression) {
            for element in elements {
                hash(element, into: &hasher)
            }
            return
        }
        switch expression.form {
        case .constant(let value): hasher.combine(ValueIdentity.key(value))
        case .variable(let name): hasher.combine(name)
        case .keyPath(_, let path), .keyPathSpecifier(let path): hasher.combine(path.keys)
        case .function(_, let name, let arguments):
            hasher.combine(name)
            for argument in arguments {
                hash(argument, into: &hasher)
            }
        case .setOperation(let operation, let left, let right):
            hasher.combine(operation)
            hash(left, into: &hasher)
            hash(right, into: &hasher)
        case .subquery(let collection, _, let predicate):
            hash(collection, into: &hasher)
            hash(predicate, into: &hasher)
        case .conditional(let predicate, let first, let second):
            hash(predicate, into: &hasher)
            hash(first, into: &hasher)
            hash(second, into: &hasher)
        case .symbol(let symbol): hasher.combine(symbol)
        case .assignment(let variable, let value):
            hasher.combine(variable)
            hash(value, into: &hasher)
        case .evaluatedObject, .anyKey, .aggregate: hasher.combine(expression.expressionType)
        case .block, .subclass: hasher.combine(ObjectIdentifier(expression))
        }
    }
}
