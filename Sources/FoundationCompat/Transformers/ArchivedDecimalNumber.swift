import Foundation

/// What is archived in the place of a decimal number that an object of the program's own encodes: Foundation on Linux writes such a
/// number as a floating-point one, and reads none that Apple's has written. The archive has it as Apple's.
package final class ArchivedDecimalNumber: NSObject, NSSecureCoding {
    package static var supportsSecureCoding: Bool { true }

    private let mantissa: DecimalMantissa

    init(_ number: NSDecimalNumber) { mantissa = DecimalMantissa(number.decimalValue) }

    /// Never decoded: in archives it is an `NSDecimalNumber`.
    package init?(coder: NSCoder) { nil }

    package func encode(with coder: NSCoder) {
        coder.encode(Int64(mantissa.exponent), forKey: "NS.exponent")
        coder.encode(Int64(mantissa.length), forKey: "NS.length")
        coder.encode(mantissa.isNegative, forKey: "NS.negative")
        coder.encode(true, forKey: "NS.compact")
        coder.encode(Int64(1), forKey: "NS.mantissa.bo")
        mantissa.bytes.withUnsafeBufferPointer {
            coder.encodeBytes($0.baseAddress, length: $0.count, forKey: "NS.mantissa")
        }
    }

    /// The number that an archive has; nil where a part of it is missing or wrong.
    static func number(_ fields: [String: Any]) -> NSDecimalNumber? {
        guard let bytes = fields["NS.mantissa"] as? Data, let exponent = fields["NS.exponent"] as? NSNumber,
            let length = fields["NS.length"] as? NSNumber
        else { return nil }
        let order = (fields["NS.mantissa.bo"] as? NSNumber)?.intValue ?? 1
        return DecimalMantissa(
            exponent: exponent.intValue, length: length.intValue,
            isNegative: (fields["NS.negative"] as? NSNumber)?.boolValue ?? false, isLittleEndian: order == 1,
            bytes: Array(bytes)
        )?.decimal.map { NSDecimalNumber(decimal: $0) }
    }
}
