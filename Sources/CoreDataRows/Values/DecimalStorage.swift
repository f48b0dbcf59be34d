import Foundation
import FoundationCompat

/// How decimals lie in a `DECIMAL` column, which has numeric affinity: as an integer where they are one, else as a
/// double (seen in 60 values of the fixtures: 10.11 is stored as the real 10.11), and "not a number" as the text `NaN`
/// (seen in ArtsyPartner).
package enum DecimalStorage {
    package static let notANumber = "NaN"

    /// The decimal with the fewest digits that reads as this double; nil for infinities and for what is out of range.
    package static func decimal(_ value: Double) -> Decimal? {
        guard value.isFinite else { return nil }
        let text = value.description
        if let decimal = Decimal(string: text), !decimal.isNaN { return decimal }
        return large(text)
    }

    /// A number whose exponent is beyond a decimal's: its digits take what is too much of it, which Foundation's reader of texts
    /// doesn't try.
    private static func large(_ text: String) -> Decimal? {
        let greatestExponent = 127
        let parts = text.split(separator: "e")
        guard parts.count == 2, let exponent = Int(parts[1]) else { return nil }
        let halves = parts[0].split(separator: ".")
        let fraction = halves.count == 2 && halves[1] != "0" ? halves[1] : ""
        let zeros = exponent - fraction.count - greatestExponent
        guard (0...40).contains(zeros) else { return nil }
        return Decimal(string: halves[0] + fraction + String(repeating: "0", count: zeros) + "e\(greatestExponent)")
    }

    /// The decimal of a number of any type.
    package static func decimal(of number: NSNumber) -> Decimal {
        if let decimal = number as? NSDecimalNumber { return decimal.decimalValue }
        return decimal(number.description) ?? plainDecimal(of: number)
    }

    /// What Foundation makes of a number on Apple's platforms: "not a number" of an infinity, at which Foundation on Linux
    /// ends the program, and every digit of an integer, of which it keeps those that a double holds.
    package static func plainDecimal(of number: NSNumber) -> Decimal {
        let value = NumericValue(number)
        if case .real(let real) = value { return real.isFinite ? number.decimalValue : .nan }
        return value.decimalValue
    }

    /// The decimal that a text writes out, if the text is nothing else.
    package static func decimal(_ text: String) -> Decimal? {
        if text == notANumber { return .nan }
        let digits = text.utf8.allSatisfy { byte in
            (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || "+-.eE".utf8.contains(byte)
        }
        return digits && !text.isEmpty ? Decimal(string: text) : nil
    }

    package static func integer(_ decimal: Decimal) -> Int64? {
        guard !decimal.isNaN, decimal.exponent >= 0 else { return nil }
        return Int64(decimal.description)
    }
}
