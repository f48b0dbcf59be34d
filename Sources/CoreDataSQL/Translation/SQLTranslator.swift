@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSComparisonPredicate
@_exported import class FoundationCompat.NSCompoundPredicate
@_exported import class FoundationCompat.NSPredicate

/// Turns predicates and expressions into SQL over one scope. Pure: nothing is read from a store.
///
/// The rule for every translation is that SQL selects exactly the rows for which evaluating the predicate on the objects
/// in memory gives true; what can't be said in SQL is thrown, naming the part.
package struct SQLTranslator {
    package let scope: SQLScope
    /// The scopes of the `SUBQUERY` variables around, by name.
    package var variables: [String: SQLScope] = [:]
    /// What names stand for besides properties: the columns of dictionary results, for sorting and `HAVING`.
    var namedOperands: [String: SQLOperand] = [:]
    /// Whether a name stands for what ``namedOperands`` has under it even where there is a property of that name.
    package var prefersNames = false
    /// Whether `sum:` and its kind may be applied to the rows of a group.
    var allowsGroupAggregates = false
    package let coder: SQLObjectGraph
    /// The entities below their own that objects are known to be of, by the path that leads to them (see ``EntityCast``).
    var casts: [[String]: EntityLayout] = [:]
    /// How deep the predicate is nested here.
    package private(set) var depth = 0

    /// SQLite's parser has room for about a hundred open parentheses.
    private static let deepestNesting = 60

    package init(scope: SQLScope, coder: SQLObjectGraph) {
        self.scope = scope
        self.coder = coder
    }

    /// A translator for the rows of another scope, seen from inside this one.
    func entering(_ inner: SQLScope) -> SQLTranslator {
        var translator = SQLTranslator(scope: inner, coder: coder)
        translator.variables = variables
        translator.depth = depth
        return translator
    }

    /// A translator for this scope's rows in which a variable stands for the rows of another one.
    package func binding(_ variable: String, to inner: SQLScope) -> SQLTranslator {
        var translator = self
        translator.variables[variable] = inner
        return translator
    }

    package func deeper() throws -> SQLTranslator {
        guard depth < Self.deepestNesting else {
            throw SQLQueryError.unsupported("A predicate nested more than \(Self.deepestNesting) levels deep")
        }
        var translator = self
        translator.depth += 1
        return translator
    }

    /// The condition that selects the rows for which the predicate is true.
    package func condition(_ predicate: NSPredicate) throws -> SQLCondition {
        switch predicate {
        case let compound as NSCompoundPredicate: return try deeper().compound(compound)
        case let comparison as NSComparisonPredicate: return try deeper().comparison(comparison)
        default: break
        }
        switch predicate.form {
        case .value(let value): return value ? .always : .never
        case .block: throw SQLQueryError.unsupported("A block predicate")
        case .subclass: throw SQLQueryError.unsupported("A predicate of the class \(type(of: predicate))")
        }
    }

    private func compound(_ predicate: NSCompoundPredicate) throws -> SQLCondition {
        let conditions = try predicate.subpredicates.map { try condition($0) }
        switch predicate.compoundPredicateType {
        case .and: return .all(conditions)
        case .or: return .any(conditions)
        case .not: return SQLCondition.all(conditions).negated
        }
    }
}
