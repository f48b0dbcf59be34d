import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSExpression

/// The operator of a comparison with its options, apart from its operands.
package struct SQLComparison: CustomStringConvertible {
    package let type: NSComparisonPredicate.Operator
    package let options: NSComparisonPredicate.Options
    private let predicate: NSComparisonPredicate

    package init(_ predicate: NSComparisonPredicate) {
        self.init(type: predicate.predicateOperatorType, predicate)
    }

    private init(type: NSComparisonPredicate.Operator, _ predicate: NSComparisonPredicate) {
        self.type = type
        options = predicate.options
        self.predicate = predicate
    }

    /// The predicate as it was written, for messages. Only made when it is asked for: it may list thousands of values.
    package var description: String { predicate.predicateFormat }

    /// The same comparison with another operator.
    package func with(_ type: NSComparisonPredicate.Operator) -> SQLComparison { SQLComparison(type: type, predicate) }

    /// The comparison that says the same when its operands are exchanged.
    package var mirrored: SQLComparison {
        switch type {
        case .lessThan: return with(.greaterThan)
        case .lessThanOrEqualTo: return with(.greaterThanOrEqualTo)
        case .greaterThan: return with(.lessThan)
        case .greaterThanOrEqualTo: return with(.lessThanOrEqualTo)
        default: return self
        }
    }

    /// What evaluation in memory says about two values.
    package func evaluate(_ left: Any?, _ right: Any?) throws -> Bool {
        let predicate = NSComparisonPredicate(
            leftExpression: NSExpression(forConstantValue: left),
            rightExpression: NSExpression(forConstantValue: right),
            modifier: .direct, type: type, options: options)
        do {
            return try predicate.checkedEvaluate(with: nil)
        } catch {
            throw SQLQueryError.make("the comparison \(description) has no result: \(error)")
        }
    }

    /// Whether strings compare byte for byte, so that SQLite's own operators and indexes serve.
    ///
    /// `[n]` switches `[c]` and `[d]` off.
    package var isBinary: Bool {
        !options.contains(.localeSensitive) && (options.isEmpty || options.contains(.normalized))
    }

    /// The options as an argument of our SQL functions.
    var optionsArgument: SQLFragment { SQLFragment(String(options.rawValue)) }

    private var sqlOperator: String? {
        switch type {
        case .lessThan: return "<"
        case .lessThanOrEqualTo: return "<="
        case .greaterThan: return ">"
        case .greaterThanOrEqualTo: return ">="
        case .equalTo: return "="
        case .notEqualTo: return "<>"
        default: return nil
        }
    }

    /// Equality or order of two values of comparable types, as a condition.
    ///
    /// - Parameter constantSide: whether one of the values is certainly not null.
    package func sql(
        _ left: SQLFragment, _ right: SQLFragment, _ valueType: SQLValueType, constantSide: Bool, _ dialect: SQLDialect
    )
        throws -> SQLFragment
    {
        guard let sqlOperator else { throw SQLQueryError.unsupported("The comparison \(self)") }
        if !dialect.runsOwnFunctions, needsOwnFunction(valueType) {
            throw SQLDialect.needsOwnFunction("The comparison \(self)")
        }
        let isEquality = type == .equalTo || type == .notEqualTo
        switch valueType {
        case .string where !isBinary:
            return stringSQL(left, right, sqlOperator, constantSide: constantSide)
        case .transformable(let property) where isEquality:
            let equal = SQLArchiveEquality.sql(left, right, property)
            let isEqual: SQLFragment = constantSide ? equal : "(\(equal) OR (\(left) IS NULL AND \(right) IS NULL))"
            return type == .equalTo ? isEqual : "(\(isEqual)) IS NOT TRUE"
        case .transformable, .object, .entity, .entityName:
            guard isEquality else {
                throw SQLQueryError.unsupported(
                    "The comparison \(self)", because: "\(valueType.description) has no order")
            }
        default: break
        }
        // Two missing values are equal, and a missing one differs from any other.
        switch type {
        case .equalTo: return constantSide ? "\(left) = \(right)" : dialect.same(left, right)
        case .notEqualTo: return dialect.different(left, right)
        default: break
        }
        if constantSide, type == .greaterThan || type == .greaterThanOrEqualTo,
            let condition = dialect.greaterNumber(left, valueType)
        {
            return "\(left) \(raw: sqlOperator) \(right) AND \(condition)"
        }
        return "\(left) \(raw: sqlOperator) \(right)"
    }

    private func needsOwnFunction(_ valueType: SQLValueType) -> Bool {
        switch valueType {
        case .string: return !isBinary
        case .transformable: return true
        default: return false
        }
    }

    /// What a comparison says of a value and one of another kind: they are never equal, and have no order.
    var ofDifferentTypes: SQLCondition {
        type == .notEqualTo ? .always : .never
    }
}
