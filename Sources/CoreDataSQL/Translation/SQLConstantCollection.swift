import Foundation
import FoundationCompat

/// The collections that a predicate can hold as a constant.
package enum SQLConstantCollection {
    /// The elements; of a dictionary the values. Nil where the value is no collection.
    package static func elements(of value: Any?) -> [Any]? { value.flatMap { Elements($0)?.values } }
}
