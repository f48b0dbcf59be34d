import Foundation
import FoundationCompat

import class FoundationCompat.NSComparisonPredicate
import class FoundationCompat.NSCompoundPredicate
import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

/// Decodes predicates, expressions and sort descriptors from keyed archives.
enum PredicateArchiveReader {
    /// Deeper predicates are refused, so that neither decoding nor evaluating them overflows the stack.
    private static let maximumDepth = 200

    static func predicate(_ object: ArchivedObject, depth: Int = 0) throws -> NSPredicate {
        try checkDepth(object, depth)
        switch object.className {
        case "NSTruePredicate": return NSPredicate(value: true)
        case "NSFalsePredicate": return NSPredicate(value: false)
        case "NSCompoundPredicate":
            let kind = try object.integer("NSCompoundPredicateType")
            guard kind >= 0, let type = NSCompoundPredicate.LogicalType(rawValue: UInt(kind)) else {
                throw object.mismatch("NSCompoundPredicateType", "and, or or not")
            }
            let parts = try object.objects("NSSubpredicates").map { try predicate($0, depth: depth + 1) }
            guard type != .not || parts.count == 1 else { throw object.mismatch("NSSubpredicates", "one predicate") }
            return NSCompoundPredicate(type: type, subpredicates: parts)
        case "NSComparisonPredicate": return try comparison(object, depth: depth)
        default: throw ModelFileError(.unsupported, "a predicate has the unknown class \(object.className)")
        }
    }

    private static func comparison(_ object: ArchivedObject, depth: Int) throws -> NSPredicate {
        guard let left = try object.object("NSLeftExpression"), let right = try object.object("NSRightExpression"),
            let predicateOperator = try object.object("NSPredicateOperator")
        else { throw object.mismatch("NSPredicateOperator", "an operator with two sides") }
        let type = try predicateOperator.integer("NSOperatorType")
        let modifier = try predicateOperator.integer("NSModifier")
        guard type >= 0, let type = NSComparisonPredicate.Operator(rawValue: UInt(type)),
            modifier >= 0, let modifier = NSComparisonPredicate.Modifier(rawValue: UInt(modifier))
        else { throw predicateOperator.mismatch("NSOperatorType", "a known operator") }
        // String operators keep their options under the second name.
        let optionsKey = predicateOperator.has("NSOptions") ? "NSOptions" : "NSFlags"
        let options = UInt(truncatingIfNeeded: try predicateOperator.integer(optionsKey))
        let sides = (try expression(left, depth: depth + 1), try expression(right, depth: depth + 1))
        if type == .customSelector {
            let selector = Selector(try predicateOperator.requiredString("NSSelectorName"))
            return NSComparisonPredicate(
                leftExpression: sides.0, rightExpression: sides.1, customSelector: selector)
        }
        return NSComparisonPredicate(
            leftExpression: sides.0, rightExpression: sides.1, modifier: modifier, type: type,
            options: NSComparisonPredicate.Options(rawValue: options))
    }

    static func expression(_ object: ArchivedObject, depth: Int = 0) throws -> NSExpression {
        try checkDepth(object, depth)
        func part(_ key: String) throws -> NSExpression {
            guard let part = try object.object(key) else { throw object.mismatch(key, "an expression") }
            return try expression(part, depth: depth + 1)
        }
        switch object.className {
        case "NSSelfExpression": return NSExpression.expressionForEvaluatedObject()
        case "NSConstantValueExpression":
            let key = object.has("NSConstantValue") ? "NSConstantValue" : "NSConstantValueClassName"
            return NSExpression(forConstantValue: try object.value(key))
        case "NSVariableExpression": return NSExpression(forVariable: try object.requiredString("NSVariable"))
        case "NSKeyPathSpecifierExpression": return NSExpression(forKeyPath: try object.requiredString("NSKeyPath"))
        case "NSKeyPathExpression": return try keyPath(object, depth: depth)
        case "NSFunctionExpression": return try function(object, depth: depth)
        case "NSAggregateExpression":
            return NSExpression(
                forAggregate: try object.objects("NSCollection").map { try expression($0, depth: depth + 1) })
        case "NSSetExpression":
            let (left, right) = (try part("NSLeftExpression"), try part("NSRightExpression"))
            switch try object.integer("NSExpressionType") {
            case 5: return NSExpression(forUnionSet: left, with: right)
            case 6: return NSExpression(forIntersectSet: left, with: right)
            case 7: return NSExpression(forMinusSet: left, with: right)
            default: throw object.mismatch("NSExpressionType", "a set operation")
            }
        case "NSSubqueryExpression":
            return NSExpression(
                forSubquery: try part("NSCollection"), usingIteratorVariable: try object.requiredString("NSVariable"),
                predicate: try subpredicate(object, depth: depth))
        case "NSTernaryExpression":
            return NSExpression(
                forConditional: try subpredicate(object, depth: depth), trueExpression: try part("NSTrueExpression"),
                falseExpression: try part("NSFalseExpression"))
        default: throw ModelFileError(.unsupported, "an expression has the unknown class \(object.className)")
        }
    }

    private static func subpredicate(_ object: ArchivedObject, depth: Int) throws -> NSPredicate {
        guard let part = try object.object("NSPredicate") else { throw object.mismatch("NSPredicate", "a predicate") }
        return try predicate(part, depth: depth + 1)
    }

    /// A key path is archived as a call of `valueForKeyPath:` whose operand is `SELF` or a variable.
    private static func keyPath(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        guard let operand = try object.object("NSOperand"), let argument = try object.objects("NSArguments").first
        else {
            throw object.mismatch("NSArguments", "a key path")
        }
        let path =
            argument.className == "NSConstantValueExpression"
            ? try argument.requiredString("NSConstantValue") : try argument.requiredString("NSKeyPath")
        if operand.className == "NSSelfExpression" { return NSExpression(forKeyPath: path) }
        return NSExpression(
            form: .keyPath(operand: try expression(operand, depth: depth + 1), ParsedKeyPath(path)))
    }

    private static func function(_ object: ArchivedObject, depth: Int) throws -> NSExpression {
        let name = try object.requiredString("NSSelectorName")
        let arguments = try object.objects("NSArguments").map { try expression($0, depth: depth + 1) }
        guard let operand = try object.object("NSOperand") else { throw object.mismatch("NSOperand", "an expression") }
        let target = try expression(operand, depth: depth + 1)
        if case .constant(let value as String) = target.form, value == "_NSPredicateUtilities" {
            return NSExpression(form: .function(operand: nil, name: name, arguments: arguments))
        }
        return NSExpression(form: .function(operand: target, name: name, arguments: arguments))
    }

    static func sortDescriptor(_ object: ArchivedObject) throws -> NSSortDescriptor {
        guard object.className == "NSSortDescriptor" else {
            throw ModelFileError(.unsupported, "a sort descriptor has the unknown class \(object.className)")
        }
        return NSSortDescriptor(
            key: try object.string("NSKey"), ascending: try object.boolean("NSAscending", default: true),
            selector: try object.string("NSSelector").map { Selector($0) })
    }

    private static func checkDepth(_ object: ArchivedObject, _ depth: Int) throws {
        object.archive.remainingValues -= 1
        guard depth <= maximumDepth, object.archive.remainingValues >= 0 else {
            throw ModelFileError(.tooLarge, "a predicate is nested too deep, or contains itself")
        }
    }
}
