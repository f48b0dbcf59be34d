import Foundation
import FoundationCompat

import class FoundationCompat.NSComparisonPredicate
import class FoundationCompat.NSCompoundPredicate
import class FoundationCompat.NSExpression
import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

/// Writes predicates, expressions and sort descriptors into keyed archives; the counterpart of `PredicateArchiveReader`.
///
/// Equality, order and membership operators, key paths, functions, constants and variables are as the fixtures have
/// them. Text operators, aggregates, set operations, subqueries and conditionals occur in none: their classes and
/// keys are our choice.
enum PredicateArchiveWriter {
    static func add(_ predicate: NSPredicate?, to builder: KeyedArchiveBuilder) throws -> PropertyListNode {
        guard let predicate else { return KeyedArchiveBuilder.null }
        switch predicate {
        case let compound as NSCompoundPredicate:
            return builder.add(
                className: "NSCompoundPredicate",
                fields: [
                    "NSCompoundPredicateType": .integer(Int(compound.compoundPredicateType.rawValue)),
                    "NSSubpredicates": builder.addArray(try compound.subpredicates.map { try add($0, to: builder) }),
                ])
        case let comparison as NSComparisonPredicate:
            return builder.add(
                className: "NSComparisonPredicate",
                fields: [
                    "NSLeftExpression": try add(comparison.leftExpression, to: builder),
                    "NSRightExpression": try add(comparison.rightExpression, to: builder),
                    "NSPredicateOperator": addOperator(of: comparison, to: builder),
                ])
        default:
            guard case .value(let value) = predicate.form else {
                throw ModelFileError(.unsupported, "a predicate made of a block cannot be kept in a model file")
            }
            return builder.add(className: value ? "NSTruePredicate" : "NSFalsePredicate", fields: [:])
        }
    }

    private static func addOperator(
        of comparison: NSComparisonPredicate, to builder: KeyedArchiveBuilder
    ) -> PropertyListNode {
        let type = comparison.predicateOperatorType
        let options = PropertyListNode.integer(Int(comparison.options.rawValue))
        var fields: [String: PropertyListNode] = [
            "NSOperatorType": .integer(Int(type.rawValue)),
            "NSModifier": .integer(Int(comparison.comparisonPredicateModifier.rawValue)),
        ]
        let className: String
        switch type {
        case .equalTo, .notEqualTo:
            className = "NSEqualityPredicateOperator"
            fields["NSNegate"] = .boolean(type == .notEqualTo)
            fields["NSOptions"] = options
        case .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo:
            className = "NSComparisonPredicateOperator"
            fields["NSVariant"] = .integer(Int(type.rawValue))
            fields["NSOptions"] = options
        case .in, .contains:
            className = "NSInPredicateOperator"
            fields["NSFlags"] = options
        case .like:
            className = "NSLikePredicateOperator"
            fields["NSFlags"] = options
        case .matches:
            className = "NSMatchingPredicateOperator"
            fields["NSFlags"] = options
        case .beginsWith, .endsWith:
            className = "NSSubstringPredicateOperator"
            fields["NSFlags"] = options
            fields["NSPosition"] = .integer(type == .beginsWith ? 0 : 1)
        case .between:
            className = "NSBetweenPredicateOperator"
            fields["NSOptions"] = options
        case .customSelector:
            className = "NSCustomPredicateOperator"
            fields["NSSelectorName"] = builder.add(comparison.customSelector?.description)
        }
        return builder.add(className: className, fields: fields)
    }

    static func add(_ expression: NSExpression, to builder: KeyedArchiveBuilder) throws -> PropertyListNode {
        func object(_ className: String, _ fields: [String: PropertyListNode]) -> PropertyListNode {
            var fields = fields
            fields["NSExpressionType"] = .integer(Int(expression.expressionType.rawValue))
            return builder.add(className: className, fields: fields)
        }
        switch expression.form {
        case .evaluatedObject: return object("NSSelfExpression", [:])
        case .constant(nil):
            return object("NSConstantValueExpression", ["NSConstantValueClassName": KeyedArchiveBuilder.null])
        case .constant(let value):
            let reference = try ValueArchiveWriter.add(value, to: builder)
            return object("NSConstantValueExpression", ["NSConstantValue": reference])
        case .variable(let name): return object("NSVariableExpression", ["NSVariable": builder.add(name)])
        case .keyPathSpecifier(let path):
            return object("NSKeyPathSpecifierExpression", ["NSKeyPath": builder.add(path.string)])
        case .keyPath, .function: return try addCall(expression, to: builder)
        case .aggregate(let members):
            let members = builder.addArray(try members.map { try add($0, to: builder) })
            return object("NSAggregateExpression", ["NSCollection": members])
        case .setOperation(_, let left, let right):
            let sides = (try add(left, to: builder), try add(right, to: builder))
            return object("NSSetExpression", ["NSLeftExpression": sides.0, "NSRightExpression": sides.1])
        case .subquery(let collection, let variable, let predicate):
            return object(
                "NSSubqueryExpression",
                [
                    "NSCollection": try add(collection, to: builder), "NSVariable": builder.add(variable),
                    "NSPredicate": try add(predicate, to: builder),
                ])
        case .conditional(let predicate, let yes, let no):
            return object(
                "NSTernaryExpression",
                [
                    "NSPredicate": try add(predicate, to: builder), "NSTrueExpression": try add(yes, to: builder),
                    "NSFalseExpression": try add(no, to: builder),
                ])
        case .block, .anyKey, .symbol, .assignment, .subclass:
            throw ModelFileError(.unsupported, "the expression \"\(expression)\" cannot be kept in a model file")
        }
    }

    /// A key path is a call of `valueForKeyPath:`; a built-in function is a method of the class of that name.
    private static func addCall(_ expression: NSExpression, to builder: KeyedArchiveBuilder) throws -> PropertyListNode
    {
        let isKeyPath = if case .keyPath = expression.form { true } else { false }
        let operand: PropertyListNode
        if case .function(nil, _, _) = expression.form {
            operand = builder.add(
                className: "NSConstantValueExpression",
                fields: [
                    "NSConstantValueClassName": builder.add("_NSPredicateUtilities"), "NSExpressionType": .integer(0),
                ])
        } else {
            operand = try add(expression.operand, to: builder)
        }
        let arguments = try (expression.arguments ?? []).map { try add($0, to: builder) }
        return builder.add(
            className: isKeyPath ? "NSKeyPathExpression" : "NSFunctionExpression",
            fields: [
                "NSOperand": operand,
                "NSSelectorName": builder.add(expression.function),
                "NSExpressionType": .integer(Int(expression.expressionType.rawValue)),
                "NSArguments": builder.addArray(arguments, className: "NSMutableArray"),
            ])
    }

    static func add(_ descriptor: NSSortDescriptor, to builder: KeyedArchiveBuilder) throws -> PropertyListNode {
        guard let selector = descriptor.selector else {
            throw ModelFileError(.unsupported, "a sort descriptor made of a block cannot be kept in a model file")
        }
        return builder.add(
            className: "NSSortDescriptor",
            fields: [
                "NSKey": builder.add(descriptor.key), "NSAscending": .boolean(descriptor.ascending),
                "NSSelector": builder.add(selector.description), "NSReverseNullOrder": .boolean(false),
            ])
    }
}
