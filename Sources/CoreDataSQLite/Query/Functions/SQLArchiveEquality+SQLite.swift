@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import GRDB

extension SQLArchiveEquality {
    package static let function = DatabaseFunction(name, argumentCount: 4, pure: true) { arguments in
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
}
