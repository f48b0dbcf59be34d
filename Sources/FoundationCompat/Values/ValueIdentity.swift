import Foundation

/// What makes two values the same in a set: numbers by value, strings by text, managed objects by their ID.
package enum ValueIdentity {
    /// A key for sets and dictionaries.
    package enum Key: Hashable {
        case missing
        case real(Double)
        case notANumber
        /// Whole numbers that no floating-point number equals, and decimals that no literal stands for.
        case exact(Decimal)
        case text(LiteralText)
        case date(Double)
        case data(Data)
        case uuid(UUID)
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
        case .collection(let collection): return hashable(collection).map(Key.other)
        case .object(let object):
            if let object = object as? any PredicateComparableObject { return .other(object.predicateIdentity) }
            return hashable(object).map(Key.other)
        }
    }

    private static func key(_ number: NumericValue) -> Key {
        switch number {
        case .integer(let value): return Double(exactly: value).map(Key.real) ?? .exact(Decimal(value))
        case .unsigned(let value): return Double(exactly: value).map(Key.real) ?? .exact(Decimal(value))
        case .real(let value): return value.isNaN ? .notANumber : .real(value)
        case .decimal(let value):
            let real = NSDecimalNumber(decimal: value).doubleValue
            // A decimal that a literal with a point could stand for is the same as that literal.
            return NumericValue.real(real).decimalValue == value ? .real(real) : .exact(value)
        }
    }

    /// The value as an element of a Swift set; nil where it isn't hashable.
    package static func hashable(_ value: Any) -> AnyHashable? {
        if let hashable = value as? AnyHashable { return hashable }
        return (value as? any Hashable).map { AnyHashable($0) }
    }
}
