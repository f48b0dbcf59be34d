import Foundation
import FoundationCompat

/// Decimal numbers in compiled models.
enum ArchivedDecimal {
    static func number(_ object: ArchivedObject) throws -> NSDecimalNumber {
        guard let bytes = try object.data("NS.mantissa").map(Array.init), bytes.count == DecimalMantissa.byteCount
        else {
            throw object.mismatch("NS.mantissa", "16 bytes")
        }
        let mantissa = DecimalMantissa(
            exponent: try object.integer("NS.exponent"), length: try object.integer("NS.length"),
            isNegative: try object.boolean("NS.negative"), isLittleEndian: try object.integer("NS.mantissa.bo") == 1,
            bytes: bytes)
        guard let mantissa else { throw object.mismatch("NS.length", "a decimal number") }
        guard let decimal = mantissa.decimal else { throw object.mismatch("NS.mantissa", "a decimal number") }
        return NSDecimalNumber(decimal: decimal)
    }

    static func fields(of number: NSDecimalNumber) -> [String: PropertyListNode] {
        let mantissa = DecimalMantissa(number.decimalValue)
        return [
            "NS.exponent": .integer(mantissa.exponent),
            "NS.length": .integer(mantissa.length),
            "NS.negative": .boolean(mantissa.isNegative),
            "NS.compact": .boolean(true),
            "NS.mantissa.bo": .integer(1),
            "NS.mantissa": .data(Data(mantissa.bytes)),
        ]
    }
}
