import Foundation

/// Decimal numbers in keyed archives: a sign, a power of ten and up to eight 16-bit digits of the mantissa.
enum ArchivedDecimal {
    static func number(_ object: ArchivedObject) throws -> NSDecimalNumber {
        guard let mantissa = try object.data("NS.mantissa").map(Array.init), mantissa.count == 16 else {
            throw object.mismatch("NS.mantissa", "16 bytes")
        }
        let length = try object.integer("NS.length")
        let exponent = try object.integer("NS.exponent")
        guard (0...8).contains(length), (-128...127).contains(exponent) else {
            throw object.mismatch("NS.length", "a decimal number")
        }
        // Without digits, the sign tells what is no number from zero.
        if length == 0, try object.boolean("NS.negative") { return .notANumber }
        // 1 says that the mantissa has the low byte first, as on every machine of the last two decades.
        let isLittleEndian = try object.integer("NS.mantissa.bo") == 1
        var significand = Decimal(0)
        for digit in (0..<length).reversed() {
            let bytes = (UInt16(mantissa[2 * digit]), UInt16(mantissa[2 * digit + 1]))
            let word = isLittleEndian ? bytes.1 << 8 | bytes.0 : bytes.0 << 8 | bytes.1
            significand = significand * 65536 + Decimal(Int(word))
        }
        let sign: FloatingPointSign = try object.boolean("NS.negative") ? .minus : .plus
        if significand.isNaN { throw object.mismatch("NS.mantissa", "a decimal number") }
        return NSDecimalNumber(decimal: Decimal(sign: sign, exponent: exponent, significand: significand))
    }

    static func fields(of number: NSDecimalNumber) -> [String: PropertyListNode] {
        let decimal = number.decimalValue
        var digits = decimal.isNaN ? 0 : decimal.magnitude.significand
        var mantissa: [UInt8] = []
        let base = Decimal(65536)
        while digits > 0, mantissa.count < 16 {
            var quotient = Decimal()
            var exact = digits / base
            NSDecimalRound(&quotient, &exact, 0, .down)
            let word = UInt16(truncatingIfNeeded: NSDecimalNumber(decimal: digits - quotient * base).intValue)
            mantissa += [UInt8(word & 0xFF), UInt8(word >> 8)]
            digits = quotient
        }
        return [
            "NS.exponent": .integer(decimal.isZero || decimal.isNaN ? 0 : decimal.exponent),
            "NS.length": .integer(mantissa.count / 2),
            "NS.negative": .boolean(decimal.isNaN || decimal.isSignMinus),
            "NS.compact": .boolean(true),
            "NS.mantissa.bo": .integer(1),
            "NS.mantissa": .data(Data(mantissa + [UInt8](repeating: 0, count: 16 - mantissa.count))),
        ]
    }
}
