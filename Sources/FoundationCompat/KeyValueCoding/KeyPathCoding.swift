import Foundation

/// Key-value coding from a table of Swift key paths, for classes that have no other.
///
///     final class Book: NSObject, KeyPathCoding {
///         var title = ""
///         static var keyPathsByKey: [String: AnyKeyPath] { ["title": \Book.title] }
///     }
///
/// A key path that can't be written to makes a key that can only be read. (Our addition: there is no run time on
/// Linux that could find a property by its name.)
public protocol KeyPathCoding: KeyValueCoding {
    /// The properties by key, inherited ones included.
    static var keyPathsByKey: [String: AnyKeyPath] { get }
}

extension KeyPathCoding {
    public func kvcValue(forKey key: String) -> Any? {
        guard let keyPath = Self.keyPathsByKey[key] else {
            fatalError("\(UndefinedKeyError(self, key: key))")
        }
        guard let value = Optional.flattened(self[keyPath: keyPath]) else { return nil }
        if let flag = value as? Bool, type(of: value) == Bool.self { return NSNumber(value: flag) }
        return NumericValue(swiftValue: value)?.number ?? value
    }

    public func setKVCValue(_ value: Any?, forKey key: String) {
        guard let keyPath = Self.keyPathsByKey[key] as? any SettableKeyPath else {
            fatalError(
                "[<\(Self.self)> setValue:forUndefinedKey:]: this class is not key value coding-compliant for "
                    + "the key \(key).")
        }
        KeyValueChanges.willChange(self, key)
        keyPath.set(isNull(value) ? nil : value, on: self, key: key)
        KeyValueChanges.didChange(self, key)
    }

    public func definesKVCValue(forKey key: String) -> Bool {
        Self.keyPathsByKey[key] != nil
    }
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

    /// A collection of another kind as the kind that the property has.
    private func converted(_ value: Any) -> Value? {
        guard let elements = Elements(value) else { return nil }
        return elements.values as? Value ?? Set(elements.values.compactMap(ValueIdentity.hashable)) as? Value
    }
}
