import Foundation

/// Prints constants. What has no literal is a `CAST` of one that has, as Apple prints dates.
enum LiteralPrinter {
    static func text(of value: Any?) -> String {
        switch EvaluatedValue(value) {
        case .null: return "nil"
        case .number(let number): return text(of: number, value)
        case .string(let text): return quoted(text)
        case .date(let seconds): return "CAST(\(text(ofSeconds: seconds)), \"NSDate\")"
        case .data(let data): return cast(data.base64EncodedString(), .data)
        case .uuid(let uuid): return cast(uuid.uuidString, .uuid)
        case .collection(let collection): return text(ofCollection: collection)
        case .object(let object):
            return (object as? URL).map { cast($0.absoluteString, .url) } ?? "\(object)"
        }
    }

    private static func cast(_ text: String, _ target: CastTarget) -> String {
        "CAST(\(quoted(text)), \"\(target.rawValue)\")"
    }

    /// As `NSNumber` prints itself: Booleans as 1 and 0, whole numbers without a fraction.
    private static func text(of number: NumericValue, _ value: Any?) -> String {
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
            return Double(text).map { $0.description == text || $0.description == text + ".0" } ?? false
                ? text : cast(text, .decimal)
        }
    }

    /// Six digits, as Apple prints them, or as many as the exact value needs.
    private static func text(ofSeconds seconds: Double) -> String {
        let short = String(format: "%.6f", seconds)
        return Double(short) == seconds ? short : seconds.description
    }

    private static func text(ofCollection collection: Any) -> String {
        if let dictionary = collection as? NSDictionary {
            let entries = dictionary.allKeys.map { list([$0, dictionary.object(forKey: $0) ?? NSNull()]) }
            return "CAST({\(entries.sorted().joined(separator: ", "))}, \"\(CastTarget.dictionary.rawValue)\")"
        }
        guard let elements = Elements(collection) else { return "{}" }
        switch elements.kind {
        case .set:
            // Sorted, so that equal sets print the same.
            let texts = elements.values.map(elementText).sorted()
            return "CAST({\(texts.joined(separator: ", "))}, \"\(CastTarget.set.rawValue)\")"
        case .orderedSet: return "CAST({\(list(elements.values))}, \"\(CastTarget.orderedSet.rawValue)\")"
        case .array, .dictionary: return "{\(list(elements.values))}"
        }
    }

    private static func list(_ values: [Any]) -> String {
        values.map(elementText).joined(separator: ", ")
    }

    private static func elementText(_ value: Any) -> String {
        (instance(value, of: NSExpression.self))?.description ?? text(of: value)
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
