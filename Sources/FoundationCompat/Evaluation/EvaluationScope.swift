import Foundation

/// What expressions see besides the evaluated object.
package struct EvaluationScope {
    /// The values of the variables, by name without `$`.
    package var bindings: [String: Any]?
    /// What happens at keys that an object doesn't define.
    package let strictness: KeyValueAccess.Strictness
    /// Handed to blocks and to subclasses of `NSExpression`.
    package let context: NSMutableDictionary?

    package init(
        bindings: [String: Any]?, strictness: KeyValueAccess.Strictness = .objectDecides,
        context: NSMutableDictionary? = nil
    ) {
        self.bindings = bindings
        self.strictness = strictness
        self.context = context
    }
}

/// Why a predicate or an expression has no value.
package enum EvaluationError: Error, CustomStringConvertible {
    case missingVariable(String)
    case notBounds(NSExpression)
    case notACollection(NSExpression)
    case unknownComparison(Selector)
    case invalidPattern(String, any Error)
    case spotlightOnly

    package var description: String {
        switch self {
        case .missingVariable(let name):
            return "Can't get value for '\(name)' in bindings: there is no such variable"
        case .notBounds(let expression):
            return "The right side of BETWEEN has to be a lower and an upper bound, not \(expression)"
        case .notACollection(let expression):
            return "Can't use IN or CONTAINS with \(expression), which is not a collection"
        case .unknownComparison(let selector):
            return "There is no comparison by the method \(selector)"
        case .invalidPattern(let pattern, let error):
            return "Can't open the pattern \"\(pattern)\" as a regular expression: \(error)"
        case .spotlightOnly:
            return "ANYKEY has a meaning in Spotlight queries only"
        }
    }
}
