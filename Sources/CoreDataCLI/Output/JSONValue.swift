import Foundation

/// A JSON document, written the same way each time: keys sorted, shortest numbers that read back the same.
enum JSONValue: Equatable {
    case null
    case bool(Bool)
    case integer(Int64)
    case number(Double)
    case string(String)
    case array([JSONValue])
    case object([String: JSONValue])

    /// Any value that property lists, user info and transformers produce. What JSON has no form for becomes
    /// a string: data as base64, dates as ISO 8601, other objects by their description.
    init(_ value: Any?) {
        switch value {
        case nil, is NSNull: self = .null
        case let value as String: self = .string(value)
        case let value as Data: self = .string(value.base64EncodedString())
        case let value as Date: self = .string(ISO8601Timestamp.string(from: value))
        case let value as UUID: self = .string(value.uuidString)
        case let value as URL: self = .string(value.absoluteString)
        case let value as NSDecimalNumber: self = .string(value.decimalValue.description)
        case let value as NSNumber: self = Self.scalar(value)
        case let value as [String: Any]: self = .object(value.mapValues { JSONValue($0) })
        case let value as [Any]: self = .array(value.map { JSONValue($0) })
        case let value as Set<AnyHashable>:
            self = .array(value.map { JSONValue($0.base) }.sorted { $0.text() < $1.text() })
        case let value?: self = .string(String(describing: value))
        }
    }

    private static func scalar(_ number: NSNumber) -> JSONValue {
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "c"), UInt8(ascii: "B"): .bool(number.boolValue)
        case UInt8(ascii: "d"), UInt8(ascii: "f"): .number(number.doubleValue)
        default: .integer(number.int64Value)
        }
    }

    /// The document as text: on one line, or spread over lines with two blanks for each level.
    func text(indented: Bool = false) -> String {
        var text = ""
        write(to: &text, indentation: indented ? 0 : nil)
        return text
    }

    private func write(to text: inout String, indentation: Int?) {
        switch self {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .integer(let value): text += String(value)
        case .number(let value): text += Self.numeral(value)
        case .string(let value): Self.quote(value, into: &text)
        case .array(let items):
            Self.writeList(items, in: ("[", "]"), to: &text, indentation: indentation) { item, text, inner in
                item.write(to: &text, indentation: inner)
            }
        case .object(let members):
            let sorted = members.sorted { $0.key < $1.key }
            Self.writeList(sorted, in: ("{", "}"), to: &text, indentation: indentation) { member, text, inner in
                Self.quote(member.key, into: &text)
                text += inner == nil ? ":" : ": "
                member.value.write(to: &text, indentation: inner)
            }
        }
    }

    private static func writeList<Item>(
        _ items: [Item], in brackets: (open: String, close: String), to text: inout String, indentation: Int?,
        writeItem: (Item, inout String, Int?) -> Void
    ) {
        let inner = items.isEmpty ? nil : indentation.map { $0 + 1 }
        text += brackets.open
        for (index, item) in items.enumerated() {
            if index > 0 { text += "," }
            if let inner { text += "\n" + String(repeating: "  ", count: inner) }
            writeItem(item, &text, inner)
        }
        if let indentation, !items.isEmpty { text += "\n" + String(repeating: "  ", count: indentation) }
        text += brackets.close
    }

    /// JSON has no infinities and no NaN: they become strings rather than a document that can't be read.
    private static func numeral(_ value: Double) -> String {
        guard value.isFinite else { return "\"\(value)\"" }
        if value == value.rounded(), abs(value) < 1e15 { return String(Int64(value)) }
        return value.description
    }

    private static func quote(_ string: String, into text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{0}"..<" ", "\u{7F}", "\u{FEFF}":
                text += "\\u" + String(scalar.value + 0x10000, radix: 16).suffix(4)
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
