import Foundation

/// Prints constants. A date is a `CAST` of a literal, as Apple prints it.
struct LiteralPrinter {
    let style: ConstantStyle

    func text(of value: Any?) -> String {
        switch EvaluatedValue(value) {
        case .null: return "nil"
        case .number(let number): return text(of: number, value)
        case .string(let text): return Self.quoted(text)
        case .date(let seconds): return "CAST(\(text(ofSeconds: seconds)), \"NSDate\")"
        case .data(let data):
            return style == .parsable ? cast(data.base64EncodedString(), .data) : description(of: data)
        case .uuid(let uuid): return style == .parsable ? cast(uuid.uuidString, .uuid) : uuid.uuidString
        case .collection(let collection): return text(ofCollection: collection)
        case .object(let object):
            guard let url = object as? URL else { return "\(object)" }
            return style == .parsable ? cast(url.absoluteString, .url) : url.description
        }
    }

    /// As `NSData` describes itself: of more than 24 bytes the first and the last eight, in fours.
    private func description(of data: Data) -> String {
        func hexadecimal(_ bytes: Data) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
        guard data.count > 24 else { return "{length = \(data.count), bytes = 0x\(hexadecimal(data))}" }
        let ends = [data.prefix(4), data.dropFirst(4).prefix(4), data.suffix(8).prefix(4), data.suffix(4)].map(
            hexadecimal)
        return "{length = \(data.count), bytes = 0x\(ends[0]) \(ends[1]) ... \(ends[2]) \(ends[3]) }"
    }

    private func cast(_ text: String, _ target: CastTarget) -> String {
        "CAST(\(Self.quoted(text)), \"\(target.rawValue)\")"
    }

    /// As `NSNumber` prints itself: Booleans as 1 and 0, whole numbers without a fraction.
    private func text(of number: NumericValue, _ value: Any?) -> String {
        switch number {
        case .integer(let value): return value.description
        case .unsigned(let value): return value.description
        case .real(let real):
            guard real.isFinite else { return cast(real.description, .number) }
            let isSingle =
                value.map { type(of: $0) == Float.self } ?? false
                || (value as? NSNumber).map { $0.objCType.pointee == 0x66 } ?? false
            let text = isSingle ? Float(real).description : real.description
            // Without its fraction a negative zero would be read as an integer, which has none.
            return text.hasSuffix(".0") && !(real == 0 && real.sign == .minus) ? String(text.dropLast(2)) : text
        // Plain where the text says it all: a literal of more digits is read as the nearest double.
        case .decimal(let value):
            let text = value.description
            let isExact = Double(text).map { $0.description == text || $0.description == text + ".0" } ?? false
            return isExact || style == .described ? text : cast(text, .decimal)
        }
    }

    /// Six digits, as Apple prints them, or as many as the exact value needs.
    private func text(ofSeconds seconds: Double) -> String {
        let short = String(format: "%.6f", seconds)
        return Double(short) == seconds ? short : seconds.description
    }

    private func text(ofCollection collection: Any) -> String {
        if let dictionary = collection as? NSDictionary {
            let entries = dictionary.allKeys.map { list([$0, dictionary.object(forKey: $0) ?? NSNull()]) }
            return "CAST({\(entries.sorted().joined(separator: ", "))}, \"\(CastTarget.dictionary.rawValue)\")"
        }
        guard let elements = Elements(collection) else { return "{}" }
        switch elements.kind {
        case .set:
            // Sorted, so that equal sets print the same.
            let texts = elements.values.map(elementText).sorted()
            return braces(texts.joined(separator: ", "), of: .set)
        case .orderedSet: return braces(list(elements.values), of: .orderedSet)
        case .array, .dictionary: return "{\(list(elements.values))}"
        }
    }

    /// What is in braces alone parses to an array.
    private func braces(_ elements: String, of target: CastTarget) -> String {
        style == .parsable ? "CAST({\(elements)}, \"\(target.rawValue)\")" : "{\(elements)}"
    }

    private func list(_ values: [Any]) -> String {
        values.map(elementText).joined(separator: ", ")
    }

    private func elementText(_ value: Any) -> String {
        instance(value, of: NSExpression.self).map(FormatPrinter(constants: style).text) ?? text(of: value)
    }

    /// In double quotes, with escapes where the tokenizer needs them.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            case _ where scalar.value < 0x20 || scalar.value == 0x7F:
                result += String(format: "\\u%04x", scalar.value)
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
