/// A condition of a `WHERE` clause in which a null result counts as false, with what is known about it beforehand.
///
/// Predicates know two values, SQL three. Each condition is read as "is true"; ``negated`` therefore turns both false and
/// null into true, so that `NOT (age > 5)` holds for a row without an age, as it does in memory.
package enum SQLCondition: Hashable {
    case always
    case never
    case sql(SQLFragment)

    package var negated: SQLCondition {
        switch self {
        case .always: return .never
        case .never: return .always
        case .sql(let fragment): return .sql("(\(fragment)) IS NOT TRUE")
        }
    }

    /// The condition as SQL.
    package var fragment: SQLFragment {
        switch self {
        case .always: return "1"
        case .never: return "0"
        case .sql(let fragment): return fragment
        }
    }

    package static func all(_ conditions: [SQLCondition]) -> SQLCondition {
        if conditions.contains(.never) { return .never }
        return combined(conditions.filter { $0 != .always }, with: " AND ", empty: .always)
    }

    package static func any(_ conditions: [SQLCondition]) -> SQLCondition {
        if conditions.contains(.always) { return .always }
        return combined(conditions.filter { $0 != .never }, with: " OR ", empty: .never)
    }

    private static func combined(
        _ conditions: [SQLCondition], with separator: String, empty: SQLCondition
    ) -> SQLCondition {
        switch conditions.count {
        case 0: return empty
        case 1: return conditions[0]
        default: return .sql(balanced(conditions.map { "(\($0.fragment))" }[...], separator: separator))
        }
    }

    /// Joins in a tree of small depth: SQLite reads a chain of a thousand `OR`s as a tree a thousand levels deep and
    /// refuses it (https://sqlite.org/limits.html, "Maximum Depth Of An Expression Tree").
    private static func balanced(_ fragments: ArraySlice<SQLFragment>, separator: String) -> SQLFragment {
        let widest = 64
        guard fragments.count > widest else { return fragments.joined(separator: separator) }
        let middle = fragments.startIndex + fragments.count / 2
        let left = balanced(fragments[..<middle], separator: separator)
        let right = balanced(fragments[middle...], separator: separator)
        return "(\(left))\(raw: separator)(\(right))"
    }
}
