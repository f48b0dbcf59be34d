import Foundation

/// What Core Data's fetch request expression adopts, so that the parser of this lower storey can make one.
package protocol FetchExpressionMaking {
    /// The expression for `FETCH(request, context, countOnly)`.
    static func makeFetchExpression(request: NSExpression, context: NSExpression, countOnly: Bool) -> NSExpression
}

enum FetchExpressions {
    /// The class that makes fetch expressions, if Core Data is a part of the program. Looked up by name: a class can't
    /// register itself before it is used.
    static var maker: (any FetchExpressionMaking.Type)? {
        NSClassFromString("CoreData.NSFetchRequestExpression") as? any FetchExpressionMaking.Type
    }
}
