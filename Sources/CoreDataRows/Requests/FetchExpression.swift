import FoundationCompat

@_exported import class FoundationCompat.NSExpression

/// A fetch request inside a predicate, as those see it that turn predicates into a store's language.
package protocol FetchExpression: NSExpression {
    /// The expression whose value is the fetch request.
    var requestExpression: NSExpression { get }
    /// Whether the value is the number of results instead of the results.
    var isCountOnlyRequest: Bool { get }
}
