/// The words with a meaning in the format language, in any case. (Apple: Predicate Format String Syntax,
/// Reserved Words.)
enum Keyword: String, CaseIterable {
    case and, or, not, any, some, all, none
    case between, `in`, beginswith, endswith, contains, like, matches
    case null, `nil`, `self`, `true`, yes, `false`, no, anykey
    case truepredicate, falsepredicate
    case subquery, function, cast, ternary, fetch
    case union, intersect, minus
    case first, last, size
    case caseinsensitive, ci

    init?(word: String) {
        // The longest keyword has this many letters.
        guard word.utf8.count <= 15 else { return nil }
        self.init(rawValue: word.lowercased())
    }

    /// Whether it is a keyword only before a parenthesis.
    var isFunction: Bool {
        switch self {
        case .subquery, .function, .cast, .ternary, .fetch: return true
        default: return false
        }
    }

    /// Whether it is a keyword only between square brackets.
    var isIndex: Bool {
        switch self {
        case .first, .last, .size: return true
        default: return false
        }
    }

    /// The comparison that the word stands for.
    var comparison: NSComparisonPredicate.Operator? {
        switch self {
        case .between: return .between
        case .in: return .in
        case .beginswith: return .beginsWith
        case .endswith: return .endsWith
        case .contains: return .contains
        case .like: return .like
        case .matches: return .matches
        default: return nil
        }
    }

    /// How many of the left side's values have to meet the comparison; `NONE` is a negated `ANY`.
    var modifier: NSComparisonPredicate.Modifier? {
        switch self {
        case .any, .some, .none: return .any
        case .all: return .all
        default: return nil
        }
    }
}
