@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSCompoundPredicate
@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSPredicate

/// Writes the predicate of a partial index as Apple's framework does (all forms seen in Photos stores).
///
/// Such a condition is part of the schema, so constants stand in the text.
struct SQLitePartialIndex {
    let entity: SQLiteEntity
    let index: String

    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for a predicate that a partial index can't hold.
    func condition(_ predicate: NSPredicate) throws -> SQLFragment {
        switch predicate {
        case let comparison as NSComparisonPredicate: try condition(comparison)
        case let compound as NSCompoundPredicate: try condition(compound)
        default: throw unsupported(predicate)
        }
    }

    private func condition(_ compound: NSCompoundPredicate) throws -> SQLFragment {
        let parts = try compound.subpredicates.map(condition)
        switch compound.compoundPredicateType {
        case .and: return "(\(parts.joined(separator: " AND ")))"
        case .or: return "(\(parts.joined(separator: " OR ")))"
        case .not: return "NOT (\(parts.joined(separator: " AND ")))"
        }
    }

    private func condition(_ comparison: NSComparisonPredicate) throws -> SQLFragment {
        guard comparison.comparisonPredicateModifier == .direct, comparison.options == [],
            comparison.leftExpression.expressionType == .keyPath,
            comparison.rightExpression.expressionType == .constantValue,
            let property = entity.layout.property(named: comparison.leftExpression.keyPath),
            let column = entity.column(of: property).map({ SQLFragment.declared($0.name) })
        else { throw unsupported(comparison) }
        guard let constant = try literal(comparison.rightExpression.constantValue, in: comparison) else {
            switch comparison.predicateOperatorType {
            case .equalTo: return "\(column) IS NULL"
            case .notEqualTo: return "\(column) IS NOT NULL"
            default: throw unsupported(comparison)
            }
        }
        let sign: SQLFragment =
            switch comparison.predicateOperatorType {
            case .equalTo: "="
            case .notEqualTo: "<>"
            case .lessThan: "<"
            case .lessThanOrEqualTo: "<="
            case .greaterThan: ">"
            case .greaterThanOrEqualTo: ">="
            default: throw unsupported(comparison)
            }
        return "\(column) \(sign) \(constant)"
    }

    private func literal(_ value: Any?, in predicate: NSPredicate) throws -> SQLFragment? {
        switch value {
        case nil, is NSNull: return nil
        case let number as NSNumber:
            let double = number.doubleValue
            return double == Double(number.int64Value) ? .number(number.int64Value) : .literal(double)
        case let text as String: return .literal(text)
        case let date as Date: return .literal(date.timeIntervalSinceReferenceDate)
        default: throw unsupported(predicate)
        }
    }

    private func unsupported(_ predicate: NSPredicate) -> NSError {
        SQLiteStoreError.schema(
            "the partial index \(index) of \(entity.name) has a predicate that SQLite can't keep: \(predicate)")
    }
}
