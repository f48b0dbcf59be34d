import FoundationCompat

@_exported import class FoundationCompat.NSComparisonPredicate

/// The SQL functions that compute what SQLite can't, with the very code that evaluates predicates in memory.
package enum SQLStringFunction: String, CaseIterable {
    /// `(string, string, options)`: -1, 0 or 1.
    case compare = "OCDCompare"
    /// `(string, prefix, options)`
    case beginsWith = "OCDBeginsWith"
    case endsWith = "OCDEndsWith"
    case contains = "OCDContains"
    case like = "OCDLike"
    case matches = "OCDMatches"
    /// `(value, form)`: a number, UUID or URI as string operators see it.
    case text = "OCDText"
    /// `(text)`: the value that ``SQLValueList`` packed.
    case unpack = "OCDUnpack"

    package init?(_ type: NSComparisonPredicate.Operator) {
        switch type {
        case .beginsWith: self = .beginsWith
        case .endsWith: self = .endsWith
        case .contains: self = .contains
        case .like: self = .like
        case .matches: self = .matches
        default: return nil
        }
    }
}
