import Foundation

/// What makes two values the same in a set: numbers by value, strings by text, managed objects by their ID.
package enum ValueIdentity {
    /// A key for sets and dictionaries.
    package indirect enum Key: Hashable {
        case missing
        case real(Double)
        case notANumber
        /// Whole numbers that no floating-point number equals, and decimals that no literal stands for.
        case exact(Decimal)
        case text(LiteralText)
        case date(Double)
        case data(Data)
        case uuid(UUID)
        case sequence([Key])
        case set(Set<Key>)
        case dictionary([Key: Key])
        case other(AnyHashable)
    }

    /// A string that is the same only if its scalars are: Swift's own equality ignores how a character is composed.
    package struct LiteralText: Hashable {
        let text: String

        package static func == (left: LiteralText, right: LiteralText) -> Bool {
            left.text.utf8.elementsEqual(right.text.utf8)
        }

        package func hash(into hasher: inout Hasher) {
            for byte in text.utf8 {
                hasher.combine(byte)
            }
        }
    }

    /// The key of a value; nil where it has none because it isn't hashable.
    package static func key(_ value: Any?) -> Key? {
        key(EvaluatedValue(value))
    }

    /// The key of a value; nil where it has none because it isn't hashable.
    package static func key(_ value: EvaluatedValue) -> Key? {
        switch value {
        case .null: return .missing
        case .number(let number): return key(number)
        case .string(let text): return .text(LiteralText(text: text))
        case .date(let seconds): return .date(seconds)
        case .data(let data): return .data(data)
        case .uuid(let uuid): return .uuid(uuid)
        case .collection(let collection): return key(ofCollection: collection)
        case .object(let object):
            if let object = object as? any PredicateComparableObject { return .other(object.predicateIdentity) }
            return hashable(object).map(Key.other)
        }
    }

    /// Of the elements' keys; nil where one of them has none.
    private static func key(ofCollection collection: Any) -> Key? {
        if let dictionary = collection as? NSDictionary {
            var entries: [Key: Key] = [:]
            for entryKey in dictionary.allKeys {
                guard let name = key(entryKey), let value = key(dictionary.object(forKey: entryKey)) else { return nil }
                entries[name] = value
            }
            return .dictionary(entries)
        }
        guard let elements = Elements(collection) else { return nil }
        let keys = elements.values.compactMap { key($0) }
        guard keys.count == elements.values.count else { return nil }
        return elements.kind == .set ? .set(Set(keys)) : .sequence(keys)
    }

    private static func key(_ number: NumericValue) -> Key {
        switch number {
        case .integer(let value): return Double(exactly: value).map(Key.real) ?? .exact(Decimal(value))
        case .unsigned(let value): return Double(exactly: value).map(Key.real) ?? .exact(Decimal(value))
        case .real(let value): return value.isNaN ? .notANumber : .real(value)
        case .decimal(let value):
            // A whole number is the same as the integer, which a floating-point number may be near.
            if value.exponent >= 0 {
                if let whole = Int64(value.description) { return key(.integer(whole)) }
                if let whole = UInt64(value.description) { return key(.unsigned(whole)) }
            }
            let real = NumericValue.nearestDouble(value)
            // A decimal that a literal with a point could stand for is the same as that literal.
            return NumericValue.real(real).decimalValue == value ? .real(real) : .exact(value)
        }
    }

    static func isDecimal(_ value: Any) -> Bool {
        type(of: value) == Decimal.self || instance(value, of: NSDecimalNumber.self) != nil
    }

    /// The entry of a dictionary, for a key that may be a decimal: those have no hash, so it is looked up as a
    /// floating-point number.
    static func entry(of dictionary: NSDictionary, for key: Any) -> Any? {
        guard let decimal = instance(key, of: NSDecimalNumber.self) else { return dictionary.object(forKey: key) }
        return dictionary.object(forKey: NSNumber(value: NumericValue.nearestDouble(decimal.decimalValue)))
    }

    /// The value as an element of a Swift set; nil where it isn't hashable.
    package static func hashable(_ value: Any) -> AnyHashable? {
        // Asking an NSDecimalNumber for its hash never ends in Foundation on Linux (seen in Swift 6.3.1).
        if let decimal = instance(value, of: NSDecimalNumber.self) { return AnyHashable(decimal.decimalValue) }
        if let hashable = value as? AnyHashable { return hashable }
        if let hashable = value as? any Hashable { return AnyHashable(hashable) }
        // An array of anything is hashable as an object.
        return ((value as AnyObject) as? NSObject).map(AnyHashable.init)
    }
}
