@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import FoundationCompat
import GRDB

/// The sum of the decimals of a group; 0 of nothing.
struct DecimalSum: DatabaseAggregate {
    private var numbers = GroupNumbers()

    mutating func step(_ values: [DatabaseValue]) { numbers.append(values[0]) }

    func finalize() -> (any DatabaseValueConvertible)? {
        DecimalStorage.binding(for: Arithmetic.sum(numbers.values).decimalValue).databaseValue
    }
}

/// The mean of the decimals of a group; null of nothing.
struct DecimalAverage: DatabaseAggregate {
    private var numbers = GroupNumbers()

    mutating func step(_ values: [DatabaseValue]) { numbers.append(values[0]) }

    func finalize() -> (any DatabaseValueConvertible)? {
        Arithmetic.average(numbers.values).map { DecimalStorage.binding(for: $0.decimalValue).databaseValue }
    }
}

/// The decimal in the middle of a group; null of nothing.
struct DecimalMedian: DatabaseAggregate {
    private var numbers = GroupNumbers()

    mutating func step(_ values: [DatabaseValue]) { numbers.append(values[0]) }

    func finalize() -> (any DatabaseValueConvertible)? {
        SQLConstant(Statistics.value(.median, numbers.values))?.binding.databaseValue
    }
}

/// The number in the middle of a group; null of nothing.
struct NumberMedian: DatabaseAggregate {
    private var numbers = GroupNumbers()

    mutating func step(_ values: [DatabaseValue]) { numbers.appendBinary(values[0]) }

    func finalize() -> (any DatabaseValueConvertible)? {
        SQLConstant(Statistics.value(.median, numbers.values))?.binding.databaseValue
    }
}

/// How far the numbers of a group are from their mean; null of nothing.
struct NumberDeviation: DatabaseAggregate {
    private var numbers = GroupNumbers()

    mutating func step(_ values: [DatabaseValue]) { numbers.appendBinary(values[0]) }

    func finalize() -> (any DatabaseValueConvertible)? {
        SQLConstant(Statistics.value(.standardDeviation, numbers.values))?.binding.databaseValue
    }
}

/// The numbers that a group's rows have, nulls left out.
private struct GroupNumbers {
    private(set) var values: [NumericValue] = []

    mutating func append(_ value: DatabaseValue) {
        switch value.storage {
        case .int64(let value): values.append(.decimal(Decimal(value)))
        case .double(let value): if let decimal = DecimalStorage.decimal(value) { values.append(.decimal(decimal)) }
        case .null, .string, .blob: break
        }
    }

    mutating func appendBinary(_ value: DatabaseValue) {
        switch value.storage {
        case .int64(let value): values.append(.integer(value))
        case .double(let value): values.append(.real(value))
        case .null, .string, .blob: break
        }
    }
}
