@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSCompoundPredicate
@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSPredicate

/// Narrows a fetch down to the rows in a box of an R-tree before the predicate itself looks at them.
///
/// An R-tree holds numbers rounded outwards to 32 bits, so its answer has every row that the predicate selects, and maybe a
/// few more (https://sqlite.org/rtree.html, "Roundoff Error").
package struct SQLRTreeRestriction {
    private let translator: SQLTranslator
    private let entity: EntityLayout
    /// By column, what the values of the selected rows are bounded by.
    private var bounds: [String: Bounds] = [:]
    /// The indexes that the predicate asks for with `indexed:by:`.
    private var named: Set<String> = []

    private struct Bounds {
        var lower: [SQLBinding] = []
        var upper: [SQLBinding] = []
    }

    /// A condition that every row meets which the predicate selects; none where no R-tree helps.
    ///
    /// A tree serves where the predicate bounds all of its attributes from both sides, or asks for it by name.
    package static func condition(
        _ predicate: NSPredicate, _ translator: SQLTranslator, _ schema: SQLiteSchema
    ) throws -> SQLCondition {
        let trees = schema.rTrees(for: translator.scope.entity)
        guard !trees.isEmpty else { return .always }
        var restriction = SQLRTreeRestriction(translator: translator, entity: translator.scope.entity)
        try restriction.collect(predicate)
        return trees.lazy.compactMap { restriction.condition($0) }.first ?? .always
    }

    private init(translator: SQLTranslator, entity: EntityLayout) {
        self.translator = translator
        self.entity = entity
    }

    private func condition(_ tree: SQLiteRTree) -> SQLCondition? {
        let isBox = tree.columns.allSatisfy { column in
            bounds[column].map { !$0.lower.isEmpty && !$0.upper.isEmpty } ?? false
        }
        guard isBox || named.contains(tree.index) else { return nil }
        let sides = tree.columns.flatMap { column -> [SQLFragment] in
            let bounds = bounds[column] ?? Bounds()
            return bounds.lower.map { "\(.name(column + "_MAX")) >= \(bind: $0)" }
                + bounds.upper.map { "\(.name(column + "_MIN")) <= \(bind: $0)" }
        }
        guard !sides.isEmpty else { return nil }
        return .sql(
            """
            \(translator.scope.primaryKey) IN \
            (SELECT \(.key) FROM \(.name(tree.name)) WHERE \(sides.joined(separator: " AND ")))
            """)
    }

    // MARK: What the predicate says

    /// Takes in what holds for all selected rows.
    private mutating func collect(_ predicate: NSPredicate) throws {
        switch predicate {
        case let compound as NSCompoundPredicate where compound.compoundPredicateType == .and:
            for part in compound.subpredicates { try collect(part) }
        case let comparison as NSComparisonPredicate where comparison.comparisonPredicateModifier == .direct:
            try collect(comparison)
        default: break
        }
    }

    private mutating func collect(_ comparison: NSComparisonPredicate) throws {
        var (indexed, other) = (comparison.leftExpression, comparison.rightExpression)
        var type = comparison.predicateOperatorType
        if !other.isConstant {
            (indexed, other) = (other, indexed)
            type = SQLComparison(comparison).mirrored.type
            guard type != .between else { return }
        }
        guard other.isConstant, let column = column(of: indexed),
            case .constant(let value) = try translator.operand(other)
        else { return }
        var found = bounds[column] ?? Bounds()
        switch type {
        case .between:
            let elements = SQLConstantCollection.elements(of: value) ?? []
            guard elements.count == 2, let lower = Self.number(elements[0]), let upper = Self.number(elements[1]) else {
                return
            }
            found.lower.append(lower)
            found.upper.append(upper)
        case .equalTo, .greaterThan, .greaterThanOrEqualTo, .lessThan, .lessThanOrEqualTo:
            guard let number = Self.number(value) else { return }
            if type != .lessThan, type != .lessThanOrEqualTo { found.lower.append(number) }
            if type != .greaterThan, type != .greaterThanOrEqualTo { found.upper.append(number) }
        default: return
        }
        bounds[column] = found
    }

    /// The column of an own attribute; a hint before it is taken down.
    private mutating func column(of expression: NSExpression) -> String? {
        if case .function(nil, BuiltInFunction.indexed.rawValue, let arguments) = expression.form, arguments.count == 2
        {
            if case .constant(let name as String) = arguments[1].form { named.insert(name) }
            return column(of: arguments[0])
        }
        guard case .keyPath(let operand, let path) = expression.form else { return nil }
        if let operand, case .evaluatedObject = operand.form {} else if operand != nil { return nil }
        let keys = path.keys.drop { $0 == "self" || $0 == "SELF" }
        guard keys.count == 1, let property = keys.first.flatMap(entity.property(named:)), property.kind.isOrderedNumber
        else { return nil }
        // Without a column there is only no index to use.
        return try? translator.scope.schema.column(of: property)
    }

    private static func number(_ value: Any?) -> SQLBinding? {
        switch SQLConstant(value)?.binding {
        case .int(let value): return .int(value)
        case .double(let value) where !value.isNaN: return .double(value)
        default: return nil
        }
    }
}

extension PropertyKind {
    /// Whether rows hold values of the kind as numbers, in the order of the values.
    fileprivate var isOrderedNumber: Bool {
        switch self {
        case .int16, .int32, .int64, .bool, .double, .float, .decimal, .date: return true
        default: return false
        }
    }
}
