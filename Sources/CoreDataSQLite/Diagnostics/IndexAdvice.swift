@_spi(Engine) import CoreDataRows
import CoreDataSQL
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSCompoundPredicate
@_exported import class FoundationCompat.NSPredicate

/// Finds the attributes whose index would have saved a fetch from looking through a table.
enum IndexAdvice {
    /// Tables with fewer rows are read quickly enough.
    static let bigTable = 10_000

    /// What to say of a fetch, if anything: it went through many rows for few results.
    static func diagnostic(_ fetch: StoreFetch, scannedRows: Int, resultCount: Int) -> FetchDiagnostic? {
        guard scannedRows >= bigTable, resultCount < scannedRows / 10, let predicate = fetch.predicate else {
            return nil
        }
        let attributes = comparedAttributes(predicate, of: fetch.entity)
        guard !attributes.isEmpty, attributes.allSatisfy({ !isIndexed($0, of: fetch.entity) }) else { return nil }
        return FetchDiagnostic(
            entityName: fetch.entity.name, cause: .scannedTable(attributes: attributes, rowCount: scannedRows))
    }

    /// The attributes that all results are restricted by, in a way that an index by bytes can follow.
    private static func comparedAttributes(_ predicate: NSPredicate, of entity: EntityLayout) -> [String] {
        switch predicate {
        case let compound as NSCompoundPredicate where compound.compoundPredicateType == .and:
            return compound.subpredicates.flatMap { comparedAttributes($0, of: entity) }.uniqued()
        case let comparison as NSComparisonPredicate:
            guard comparison.comparisonPredicateModifier == .direct, SQLComparison(comparison).isBinary,
                [
                    .equalTo, .lessThan, .lessThanOrEqualTo, .greaterThan, .greaterThanOrEqualTo, .between, .in,
                    .beginsWith,
                ]
                .contains(comparison.predicateOperatorType)
            else { return [] }
            return [comparison.leftExpression, comparison.rightExpression].compactMap { attribute($0, of: entity) }
        default: return []
        }
    }

    private static func attribute(_ expression: NSExpression, of entity: EntityLayout) -> String? {
        guard expression.expressionType == .keyPath, let property = entity.property(named: expression.keyPath),
            property.attribute != nil, !property.isTransient, property.kind != .composite
        else { return nil }
        return property.name
    }

    private static func isIndexed(_ attribute: String, of entity: EntityLayout) -> Bool {
        var layout: EntityLayout? = entity
        while let current = layout {
            let indexes = FetchIndex.all(of: current.entity)
            if indexes.contains(where: { $0.elements.first?.propertyName == attribute }) { return true }
            if current.entity.uniquenessConstraintNames.contains(where: { $0.first == attribute }) { return true }
            layout = current.superlayout
        }
        return false
    }
}
