@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
@_exported import class FoundationCompat.NSExpression
@_exported import class FoundationCompat.NSPredicate

extension SQLTranslator {
    /// `SUBQUERY(collection, $variable, predicate)`: a collection with a condition of its own. ``SQLCollectionRows`` writes the statement.
    ///
    /// A to-one is a collection of one or none (seen in the tests of Nos, which deletes by such requests).
    func subquery(
        over collection: NSExpression, variable: String, predicate: NSPredicate
    ) throws -> SQLCollection {
        var result: SQLCollection
        switch try operand(collection) {
        case .collection(let found) where found.path.rest.isEmpty && found.filter == nil: result = found
        case .scalar(let key, .object(let entity)):
            result = SQLCollection(
                path: SQLToManyPath(
                    ownerKey: key, ownerIsOptional: false, relationship: nil, destination: entity, rest: []))
        default:
            throw SQLQueryError.unsupported(
                "SUBQUERY over \(collection)", because: "it takes a key path that ends in its only to-many relationship"
            )
        }
        result.filter = (variable, predicate)
        return result
    }
}
