@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSExpression

extension SQLTranslator {
    package func comparison(_ predicate: NSComparisonPredicate) throws -> SQLCondition {
        if predicate.predicateOperatorType == .customSelector {
            throw SQLQueryError.unsupported("The custom selector \(predicate.customSelector?.description ?? "")")
        }
        let left = try operand(predicate.leftExpression)
        let right = try operand(predicate.rightExpression)
        switch predicate.comparisonPredicateModifier {
        case .direct: return try compare(left, right, SQLComparison(predicate))
        case .any: return try quantified(left, right, predicate, negating: false)
        case .all: return try quantified(left, right, predicate, negating: true)
        }
    }

    /// One comparison of two operands, without a modifier.
    func compare(_ left: SQLOperand, _ right: SQLOperand, _ comparison: SQLComparison) throws -> SQLCondition {
        if case .constant(let left) = left, case .constant(let right) = right {
            return try comparison.evaluate(left, right) ? .always : .never
        }
        switch comparison.type {
        case .in: return try membership(of: left, in: right, comparison)
        case .contains:
            if case .scalar(_, .string) = left { return try stringCondition(left, right, comparison) }
            return try membership(of: right, in: left, comparison)
        case .between: return try between(left, right, comparison)
        case .beginsWith, .endsWith, .like, .matches: return try stringCondition(left, right, comparison)
        default: return try relation(left, right, comparison)
        }
    }

    private func between(_ value: SQLOperand, _ range: SQLOperand, _ comparison: SQLComparison) throws -> SQLCondition {
        let bounds: [SQLOperand]
        switch range {
        case .list(let elements): bounds = elements
        case .constant(let value):
            bounds =
                try SQLConstantCollection.elements(of: value)?.map { bound in
                    try (bound as? NSExpression).map(operand) ?? .constant(bound)
                } ?? []
        default: bounds = []
        }
        guard bounds.count == 2 else {
            throw SQLQueryError.unsupported("The comparison \(comparison)", because: "BETWEEN needs two bounds")
        }
        return .all([
            try compare(value, bounds[0], comparison.with(.greaterThanOrEqualTo)),
            try compare(value, bounds[1], comparison.with(.lessThanOrEqualTo)),
        ])
    }

    // MARK: Equality and order

    private func relation(_ left: SQLOperand, _ right: SQLOperand, _ comparison: SQLComparison) throws -> SQLCondition {
        switch (left, right) {
        case (.scalar(let value, let type), .constant(let constant)):
            return try relation(value, type, constant, comparison)
        case (.constant(let constant), .scalar(let value, let type)):
            return try relation(value, type, constant, comparison.mirrored)
        case (.scalar(let one, let oneType), .scalar(let two, let twoType)):
            return try relation(one, oneType, two, twoType, comparison)
        case (.collection(let collection), .constant(let constant)),
            (.constant(let constant), .collection(let collection)):
            return try relation(collection, constant, comparison)
        case (.collection(let collection), _), (_, .collection(let collection)):
            throw SQLQueryError.toManyNotAllowed(collection.keyPath)
        // Of a subfetch the first result counts, as of any subquery that stands for a value.
        case (.rows(let rows, let type), _):
            return try relation(.scalar("(\(rows))", type), right, comparison)
        case (_, .rows(let rows, let type)):
            return try relation(left, .scalar("(\(rows))", type), comparison)
        default:
            throw SQLQueryError.unsupported("The comparison \(comparison)", because: "a list has no order")
        }
    }

    /// `toMany == nil` and `!= nil`: whether there are no objects, or some.
    private func relation(
        _ collection: SQLCollection, _ constant: Any?, _ comparison: SQLComparison
    ) throws -> SQLCondition {
        guard case .null = SQLConstant(constant)?.binding, comparison.type == .equalTo || comparison.type == .notEqualTo
        else { throw SQLQueryError.toManyNotAllowed(collection.keyPath) }
        guard collection.path.rest.isEmpty else { throw SQLQueryError.toManyNotAllowed(collection.keyPath) }
        let found = try SQLCollectionRows(collection, seenFrom: self).exists(where: .always)
        return comparison.type == .notEqualTo ? found : found.negated
    }

    private func relation(
        _ value: SQLFragment, _ type: SQLValueType, _ constant: Any?, _ comparison: SQLComparison
    ) throws -> SQLCondition {
        if case .entityName(let entity) = type {
            return try named(value, entity) { try comparison.evaluate($0, constant) }
        }
        switch bind(constant, as: type) {
        case .null:
            switch comparison.type {
            case .equalTo: return .sql("\(value) IS NULL")
            case .notEqualTo: return .sql("\(value) IS NOT NULL")
            default: return .never
            }
        case .other:
            return comparison.ofDifferentTypes
        case .value(let binding):
            let bound = try scope.dialect.constant(binding, beside: type)
            return .sql(try comparison.sql(value, bound, type, constantSide: true, scope.dialect))
        }
    }

    private func relation(
        _ one: SQLFragment, _ oneType: SQLValueType, _ two: SQLFragment, _ twoType: SQLValueType,
        _ comparison: SQLComparison
    ) throws -> SQLCondition {
        guard oneType.isComparable(with: twoType) else {
            let bothMissing = SQLCondition.sql("\(one) IS NULL AND \(two) IS NULL")
            switch comparison.type {
            case .equalTo: return bothMissing
            case .notEqualTo: return bothMissing.negated
            default: return .never
            }
        }
        guard scope.dialect.comparesExactly(oneType, twoType) else {
            throw SQLDialect.needsOwnFunction("The comparison \(comparison)")
        }
        return .sql(try comparison.sql(one, two, oneType, constantSide: false, scope.dialect))
    }

    /// The rows whose entity's name passes a test: the entities are known, so the test is made here.
    func named(_ number: SQLFragment, _ entity: EntityLayout, passes test: (String?) throws -> Bool) throws
        -> SQLCondition
    {
        let entities = entity.model.entities[entity.index...entity.lastDescendantIndex]
        let numbers = try entities.filter { try test($0.name) }.map { try scope.schema.number(of: $0) }
        var conditions = [SQLCondition]()
        if !numbers.isEmpty {
            let list = numbers.map { SQLFragment(String($0)) }.joined(separator: ", ")
            conditions.append(.sql("\(number) IN (\(list))"))
        }
        if try test(nil) { conditions.append(.sql("\(number) IS NULL")) }
        return .any(conditions)
    }
}
