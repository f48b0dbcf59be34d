import Foundation

/// A number without its box, for comparing and computing across the number types.
package enum NumericValue: Sendable {
    case integer(Int64)
    /// More than an `Int64` holds.
    case unsigned(UInt64)
    case real(Double)
    case decimal(Decimal)

    package init(_ number: NSNumber) {
        if let decimal = number as? NSDecimalNumber {
            self = .decimal(decimal.decimalValue)
            return
        }
        switch number.objCType.pointee {
        case CChar(UInt8(ascii: "d")), CChar(UInt8(ascii: "f")):
            self = .real(number.doubleValue)
        case CChar(UInt8(ascii: "Q")):
            self.init(unsigned: number.uint64Value)
        default:
            self = .integer(number.int64Value)
        }
    }

    init(unsigned: UInt64) {
        self = Int64(exactly: unsigned).map(NumericValue.integer) ?? .unsigned(unsigned)
    }

    /// A Swift number by its exact type; nil for another type. Classes aren't looked at.
    init?(swiftValue value: Any) {
        let type = type(of: value)
        if type == Int.self {
            self = .integer(Int64(value as! Int))
        } else if type == Int64.self {
            self = .integer(value as! Int64)
        } else if type == Double.self {
            self = .real(value as! Double)
        } else if type == Bool.self {
            self = .integer(value as! Bool ? 1 : 0)
        } else if type == Decimal.self {
            self = .decimal(value as! Decimal)
        } else if type == String.self || type is AnyClass {
            return nil
        } else if let integer = value as? any FixedWidthInteger {
            if let small = Int64(exactly: integer) {
                self = .integer(small)
            } else if let large = UInt64(exactly: integer) {
                self = .unsigned(large)
            } else {
                self = .real(Double(integer))
            }
        } else if let real = value as? any BinaryFloatingPoint {
            self = .real(Double(real))
        } else {
            return nil
        }
    }

    /// The number in a value of any type; nil where it is none.
    package init?(_ value: Any?) {
        guard case .number(let number) = EvaluatedValue(value) else { return nil }
        self = number
    }

    package var doubleValue: Double {
        switch self {
        case .integer(let value): return Double(value)
        case .unsigned(let value): return Double(value)
        case .real(let value): return value
        case .decimal(let value): return Self.nearestDouble(value)
        }
    }

    /// By way of the digits: `NSDecimalNumber.doubleValue` computes, and may be off by one unit of the last place.
    package static func nearestDouble(_ decimal: Decimal) -> Double {
        Double(decimal.description) ?? NSDecimalNumber(decimal: decimal).doubleValue
    }

    package var decimalValue: Decimal {
        switch self {
        case .integer(let value): return Decimal(value)
        case .unsigned(let value): return Decimal(value)
        case .real(let value):
            // The shortest text that stands for the number, so that 0.1 becomes 0.1.
            guard value.isFinite else { return .nan }
            return Decimal(string: value.description, locale: nil) ?? Decimal(value)
        case .decimal(let value): return value
        }
    }

    /// The whole part; nil where it doesn't fit or there is none.
    package var int64Value: Int64? {
        switch self {
        case .integer(let value): return value
        case .unsigned: return nil
        case .real(let value): return Int64(exactly: value.rounded(.towardZero))
        case .decimal(let value):
            return Int64(exactly: Self.nearestDouble(value).rounded(.towardZero))
        }
    }

    package var isTrue: Bool {
        switch self {
        case .integer(let value): return value != 0
        case .unsigned: return true
        case .real(let value): return value != 0
        case .decimal(let value): return !value.isZero
        }
    }

    /// The number in its box.
    package var number: NSNumber {
        switch self {
        case .integer(let value): return NSNumber(value: value)
        case .unsigned(let value): return NSNumber(value: value)
        case .real(let value): return NSNumber(value: value)
        case .decimal(let value): return NSDecimalNumber(decimal: value)
        }
    }
}

extension NumericValue {
    /// The order of two numbers by their exact values; nil where one is not a number.
    package static func order(_ left: NumericValue, _ right: NumericValue) -> ComparisonResult? {
        switch (left, right) {
        case (.integer(let left), .integer(let right)):
            return order(left, right)
        case (.real(let left), .real(let right)):
            return left.isNaN || right.isNaN ? nil : order(left, right)
        case (.decimal, _), (_, .decimal):
            return decimalOrder(left, right)
        case (.unsigned(let left), .unsigned(let right)):
            return order(left, right)
        case (.unsigned, .integer):
            return .orderedDescending
        case (.integer, .unsigned):
            return .orderedAscending
        case (.real(let left), .integer(let right)):
            return left.isNaN ? nil : order(left, wholeNumber: right)
        case (.integer(let left), .real(let right)):
            return right.isNaN ? nil : order(right, wholeNumber: left).opposite
        case (.real(let left), .unsigned(let right)):
            return left.isNaN ? nil : order(left, wholeNumber: right)
        case (.unsigned(let left), .real(let right)):
            return right.isNaN ? nil : order(right, wholeNumber: left).opposite
        }
    }

    private static func order<Value: Comparable>(_ left: Value, _ right: Value) -> ComparisonResult {
        left < right ? .orderedAscending : left == right ? .orderedSame : .orderedDescending
    }

    /// Swift compares a floating-point number with an integer by conversion, which would round large ones.
    private static func order<Integer: FixedWidthInteger>(
        _ real: Double, wholeNumber: Integer
    ) -> ComparisonResult {
        let rounded = order(real, Double(wholeNumber))
        guard rounded == .orderedSame, let exact = Integer(exactly: real) else {
            return rounded == .orderedSame ? .orderedDescending : rounded
        }
        return order(exact, wholeNumber)
    }

    private static func decimalOrder(_ left: NumericValue, _ right: NumericValue) -> ComparisonResult? {
        for (value, infinite) in [(left, ComparisonResult.orderedAscending), (right, .orderedDescending)] {
            // An infinity has no decimal.
            if case .real(let real) = value, !real.isFinite {
                return real.isNaN ? nil : real > 0 ? infinite.opposite : infinite
            }
        }
        if left.isBeyondDecimals || right.isBeyondDecimals {
            return order(.real(left.doubleValue), .real(right.doubleValue))
        }
        let (left, right) = (left.exactDecimal, right.exactDecimal)
        return left.isNaN || right.isNaN ? nil : order(left, right)
    }

    /// Whether it is a floating-point number that is too large or too small for a decimal: rounding the other one can't change the order
    /// then.
    private var isBeyondDecimals: Bool {
        guard case .real(let value) = self else { return false }
        return value != 0 && (abs(value) >= 1e127 || abs(value) < 1e-110)
    }

    /// Of a whole floating-point number all digits, so that it is to decimals what it is to integers.
    private var exactDecimal: Decimal {
        guard case .real(let value) = self else { return decimalValue }
        if let whole = Int64(exactly: value) { return Decimal(whole) }
        return UInt64(exactly: value).map { Decimal($0) } ?? decimalValue
    }
}

extension ComparisonResult {
    /// The result for the two sides exchanged.
    package var opposite: ComparisonResult {
        switch self {
        case .orderedAscending: return .orderedDescending
        case .orderedSame: return .orderedSame
        case .orderedDescending: return .orderedAscending
        }
    }
}
