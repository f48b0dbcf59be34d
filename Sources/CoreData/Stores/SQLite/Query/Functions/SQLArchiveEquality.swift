import Foundation
import FoundationCompat
import GRDB

/// Whether two archived values of a transformable attribute are equal: `(archive, archive, transformer)`.
///
/// Equal values may have different archives, as the order of keys in an archive is anybody's, so the values themselves are
/// compared. Archives that nothing here can read are equal when their bytes are.
enum SQLArchiveEquality {
    static let name = "OCDEqualArchives"

    static let function = DatabaseFunction(name, argumentCount: 3, pure: true) { arguments in
        guard let left = Data.fromDatabaseValue(arguments[0]), let right = Data.fromDatabaseValue(arguments[1]) else {
            return nil
        }
        if left == right { return 1 }
        let transformer = String.fromDatabaseValue(arguments[2])
        guard let leftValue = TransformableCoder.value(from: left, transformerName: transformer),
            let rightValue = TransformableCoder.value(from: right, transformerName: transformer)
        else { return 0 }
        return ValueComparison.areEqual(EvaluatedValue(leftValue), EvaluatedValue(rightValue)) ? 1 : 0
    }

    static func sql(_ left: SQLFragment, _ right: SQLFragment, _ property: PropertyLayout) -> SQLFragment {
        let transformer = property.attribute?.valueTransformerName.map { SQLBinding.text($0) } ?? .null
        return "\(raw: name)(\(left), \(right), \(bind: transformer))"
    }
}
