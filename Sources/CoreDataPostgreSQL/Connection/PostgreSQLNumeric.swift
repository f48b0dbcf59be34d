import Foundation

/// The binary form of `numeric`: digits to the base of 10,000 with the power of the first one, a sign, and the number of decimal
/// places (PostgreSQL's `numeric_send` and `numeric_recv`).
enum PostgreSQLNumeric {
    private static let positive: UInt16 = 0x0000
    private static let negative: UInt16 = 0x4000
    private static let notANumber: UInt16 = 0xC000

    static func bytes(of decimal: Decimal) -> [UInt8] {
        if decimal.isNaN { return header(count: 0, weight: 0, sign: notANumber, scale: 0) }
        var text = Substring(decimal.description)
        let sign = text.first == "-" ? negative : positive
        if sign == negative { text.removeFirst() }
        let parts = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        var whole = Array(parts[0].utf8.map { $0 - UInt8(ascii: "0") })
        var fraction = parts.count > 1 ? Array(parts[1].utf8.map { $0 - UInt8(ascii: "0") }) : []
        let scale = fraction.count
        // Groups of four, counted from the point.
        whole.insert(contentsOf: repeatElement(0, count: (4 - whole.count % 4) % 4), at: 0)
        fraction.append(contentsOf: repeatElement(0, count: (4 - fraction.count % 4) % 4))
        var groups = stride(from: 0, to: whole.count + fraction.count, by: 4).map { start -> UInt16 in
            (start..<start + 4).reduce(0) { sum, index in
                sum * 10 + UInt16(index < whole.count ? whole[index] : fraction[index - whole.count])
            }
        }
        var weight = whole.count / 4 - 1
        while groups.first == 0 {
            groups.removeFirst()
            weight -= 1
        }
        while groups.last == 0 { groups.removeLast() }
        if groups.isEmpty { weight = 0 }
        var bytes = header(count: groups.count, weight: weight, sign: sign, scale: scale)
        for group in groups { append(group, to: &bytes) }
        return bytes
    }

    /// Nil for bytes that are none, and for infinities and numbers beyond what `Decimal` holds.
    static func decimal(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
        guard bytes.count >= 8 else { return nil }
        let sign = word(bytes, 2)
        if sign == notANumber { return .nan }
        guard sign == positive || sign == negative else { return nil }
        let count = Int(word(bytes, 0))
        let weight = Int(Int16(bitPattern: word(bytes, 1)))
        guard bytes.count >= 8 + count * 2 else { return nil }
        var text = sign == negative ? "-" : ""
        var digits = ""
        for index in 0..<count {
            let group = String(word(bytes, 4 + index))
            digits += String(repeating: "0", count: max(0, 4 - group.count)) + group
        }
        text += digits.isEmpty ? "0" : digits
        let exponent = count == 0 ? 0 : (weight - count + 1) * 4
        return Decimal(string: exponent == 0 ? text : "\(text)e\(exponent)")
    }

    private static func word(_ bytes: UnsafeRawBufferPointer, _ index: Int) -> UInt16 {
        UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: index * 2, as: UInt16.self))
    }

    private static func header(count: Int, weight: Int, sign: UInt16, scale: Int) -> [UInt8] {
        var bytes: [UInt8] = []
        append(UInt16(count), to: &bytes)
        append(UInt16(bitPattern: Int16(weight)), to: &bytes)
        append(sign, to: &bytes)
        append(UInt16(scale), to: &bytes)
        return bytes
    }

    private static func append(_ value: UInt16, to bytes: inout [UInt8]) {
        bytes.append(UInt8(value >> 8))
        bytes.append(UInt8(value & 0xFF))
    }
}
