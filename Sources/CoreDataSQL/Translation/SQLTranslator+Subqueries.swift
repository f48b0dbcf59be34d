@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSPredicate

extension SQLTranslator {
    /// `SUBQUERY(collection, $variable, predicate)`: a collection with a condition of its own. ``SQLCollectionRows`` writes the statement.
    func subquery(
        over collection: NSExpression, variable: String, predicate: NSPredicate
    ) throws -> SQLCollection {
        guard case .collection(var result) = try operand(collection), result.path.rest.isEmpty, result.filter == nil
        else {
            throw SQLQueryError.unsupported(
                "SUBQUERY over \(collection)", because: "it takes a key path that ends in its only to-many relationship"
            )
        }
        result.filter = (variable, predicate)
        return result
    }
}
