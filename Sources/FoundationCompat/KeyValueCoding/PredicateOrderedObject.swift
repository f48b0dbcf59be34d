import Foundation

/// What an object adopts that is less or more than others of its kind, where it is none of Foundation's values.
package protocol PredicateOrderedObject {
    /// The order of this object and another one; nil where there is none.
    func predicateOrder(to other: Any) -> ComparisonResult?
}
