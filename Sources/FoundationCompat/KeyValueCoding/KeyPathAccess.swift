import Foundation

/// Reading and writing by a Swift key path whose types aren't known statically.
enum KeyPathAccess {
    /// The value as key-value coding gives it.
    static func value(of object: AnyObject, at keyPath: AnyKeyPath) -> Any? {
        let root: Any = object
        return coded(root[keyPath: keyPath])
    }

    /// A value as key-value coding gives it: numbers, also those behind an enumeration, as `NSNumber`.
    static func coded(_ value: Any?) -> Any? {
        guard let value = Optional.flattened(value) else { return nil }
        if let flag = value as? Bool, type(of: value) == Bool.self { return NSNumber(value: flag) }
        if let number = NumericValue(swiftValue: value) { return number.number }
        if let raw = (value as? any RawRepresentable)?.rawValue, let number = NumericValue(swiftValue: raw) {
            return number.number
        }
        return value
    }

    /// Sets the value, which may be a collection or an enumeration's raw value where the property is of another kind.
    ///
    /// - Returns: false where the key path can't be written to.
    static func set(_ value: Any?, on object: AnyObject, at keyPath: AnyKeyPath, key: String) -> Bool {
        guard let settable = keyPath as? any SettableKeyPath else { return false }
        settable.set(isNull(value) ? nil : value, on: object, key: key)
        return true
    }
}

extension KeyPathAccess {
    static func canSet(_ keyPath: AnyKeyPath?) -> Bool { keyPath is any SettableKeyPath }
}

/// A key path that writes to objects, whatever its types.
private protocol SettableKeyPath {
    func set(_ value: Any?, on object: AnyObject, key: String)
}

extension ReferenceWritableKeyPath: SettableKeyPath {
    fileprivate func set(_ value: Any?, on object: AnyObject, key: String) {
        guard let root = object as? Root else {
            fatalError("The key path for \(key) belongs to \(Root.self), not to \(type(of: object))")
        }
        if let value, let fitting = value as? Value ?? converted(value) {
            root[keyPath: self] = fitting
        } else if let none = Value.self as? any ExpressibleByNilLiteral.Type, value == nil {
            root[keyPath: self] = none.init(nilLiteral: ()) as! Value
        } else if value == nil {
            fatalError(
                "[<\(type(of: object))> setNilValueForKey]: could not set nil as the value for the key \(key).")
        } else {
            fatalError("The value for the key \(key) has to be a \(Value.self), not a \(type(of: value!))")
        }
    }

    /// A collection or a raw value as the kind that the property has.
    private func converted(_ value: Any) -> Value? {
        if let type = Value.self as? any RawRepresentable.Type { return Self.made(of: value, type) as? Value }
        guard let elements = Elements(value) else { return nil }
        return elements.values as? Value ?? Set(elements.values.compactMap(ValueIdentity.hashable)) as? Value
    }

    private static func made<Raw: RawRepresentable>(of value: Any, _ type: Raw.Type) -> Raw? {
        (value as? Raw.RawValue).flatMap(Raw.init(rawValue:))
    }
}
