import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// The type of an ``NSFetchRequestExpression``.
public let NSFetchRequestExpressionType = NSExpression.ExpressionType.fetchRequest

// Safe: nothing of it changes once it is made.
/// An expression whose value is the result of a fetch request.
///
/// In a predicate for a SQLite store it becomes a subquery: `SELF IN FETCH(%@, %@, NO)` selects the objects that
/// another request would, without fetching them. A request for dictionaries with one property stands for the values of
/// that property. (Apple: NSFetchRequestExpression.)
open class NSFetchRequestExpression: NSExpression, @unchecked Sendable {
    /// The expression whose value is the fetch request.
    open private(set) var requestExpression: NSExpression
    /// The expression whose value is the context to fetch in.
    open private(set) var contextExpression: NSExpression
    /// Whether the value is the number of results instead of the results.
    open private(set) var isCountOnlyRequest: Bool

    private init(fetch: NSExpression, context: NSExpression, countOnly: Bool) {
        requestExpression = fetch
        contextExpression = context
        isCountOnlyRequest = countOnly
        super.init(expressionType: .fetchRequest)
    }

    /// Nil: an archive can hold no context (our choice: archives of Apple's that have one aren't read).
    public required init?(coder: NSCoder) {
        return nil
    }

    /// The expression that fetches what `fetch` evaluates to, in the context that `context` evaluates to.
    open class func expression(
        forFetch fetch: NSExpression, context: NSExpression, countOnly: Bool
    ) -> NSExpression {
        NSFetchRequestExpression(fetch: fetch, context: context, countOnly: countOnly)
    }

    /// The results of the fetch as an array, or their number. Of dictionaries with one property, its values.
    ///
    /// Nil where the fetch fails, so that a comparison with it is false. The context records the failure, as it does
    /// for a value that can't be read: it is logged, and saving throws it until the context is rolled back (our choice:
    /// Apple raises an exception; a file that can't be read must not stop the program).
    open override func expressionValue(with object: Any?, context: NSMutableDictionary?) -> Any? {
        let request = requestExpression.expressionValue(with: object, context: context) as? AnyFetchRequest
        let objectContext = contextExpression.expressionValue(with: object, context: context) as? NSManagedObjectContext
        guard let erased = request?.erasedCopy(), let objectContext else { return nil }
        let results: [Any]
        do {
            if isCountOnlyRequest { return NSNumber(value: try objectContext.count(for: erased)) }
            results = try objectContext.fetch(erased) as [Any]
        } catch {
            objectContext.recordReadFailure(error, of: "\(self)")
            return nil
        }
        guard erased.resultType == .dictionaryResultType, erased.propertiesToFetch?.count == 1 else { return results }
        return results.compactMap { ($0 as? NSDictionary)?.allValues.first }
    }

    /// Whether the other one makes the same request in the same context.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSFetchRequestExpression else { return false }
        return self === other
            || isCountOnlyRequest == other.isCountOnlyRequest && requestExpression == other.requestExpression
                && contextExpression == other.contextExpression
    }

    /// A hash that equal objects share.
    open override var hash: Int { requestExpression.hash }

    /// The expression in the form of predicates: `FETCH(…)`.
    open override var description: String {
        "FETCH(\(requestExpression), \(contextExpression), \(isCountOnlyRequest ? "YES" : "NO"))"
    }
}

extension NSFetchRequestExpression: FetchExpression {}

extension NSFetchRequestExpression: FetchExpressionMaking {
    package static func makeFetchExpression(
        request: NSExpression, context: NSExpression, countOnly: Bool
    ) -> NSExpression {
        expression(forFetch: request, context: context, countOnly: countOnly)
    }
}
