import Foundation

/// Reading by key from values of any type: the one place where it is decided what a key means for what.
package enum KeyValueAccess {
    /// What happens at a key that an object doesn't define.
    package enum Strictness: Sendable {
        /// The object decides, by `value(forUndefinedKey:)`, which stops the program unless it is overridden.
        case objectDecides
        /// It is an error, for key paths that come from outside the program.
        case throwing
    }

    /// The value at a key path; nil as soon as a value on the way is missing.
    package static func value(
        of object: Any?, at path: ParsedKeyPath, from start: Int = 0, _ strictness: Strictness = .objectDecides
    ) throws -> Any? {
        guard var current = object else { return nil }
        for index in start..<path.keys.count {
            let key = path.keys[index]
            if key.utf8.first == UInt8(ascii: "@"), let operation = CollectionOperator(key) {
                let rest = path.keys[(index + 1)...]
                if operation == .count {
                    guard let count = Elements.count(of: current) else { throw UndefinedKeyError(current, key: key) }
                    current = NSNumber(value: count)
                    continue
                }
                return try operation.apply(to: current, path: ParsedKeyPath(keys: Array(rest)), strictness)
            }
            guard let next = try value(of: current, forKey: key, strictness) else { return nil }
            // At the end of the path NSNull is a value, which a dictionary from JSON tells from a key that it doesn't have.
            if isNull(next) { return index == path.keys.count - 1 ? next : nil }
            current = next
        }
        return current
    }

    /// The value for one key.
    package static func value(
        of object: Any, forKey key: String, _ strictness: Strictness = .objectDecides
    ) throws -> Any? {
        if key == "self" {
            return object
        }
        if let instance = instance(object) {
            return try value(ofInstance: instance, forKey: key, strictness)
        }
        if let values = object as? [String: Any] {
            return values[key].flatMap(Optional.flattened) ?? dictionaryProperty(object, key)
        }
        if let elements = Elements(object) {
            if elements.kind == .dictionary {
                return (object as? [AnyHashable: Any])?[key].flatMap(Optional.flattened)
                    ?? dictionaryProperty(object, key)
            }
            return try map(elements, key, strictness)
        }
        if let property = try ValueProperties.value(of: object, forKey: key) {
            return property.value
        }
        return try MirroredProperties.value(of: object, forKey: key)
    }

    private static func value(
        ofInstance object: AnyObject, forKey key: String, _ strictness: Strictness
    ) throws -> Any? {
        if let object = object as? any KeyValueCoding {
            if strictness == .throwing, !object.definesKVCValue(forKey: key) {
                throw UndefinedKeyError(object, key: key)
            }
            return object.kvcValue(forKey: key)
        }
        if let dictionary = object as? NSDictionary {
            return dictionary.object(forKey: key).flatMap(Optional.flattened) ?? dictionaryProperty(dictionary, key)
        }
        if let elements = Elements(object) {
            return try map(elements, key, strictness)
        }
        if let defaults = object as? UserDefaults { return defaults.object(forKey: key) }
        if let declared = DeclaredProperties.value(of: object, forKey: key) { return declared.value }
        if let property = try ValueProperties.value(of: object, forKey: key) {
            return property.value
        }
        return try MirroredProperties.value(of: object, forKey: key)
    }

    /// A collection's own properties, under a key that begins with `@`.
    private static func dictionaryProperty(_ dictionary: Any, _ key: String) -> Any? {
        switch key {
        case "@allKeys": return (dictionary as? NSDictionary)?.allKeys
        case "@allValues": return (dictionary as? NSDictionary)?.allValues
        default: return nil
        }
    }

    /// The values for the key of all elements: a missing one is `NSNull` in an array and left out of a set.
    private static func map(_ elements: Elements, _ key: String, _ strictness: Strictness) throws -> Any {
        var values: [Any] = []
        values.reserveCapacity(elements.values.count)
        for element in elements.values {
            if let value = isNull(element) ? nil : try value(of: element, forKey: key, strictness) {
                values.append(value)
            } else if elements.kind == .array {
                values.append(NSNull())
            }
        }
        return elements.rebuilt(values)
    }
}
