import Foundation

/// A decimal number as keyed archives have it: a sign, a power of ten and up to eight 16-bit digits of the mantissa.
package struct DecimalMantissa {
    package static let byteCount = 16
    private static let lengths = 0...8
    private static let exponents = -128...127

    package let exponent: Int
    /// How many of the digits count.
    package let length: Int
    package let isNegative: Bool
    /// The digits, the lowest first, each with the low byte first.
    package let bytes: [UInt8]

    package init(_ decimal: Decimal) {
        var digits = decimal.isNaN ? 0 : decimal.magnitude.significand
        var mantissa: [UInt8] = []
        let base = Decimal(65536)
        while digits > 0, mantissa.count < Self.byteCount {
            var quotient = Decimal()
            var exact = digits / base
            NSDecimalRound(&quotient, &exact, 0, .down)
            let word = UInt16(truncatingIfNeeded: NSDecimalNumber(decimal: digits - quotient * base).intValue)
            mantissa += [UInt8(word & 0xFF), UInt8(word >> 8)]
            digits = quotient
        }
        exponent = decimal.isZero || decimal.isNaN ? 0 : decimal.exponent
        length = mantissa.count / 2
        // Without digits, the sign tells what is no number from zero.
        isNegative = decimal.isNaN || decimal.isSignMinus
        bytes = mantissa + [UInt8](repeating: 0, count: Self.byteCount - mantissa.count)
    }

    /// - Parameter isLittleEndian: whether each digit has the low byte first, as on every machine of the last two decades.
    /// - Returns: nil for what no decimal number is.
    package init?(exponent: Int, length: Int, isNegative: Bool, isLittleEndian: Bool, bytes: [UInt8]) {
        guard bytes.count == Self.byteCount, Self.lengths.contains(length), Self.exponents.contains(exponent) else {
            return nil
        }
        self.exponent = exponent
        self.length = length
        self.isNegative = isNegative
        self.bytes = isLittleEndian ? bytes : bytes.indices.map { bytes[$0 ^ 1] }
    }

    /// The number; nil where the digits are more than a decimal number has.
    package var decimal: Decimal? {
        if length == 0, isNegative { return .nan }
        var significand = Decimal(0)
        for digit in (0..<length).reversed() {
            let word = UInt16(bytes[2 * digit]) | UInt16(bytes[2 * digit + 1]) << 8
            significand = significand * 65536 + Decimal(Int(word))
        }
        if significand.isNaN { return nil }
        return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
    }
}
