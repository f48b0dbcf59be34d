import Foundation

/// Arithmetic on numbers of any types: integers stay exact while they fit, a decimal makes the result decimal.
package enum Arithmetic {
    package enum Operation: Sendable {
        case add, subtract, multiply, divide, raise, modulus
    }

    /// The result; division of integers drops the fraction, as C does; by zero it has no value.
    package static func apply(_ operation: Operation, _ left: NumericValue, _ right: NumericValue) -> NumericValue? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)):
            if let result = integers(operation, left, right) { return result }
        case (.decimal, .integer), (.decimal, .decimal), (.integer, .decimal), (.decimal, .unsigned),
            (.unsigned, .decimal):
            return decimals(operation, left.decimalValue, right.decimalValue)
        case (.decimal, .real(let real)) where real.isFinite, (.real(let real), .decimal) where real.isFinite:
            return decimals(operation, left.decimalValue, right.decimalValue)
        default:
            break
        }
        return reals(operation, left.doubleValue, right.doubleValue)
    }

    /// Nil where the result doesn't fit, so that floating-point numbers have to do.
    private static func integers(_ operation: Operation, _ left: Int64, _ right: Int64) -> NumericValue? {
        let (value, overflow): (Int64, Bool)
        switch operation {
        case .add: (value, overflow) = left.addingReportingOverflow(right)
        case .subtract: (value, overflow) = left.subtractingReportingOverflow(right)
        case .multiply: (value, overflow) = left.multipliedReportingOverflow(by: right)
        case .divide: (value, overflow) = left.dividedReportingOverflow(by: right)
        case .modulus: (value, overflow) = left.remainderReportingOverflow(dividingBy: right)
        case .raise: return nil
        }
        return overflow ? nil : .integer(value)
    }

    private static func decimals(_ operation: Operation, _ left: Decimal, _ right: Decimal) -> NumericValue? {
        switch operation {
        case .add: return .decimal(left + right)
        case .subtract: return .decimal(left - right)
        case .multiply: return .decimal(left * right)
        case .divide: return right.isZero || right.isNaN ? nil : .decimal(left / right)
        case .modulus, .raise:
            return reals(
                operation, NumericValue.decimal(left).doubleValue, NumericValue.decimal(right).doubleValue)
        }
    }

    private static func reals(_ operation: Operation, _ left: Double, _ right: Double) -> NumericValue? {
        switch operation {
        case .add: return .real(left + right)
        case .subtract: return .real(left - right)
        case .multiply: return .real(left * right)
        case .divide: return right == 0 ? nil : .real(left / right)
        case .modulus: return right == 0 ? nil : .real(left.truncatingRemainder(dividingBy: right))
        case .raise: return .real(pow(left, right))
        }
    }

    /// The opposite number.
    package static func negated(_ number: NumericValue) -> NumericValue? {
        switch number {
        case .unsigned(let value) where value == UInt64(Int64.max) + 1: return .integer(.min)
        case .real(let value): return .real(-value)
        default: return apply(.subtract, .integer(0), number)
        }
    }

    /// The sum; 0 of nothing.
    package static func sum(_ numbers: [NumericValue]) -> NumericValue {
        numbers.reduce(.integer(0)) { apply(.add, $0, $1) ?? $0 }
    }

    /// The mean; nil of nothing. Exact where there are decimals, otherwise a floating-point number.
    package static func average(_ numbers: [NumericValue]) -> NumericValue? {
        guard !numbers.isEmpty else { return nil }
        switch sum(numbers) {
        case .decimal(let sum): return apply(.divide, .decimal(sum), .integer(Int64(numbers.count)))
        case let sum: return .real(sum.doubleValue / Double(numbers.count))
        }
    }
}
