@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSCompoundPredicate
@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSPredicate

/// The predicate of an index over a part of the rows, as it stands in the index's definition: comparisons of the entity's own
/// attributes with constants.
struct PostgreSQLPartialIndex {
    let entity: PostgreSQLEntity
    let dialect: SQLDialect

    /// Nil for a predicate that says more; the index is over all rows then.
    func condition(_ predicate: NSPredicate) -> SQLFragment? {
        switch predicate {
        case let comparison as NSComparisonPredicate: return condition(comparison)
        case let compound as NSCompoundPredicate:
            let parts = compound.subpredicates.compactMap(condition)
            guard parts.count == compound.subpredicates.count, !parts.isEmpty else { return nil }
            switch compound.compoundPredicateType {
            case .and: return "(\(parts.joined(separator: " AND ")))"
            case .or: return "(\(parts.joined(separator: " OR ")))"
            case .not: return parts.count == 1 ? "(\(parts[0])) IS NOT TRUE" : nil
            }
        default: return nil
        }
    }

    private func condition(_ comparison: NSComparisonPredicate) -> SQLFragment? {
        guard comparison.comparisonPredicateModifier == .direct, comparison.options == [],
            comparison.leftExpression.expressionType == .keyPath,
            comparison.rightExpression.expressionType == .constantValue,
            let property = entity.layout.property(named: comparison.leftExpression.keyPath),
            let column = entity.columns[property.rowSlot]
        else { return nil }
        // As fetches compare it.
        let value = dialect.value(.quoted(column.name), of: property.kind)
        switch (comparison.predicateOperatorType, comparison.rightExpression.constantValue) {
        case (.equalTo, nil), (.equalTo, is NSNull): return "\(value) IS NULL"
        case (.notEqualTo, nil), (.notEqualTo, is NSNull): return "\(value) IS NOT NULL"
        case (let type, let constant):
            guard let sign = Self.sign(type), let literal = Self.literal(constant, property.kind) else { return nil }
            // What is missing differs from every value.
            return type == .notEqualTo ? "\(value) IS DISTINCT FROM \(literal)" : "\(value) \(sign) \(literal)"
        }
    }

    private static func sign(_ type: NSComparisonPredicate.Operator) -> SQLFragment? {
        switch type {
        case .equalTo: "="
        case .notEqualTo: "<>"
        case .lessThan: "<"
        case .lessThanOrEqualTo: "<="
        case .greaterThan: ">"
        case .greaterThanOrEqualTo: ">="
        default: nil
        }
    }

    private static func literal(_ value: Any?, _ kind: PropertyKind) -> SQLFragment? {
        switch (value, kind) {
        case (let number as NSNumber, .int16), (let number as NSNumber, .int32), (let number as NSNumber, .int64),
            (let number as NSNumber, .bool):
            Int64(exactly: number.doubleValue) == number.int64Value ? .number(number.int64Value) : nil
        case (let number as NSNumber, .double), (let number as NSNumber, .float):
            number.doubleValue.isFinite ? double(number.doubleValue) : nil
        case (let text as String, .string): text.utf8.contains(0) ? nil : .constant(text)
        case (let date as Date, .date): double(date.timeIntervalSinceReferenceDate)
        default: nil
        }
    }

    private static func double(_ value: Double) -> SQLFragment {
        "CAST(\(.constant(value.description)) AS double precision)"
    }
}
