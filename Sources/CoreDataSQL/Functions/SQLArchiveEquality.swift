@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

/// Whether two archived values of a transformable attribute are equal: `(archive, archive, transformer, is the model the program's)`.
///
/// Equal values may have different archives, as the order of keys in an archive isn't defined, so the values themselves
/// are compared. Archives that can't be decoded are equal when their bytes are.
package enum SQLArchiveEquality {
    package static let name = "OCDEqualArchives"

    package static func sql(_ left: SQLFragment, _ right: SQLFragment, _ property: PropertyLayout) -> SQLFragment {
        let transformer = property.attribute?.valueTransformerName.map { SQLBinding.text($0) } ?? .null
        let isFromProgram = SQLBinding.int(property.owner.model.model.isFromFile ? 0 : 1)
        return "\(raw: name)(\(left), \(right), \(bind: transformer), \(bind: isFromProgram))"
    }
}
