import CoreDataSQL
import FoundationCompat
import GRDB
@_spi(Engine) import CoreDataRows
import Foundation

/// Runs a built-in function of predicates for SQL: `(number of the function, form of each argument, arguments…)`.
enum SQLFunctionEvaluation {
    @Sendable
    static func run(_ values: [DatabaseValue]) -> (any DatabaseValueConvertible)? {
        guard values.count >= 2, let number = Int.fromDatabaseValue(values[0]),
            BuiltInFunction.allCases.indices.contains(number), let forms = String.fromDatabaseValue(values[1]),
            forms.utf8.count == values.count - 2
        else { return nil }
        let arguments = zip(forms, values.dropFirst(2)).map { SQLArgumentForm(rawValue: $0)?.value($1) }
        let result = BuiltInFunction.allCases[number].value(arguments)
        return SQLConstant(result)?.binding.databaseValue
    }
}

extension SQLArchiveEquality {
    package static let function = SQLiteFunction(name, argumentCount: 4, isPure: true) { arguments in
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

extension SQLArgumentForm {
    /// The value as evaluation in memory would have it.
    package func value(_ argument: DatabaseValue) -> Any? {
        switch (self, argument.storage) {
        case (.null, _), (_, .null): return nil
        case (.decimal, .int64(let value)): return NSDecimalNumber(decimal: Decimal(value))
        case (.decimal, .double(let value)): return DecimalStorage.decimal(value).map(NSDecimalNumber.init(decimal:))
        case (.date, .int64(let value)): return Date(timeIntervalSinceReferenceDate: Double(value))
        case (.date, .double(let value)): return Date(timeIntervalSinceReferenceDate: value)
        case (_, .int64(let value)): return NSNumber(value: value)
        case (_, .double(let value)): return NSNumber(value: value)
        case (_, .string(let value)): return value
        case (_, .blob): return nil
        }
    }
}

extension SQLTextForm {
    /// The text of a column's value.
    package func text(_ value: DatabaseValue) -> String? {
        switch (self, value.storage) {
        case (.decimal, .double(let value)):
            return DecimalStorage.decimal(value).flatMap { Self.text(of: NSDecimalNumber(decimal: $0)) }
        case (.uuid, .blob(let data)):
            guard data.count == 16 else { return nil }
            return data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }.uuidString
        case (_, .int64(let value)): return Self.text(of: NSNumber(value: value))
        case (_, .double(let value)): return Self.text(of: NSNumber(value: value))
        case (_, .string(let value)): return value
        case (_, .null), (_, .blob): return nil
        }
    }
}
