import Foundation

/// A list of any number of values as one parameter: a JSON array, which SQLite takes apart itself.
package enum SQLValueList {
    /// A subquery that yields the values.
    package static func select(_ values: [SQLBinding]) -> SQLFragment {
        let integers = values.allSatisfy { if case .int = $0 { true } else { false } }
        let texts = values.allSatisfy { if case .text = $0 { true } else { false } }
        if integers { return "SELECT value FROM json_each(\(bind: json(values)))" }
        if texts {
            let elements = textElements(values)
            return "SELECT \(elements.value) FROM json_each(\(bind: elements.list))"
        }
        // JSON has no bytes, and reading a double from its digits might miss the last bit.
        return
            "SELECT \(raw: SQLStringFunction.unpack.rawValue)(value) FROM json_each(\(bind: packed(values)))"
    }

    /// The rows with any of these keys.
    package static func select(_ keys: some Sequence<Int64>) -> SQLFragment {
        "SELECT value FROM json_each(\(bind: .text(json(keys))))"
    }

    package static func json(_ keys: some Sequence<Int64>) -> String {
        var text = "["
        for key in keys {
            if text.utf8.count > 1 { text += "," }
            text += String(key)
        }
        return text + "]"
    }

    package static func json(_ values: [SQLBinding]) -> SQLBinding {
        var text = "["
        for (index, value) in values.enumerated() {
            if index > 0 { text += "," }
            switch value {
            case .int(let value): text += String(value)
            case .text(let value): append(value, to: &text)
            case .null, .double, .blob: text += "null"
            }
        }
        return .text(text + "]")
    }

    /// Texts as a list, and the expression that an element of it is: SQLite ends a text of JSON at U+0000, so that a list that has one
    /// is packed.
    package static func textElements(_ texts: [SQLBinding]) -> (list: SQLBinding, value: SQLFragment) {
        texts.contains(where: hasNull)
            ? (packed(texts), "\(raw: SQLStringFunction.unpack.rawValue)(json_each.value)")
            : (json(texts), "json_each.value")
    }

    private static func hasNull(_ value: SQLBinding) -> Bool {
        if case .text(let text) = value { text.utf8.contains(0) } else { false }
    }

    private static func append(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case _ where scalar.value < 0x20: text += String(format: "\\u%04x", scalar.value)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }

    // MARK: Values that JSON can't hold

    /// Values of any form as a JSON array of texts, each for ``SQLStringFunction/unpack``.
    package static func packed(_ values: [SQLBinding]) -> SQLBinding { json(values.map(packed)) }

    /// A letter for the form, and the value's bits in hexadecimal.
    private static func packed(_ value: SQLBinding) -> SQLBinding {
        switch value {
        case .null: return .null
        case .int(let value): return .text("i" + String(value))
        case .double(let value): return .text("d" + String(value.bitPattern, radix: 16))
        case .text(let value) where value.utf8.contains(0):
            return .text("n" + Data(value.utf8).base64EncodedString())
        case .text(let value): return .text("t" + value)
        case .blob(let value): return .text("b" + value.base64EncodedString())
        }
    }

    /// The value that ``packed(_:)`` made a text of.
    package static func unpacked(_ text: String) -> SQLBinding {
        let content = text.dropFirst()
        switch text.first {
        case "i": return Int64(content).map { .int($0) } ?? .null
        case "d": return UInt64(content, radix: 16).map { .double(Double(bitPattern: $0)) } ?? .null
        case "t": return .text(String(content))
        case "n":
            return Data(base64Encoded: String(content)).map { .text(String(decoding: $0, as: UTF8.self)) } ?? .null
        case "b": return Data(base64Encoded: String(content)).map { .blob($0) } ?? .null
        default: return .null
        }
    }
}
