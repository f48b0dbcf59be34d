import Foundation

/// A value out of its box, in the form that comparisons and functions work on.
package enum EvaluatedValue {
    case null
    case number(NumericValue)
    case string(String)
    /// Seconds since the reference date.
    case date(Double)
    case data(Data)
    case uuid(UUID)
    /// An array, set, ordered set or dictionary.
    case collection(Any)
    /// Something else, compared by identity or by its own equality.
    case object(Any)

    /// The form of a value as key-value coding gives it. `NSNull` is a missing value.
    package init(_ value: Any?) {
        guard let value else {
            self = .null
            return
        }
        let type = type(of: value)
        // By exact type first: a conditional cast to a bridged class would make an object to look at.
        if type == String.self {
            self = .string(value as! String)
        } else if let object = instance(value) {
            self.init(object: object)
        } else if type == Date.self {
            self = .date((value as! Date).timeIntervalSinceReferenceDate)
        } else if let number = NumericValue(swiftValue: value) {
            self = .number(number)
        } else {
            self.init(swiftValue: value)
        }
    }

    private init(object: AnyObject) {
        switch object {
        case let number as NSNumber: self = .number(NumericValue(number))
        case let string as NSString: self = .string(string as String)
        case let date as NSDate: self = .date(date.timeIntervalSinceReferenceDate)
        case is NSNull: self = .null
        case let data as NSData: self = .data(data as Data)
        case let uuid as NSUUID: self = .uuid(uuid as UUID)
        case let url as NSURL: self = .object(url as URL)
        case is NSArray, is NSSet, is NSOrderedSet, is NSDictionary: self = .collection(object)
        default: self = .object(object)
        }
    }

    private init(swiftValue value: Any) {
        switch value {
        case let data as Data: self = .data(data)
        case let uuid as UUID: self = .uuid(uuid)
        case let url as URL: self = .object(url)
        case let text as Substring: self = .string(String(text))
        case let character as Character: self = .string(String(character))
        case let nested as any OptionalValue: self.init(nested.erased)
        case let nested as AnyHashable where type(of: value) == AnyHashable.self: self.init(nested.base)
        default: self = Elements(value) == nil ? .object(value) : .collection(value)
        }
    }

    package var isNull: Bool {
        if case .null = self { true } else { false }
    }
}

/// An optional of any kind, for looking into an `Any` that holds one.
package protocol OptionalValue {
    var erased: Any? { get }
}

extension Optional: OptionalValue {
    package var erased: Any? { map { $0 as Any } }
}

extension Optional where Wrapped == Any {
    /// The value without the optionals that it is wrapped in: an `Any` may hold an `Optional.none`.
    package static func flattened(_ value: Any?) -> Any? {
        guard let value else { return nil }
        // Usual types, as asking whether a type conforms to a protocol costs more than a thousand instructions.
        let type = type(of: value)
        if type == String.self || type == Int.self || type == Int64.self || type == Double.self || type is AnyClass {
            return value
        }
        guard let nested = value as? any OptionalValue else { return value }
        return flattened(nested.erased)
    }
}
