import Foundation
import FoundationCompat
import GRDB

/// The sum of the decimals of a group; 0 of nothing.
struct DecimalSum: DatabaseAggregate {
    private var numbers = DecimalNumbers()

    mutating func step(_ values: [DatabaseValue]) { numbers.append(values[0]) }

    func finalize() -> (any DatabaseValueConvertible)? {
        DecimalStorage.binding(for: Arithmetic.sum(numbers.values).decimalValue).databaseValue
    }
}

/// The mean of the decimals of a group; null of nothing.
struct DecimalAverage: DatabaseAggregate {
    private var numbers = DecimalNumbers()

    mutating func step(_ values: [DatabaseValue]) { numbers.append(values[0]) }

    func finalize() -> (any DatabaseValueConvertible)? {
        Arithmetic.average(numbers.values).map { DecimalStorage.binding(for: $0.decimalValue).databaseValue }
    }
}

/// The decimals that a group's rows have, nulls left out.
private struct DecimalNumbers {
    private(set) var values: [NumericValue] = []

    mutating func append(_ value: DatabaseValue) {
        switch value.storage {
        case .int64(let value): values.append(.decimal(Decimal(value)))
        case .double(let value): if let decimal = DecimalStorage.decimal(value) { values.append(.decimal(decimal)) }
        case .null, .string, .blob: break
        }
    }
}
