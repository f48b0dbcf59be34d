import Foundation

/// The types that `CAST(value, "type")` knows. Dates count seconds since the reference date.
package enum CastTarget: String, CaseIterable, Sendable {
    case string = "NSString"
    case number = "NSNumber"
    case integer = "NSInteger"
    case decimal = "NSDecimalNumber"
    case date = "NSDate"
    case timeInterval = "NSTimeInterval"
    case uuid = "NSUUID"
    case url = "NSURL"
    case data = "NSData"
    case array = "NSArray"
    case set = "NSSet"
    case orderedSet = "NSOrderedSet"
    case dictionary = "NSDictionary"

    package init?(_ name: String) {
        switch name {
        case "Date": self = .date
        case "String": self = .string
        default: self.init(rawValue: name)
        }
    }

    /// The value as the type; nil where it can't be.
    func value(of value: Any?) -> Any? {
        let evaluated = EvaluatedValue(value)
        switch self {
        case .string: return Self.text(evaluated)
        case .number: return Self.numeric(evaluated)?.number
        case .integer: return Self.numeric(evaluated)?.int64Value.map { NSNumber(value: $0) }
        case .decimal: return Self.decimal(evaluated)
        case .date: return Self.seconds(evaluated).map(Date.init(timeIntervalSinceReferenceDate:))
        case .timeInterval: return Self.seconds(evaluated).map { NSNumber(value: $0) }
        case .uuid: return Self.uuid(evaluated)
        case .url: return Self.url(evaluated)
        case .data: return Self.data(evaluated)
        case .array, .set, .orderedSet, .dictionary: return collection(value)
        }
    }

    /// The constant that an expression is which casts a constant to a type without literals; otherwise the same.
    static func simplified(_ expression: NSExpression) -> NSExpression {
        guard case .function(nil, BuiltInFunction.cast.rawValue, let arguments) = expression.form,
            arguments.count == 2, case .constant(let name as String) = arguments[1].form
        else { return expression }
        return CastTarget(name)?.foldedConstant(arguments[0]) ?? expression
    }

    /// The constant that the cast of a constant makes, for the types that have no literals of their own.
    func foldedConstant(_ expression: NSExpression) -> NSExpression? {
        let constant: Any?
        switch (self, expression.form) {
        case (.string, _), (.number, .constant(is NSNumber)), (.integer, _), (.timeInterval, _), (.array, _):
            return nil
        case (_, .constant(let value)):
            constant = value is NSExpression ? nil : self.value(of: value)
        case (.set, .aggregate(let elements)), (.orderedSet, .aggregate(let elements)),
            (.dictionary, .aggregate(let elements)):
            var values: [Any] = []
            for element in elements {
                guard let value = element.constantInAggregate else { return nil }
                values.append(value)
            }
            constant = self.value(of: values)
        default:
            return nil
        }
        return constant.map { NSExpression(forConstantValue: $0) }
    }

    private static func text(_ value: EvaluatedValue) -> String? {
        switch value {
        case .string(let text): return text
        case .number(let number): return number.number.stringValue
        case .uuid(let uuid): return uuid.uuidString
        case .date(let seconds): return "\(Date(timeIntervalSinceReferenceDate: seconds))"
        case .object(let object): return (object as? URL)?.absoluteString ?? "\(object)"
        case .null, .data, .collection: return nil
        }
    }

    private static func numeric(_ value: EvaluatedValue) -> NumericValue? {
        switch value {
        case .number(let number): return number
        case .date(let seconds): return .real(seconds)
        case .string(let text):
            if let integer = Int64(text) { return .integer(integer) }
            return Double(text).map(NumericValue.real)
        default: return nil
        }
    }

    private static func decimal(_ value: EvaluatedValue) -> NSDecimalNumber? {
        if case .string(let text) = value {
            return Decimal(string: text, locale: Locale(identifier: "en_US_POSIX")).map(NSDecimalNumber.init)
        }
        return numeric(value).map { NSDecimalNumber(decimal: $0.decimalValue) }
    }

    private static func seconds(_ value: EvaluatedValue) -> Double? {
        numeric(value)?.doubleValue
    }

    private static func uuid(_ value: EvaluatedValue) -> UUID? {
        switch value {
        case .uuid(let uuid): return uuid
        case .string(let text): return UUID(uuidString: text)
        default: return nil
        }
    }

    private static func url(_ value: EvaluatedValue) -> URL? {
        switch value {
        case .object(let object): return object as? URL
        case .string(let text): return URL(string: text)
        default: return nil
        }
    }

    /// Text is Base64.
    private static func data(_ value: EvaluatedValue) -> Data? {
        switch value {
        case .data(let data): return data
        case .string(let text): return Data(base64Encoded: text)
        default: return nil
        }
    }

    private func collection(_ value: Any?) -> Any? {
        guard let value, let elements = Elements(value) else { return nil }
        // It has no order in which its values could be keys and values by turns.
        if self == .dictionary, elements.kind == .dictionary { return value as? NSDictionary }
        switch self {
        case .set: return Elements(kind: .set, values: []).rebuilt(elements.values)
        case .orderedSet: return Elements(kind: .orderedSet, values: []).rebuilt(elements.values)
        case .dictionary: return Self.dictionary(elements.values)
        default: return elements.values
        }
    }

    /// Keys and values by turns.
    private static func dictionary(_ values: [Any]) -> NSDictionary? {
        guard values.count.isMultiple(of: 2) else { return nil }
        let dictionary = NSMutableDictionary()
        for index in stride(from: 0, to: values.count, by: 2) {
            // Of a decimal there is no hash; see `ValueIdentity.hashable(_:)`.
            guard let key = values[index] as? NSObject, !(key is NSDecimalNumber) else { return nil }
            dictionary.setObject(values[index + 1], forKey: key)
        }
        return dictionary
    }
}
