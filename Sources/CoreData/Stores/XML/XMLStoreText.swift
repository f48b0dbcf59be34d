/// Text as XML stores write it: a backslash for what XML has other uses for or can't hold.
///
/// `<` is `\u3c00`, with the two bytes of UTF-16 in little-endian order, and a backslash is doubled (seen in 770 and 97
/// places of the fixtures). All else stands for itself, line feeds and quotation marks too.
enum XMLStoreText {
    static func escaped(_ text: String) -> String {
        guard text.utf8.contains(where: needsEscape) || text.unicodeScalars.contains(where: isNoCharacter) else {
            return text
        }
        var result = ""
        for scalar in text.unicodeScalars {
            if scalar == "\\" {
                result += "\\\\"
            } else if scalar.value < 0x80 && needsEscape(UInt8(scalar.value)) || isNoCharacter(scalar) {
                result += "\\u\(hexadecimal(scalar.value & 0xFF))\(hexadecimal(scalar.value >> 8))"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    static func unescaped(_ text: String) -> String {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return text }
        let units = Array(text.utf16)
        var result: [UInt16] = []
        result.reserveCapacity(units.count)
        var index = 0
        while index < units.count {
            let unit = units[index]
            index += 1
            guard unit == backslash, index < units.count else {
                result.append(unit)
                continue
            }
            if units[index] == backslash {
                result.append(backslash)
                index += 1
            } else if units[index] == UInt16(UInt8(ascii: "u")), let escaped = codeUnit(units[(index + 1)...].prefix(4))
            {
                result.append(escaped)
                index += 5
            } else {
                result.append(unit)
            }
        }
        return String(decoding: result, as: UTF16.self)
    }

    private static let backslash = UInt16(UInt8(ascii: "\\"))

    private static func needsEscape(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "&"), UInt8(ascii: "\\"): true
        case 0x09, 0x0A: false
        default: byte < 0x20
        }
    }

    /// What XML has no place for, besides control characters.
    private static func isNoCharacter(_ scalar: Unicode.Scalar) -> Bool {
        scalar.value == 0xFFFE || scalar.value == 0xFFFF
    }

    private static func codeUnit(_ digits: ArraySlice<UInt16>) -> UInt16? {
        guard digits.count == 4 else { return nil }
        let text = String(decoding: digits, as: UTF16.self)
        guard text.utf8.allSatisfy({ $0 != UInt8(ascii: "+") && $0 != UInt8(ascii: "-") }) else { return nil }
        return UInt16(text, radix: 16)?.byteSwapped
    }

    private static func hexadecimal(_ byte: UInt32) -> String {
        let digits = String(byte, radix: 16)
        return digits.utf8.count == 1 ? "0\(digits)" : digits
    }
}
