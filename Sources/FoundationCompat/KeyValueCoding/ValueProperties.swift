import Foundation

/// The properties of Foundation's value types that key paths in predicates ask for, under their Objective-C names.
enum ValueProperties {
    /// A property that may have no value.
    struct Found {
        let value: Any?
    }

    /// Nil where the value has no such property.
    static func value(of object: Any, forKey key: String) throws -> Found? {
        switch key {
        case "self": return Found(value: object)
        case "description": return Found(value: "\(object)")
        case "class", "className": return Found(value: "\(type(of: object))")
        default: break
        }
        switch EvaluatedValue(object) {
        case .string(let text): return string(text, key)
        case .number(let number): return self.number(number, key)
        case .date(let seconds): return date(seconds, key)
        case .data(let data): return key == "length" ? Found(value: NSNumber(value: data.count)) : nil
        case .uuid(let uuid): return key.lowercased() == "uuidstring" ? Found(value: uuid.uuidString) : nil
        case .object(let object): return (object as? URL).flatMap { url($0, key) }
        case .null, .collection: return nil
        }
    }

    private static func string(_ text: String, _ key: String) -> Found? {
        switch key {
        case "length": return Found(value: NSNumber(value: text.utf16.count))
        case "count": return Found(value: NSNumber(value: text.count))
        case "uppercaseString", "uppercased": return Found(value: text.uppercased())
        case "lowercaseString", "lowercased": return Found(value: text.lowercased())
        case "capitalizedString", "capitalized": return Found(value: text.capitalized)
        case "intValue": return Found(value: NSNumber(value: (text as NSString).intValue))
        case "integerValue": return Found(value: NSNumber(value: (text as NSString).integerValue))
        case "longLongValue": return Found(value: NSNumber(value: (text as NSString).longLongValue))
        case "floatValue": return Found(value: NSNumber(value: (text as NSString).floatValue))
        case "doubleValue": return Found(value: NSNumber(value: (text as NSString).doubleValue))
        case "boolValue": return Found(value: NSNumber(value: (text as NSString).boolValue))
        case "lastPathComponent": return Found(value: (text as NSString).lastPathComponent)
        case "pathExtension": return Found(value: (text as NSString).pathExtension)
        case "stringByDeletingLastPathComponent":
            return Found(value: (text as NSString).deletingLastPathComponent)
        case "stringByDeletingPathExtension": return Found(value: (text as NSString).deletingPathExtension)
        default: return nil
        }
    }

    private static func number(_ number: NumericValue, _ key: String) -> Found? {
        switch key {
        case "stringValue": return Found(value: number.number.stringValue)
        case "intValue", "integerValue", "longValue", "longLongValue", "shortValue", "charValue",
            "unsignedIntValue", "unsignedIntegerValue", "unsignedLongValue", "unsignedLongLongValue":
            return Found(value: number.int64Value.map { NSNumber(value: $0) } ?? number.number)
        case "doubleValue", "floatValue": return Found(value: NSNumber(value: number.doubleValue))
        case "boolValue": return Found(value: NSNumber(value: number.isTrue))
        case "decimalValue": return Found(value: NSDecimalNumber(decimal: number.decimalValue))
        default: return nil
        }
    }

    private static func date(_ seconds: Double, _ key: String) -> Found? {
        let date = Date(timeIntervalSinceReferenceDate: seconds)
        switch key {
        case "timeIntervalSinceReferenceDate": return Found(value: NSNumber(value: seconds))
        case "timeIntervalSince1970": return Found(value: NSNumber(value: date.timeIntervalSince1970))
        case "timeIntervalSinceNow": return Found(value: NSNumber(value: date.timeIntervalSinceNow))
        default: return nil
        }
    }

    private static func url(_ url: URL, _ key: String) -> Found? {
        switch key {
        case "absoluteString": return Found(value: url.absoluteString)
        case "path": return Found(value: url.path)
        case "host": return Found(value: url.host)
        case "scheme": return Found(value: url.scheme)
        case "query": return Found(value: url.query)
        case "fragment": return Found(value: url.fragment)
        case "port": return Found(value: url.port.map { NSNumber(value: $0) })
        case "lastPathComponent": return Found(value: url.lastPathComponent)
        case "pathExtension": return Found(value: url.pathExtension)
        case "isFileURL", "fileURL": return Found(value: NSNumber(value: url.isFileURL))
        default: return nil
        }
    }
}
