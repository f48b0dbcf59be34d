import Foundation
import FoundationCompat
import GRDB

/// Whether two archived values of a transformable attribute are equal: `(archive, archive, transformer, is the model the program's)`.
///
/// Equal values may have different archives, as the order of keys in an archive is anybody's, so the values themselves are
/// compared. Archives that nothing here can read are equal when their bytes are.
enum SQLArchiveEquality {
    static let name = "OCDEqualArchives"

    static let function = DatabaseFunction(name, argumentCount: 4, pure: true) { arguments in
        guard let left = Data.fromDatabaseValue(arguments[0]), let right = Data.fromDatabaseValue(arguments[1]) else {
            return nil
        }
        if left == right { return 1 }
        let transformer = String.fromDatabaseValue(arguments[2])
        let isFromProgram = arguments[3] == 1.databaseValue
        guard
            let leftValue = TransformableCoder.value(
                from: left, transformerName: transformer, isFromProgram: isFromProgram),
            let rightValue = TransformableCoder.value(
                from: right, transformerName: transformer, isFromProgram: isFromProgram)
        else { return 0 }
        return ValueComparison.areEqual(EvaluatedValue(leftValue), EvaluatedValue(rightValue)) ? 1 : 0
    }

    static func sql(_ left: SQLFragment, _ right: SQLFragment, _ property: PropertyLayout) -> SQLFragment {
        let transformer = property.attribute?.valueTransformerName.map { SQLBinding.text($0) } ?? .null
        let isFromProgram = SQLBinding.int(property.owner.model.model.isFromFile ? 0 : 1)
        return "\(raw: name)(\(left), \(right), \(bind: transformer), \(bind: isFromProgram))"
    }
}
