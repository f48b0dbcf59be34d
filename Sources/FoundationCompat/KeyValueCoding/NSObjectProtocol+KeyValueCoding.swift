import Foundation

/// Apple's entry points to key-value coding, for every object. (Apple: NSKeyValueCoding.)
///
/// A class answers for its own keys by adopting `KeyValueCoding`; arrays and sets map over their elements,
/// dictionaries look the key up, and the stored properties of other objects can be read.
extension NSObjectProtocol {
    /// The value for a key, numbers as `NSNumber`. A key that the object doesn't have stops the program.
    public func value(forKey key: String) -> Any? {
        orStop { try KeyValueAccess.value(of: self, forKey: key) }
    }

    /// The value at a key path, which may have collection operators such as `@sum` in it.
    public func value(forKeyPath keyPath: String) -> Any? {
        orStop { try KeyValueAccess.value(of: self, at: ParsedKeyPath(keyPath)) }
    }

    /// Sets the value for a key: of each element for arrays and sets. A key that can't be set stops the program.
    public func setValue(_ value: Any?, forKey key: String) {
        KeyValueMutation.set(value, on: self, forKey: key)
    }

    /// Sets the value at the end of a key path.
    public func setValue(_ value: Any?, forKeyPath keyPath: String) {
        KeyValueMutation.set(value, on: self, at: ParsedKeyPath(keyPath))
    }

    /// Stops the program: the object has no such key.
    public func value(forUndefinedKey key: String) -> Any? {
        fatalError("\(UndefinedKeyError(self, key: key))")
    }

    /// Stops the program: the object has no such key.
    public func setValue(_ value: Any?, forUndefinedKey key: String) {
        KeyValueMutation.stop(self, undefinedKey: key)
    }

    /// Stops the program: the property can't be nil.
    public func setNilValueForKey(_ key: String) {
        fatalError(
            "[<\(type(of: self))> setNilValueForKey]: could not set nil as the value for the key \(key).")
    }

    /// The values for the keys, `NSNull` for a missing one.
    public func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
    }

    /// Sets the value for each key; `NSNull` sets nil.
    public func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues {
            setValue(isNull(value) ? nil : value, forKey: key)
        }
    }

    /// Checks a value that would be set for a key; the object may put another one into its place.
    public func validateValue(_ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKey inKey: String) throws {
        guard let object = self as? any KeyValueCoding else { return }
        var value: Any? = ioValue.pointee
        try object.validateKVCValue(&value, forKey: inKey)
        ioValue.pointee = value.map { $0 as AnyObject }
    }

    /// Checks a value that would be set at the end of a key path.
    public func validateValue(
        _ ioValue: AutoreleasingUnsafeMutablePointer<AnyObject?>, forKeyPath inKeyPath: String
    ) throws {
        let (owner, key) = KeyValueMutation.owner(of: self, at: ParsedKeyPath(inKeyPath))
        guard let object = owner as? any KeyValueCoding else { return }
        var value: Any? = ioValue.pointee
        try object.validateKVCValue(&value, forKey: key)
        ioValue.pointee = value.map { $0 as AnyObject }
    }

    /// A live set for a to-many key.
    public func mutableSetValue(forKey key: String) -> NSMutableSet {
        KeyValueMutation.coded(self, key).kvcMutableSetValue(forKey: key)
    }

    /// A live ordered set for an ordered to-many key.
    public func mutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        KeyValueMutation.coded(self, key).kvcMutableOrderedSetValue(forKey: key)
    }

    /// A live array for an ordered to-many key.
    public func mutableArrayValue(forKey key: String) -> NSMutableArray {
        KeyValueMutation.coded(self, key).kvcMutableArrayValue(forKey: key)
    }

    /// A live set for the to-many key at the end of a key path.
    public func mutableSetValue(forKeyPath keyPath: String) -> NSMutableSet {
        let (owner, key) = KeyValueMutation.owner(of: self, at: ParsedKeyPath(keyPath))
        return KeyValueMutation.coded(owner, key).kvcMutableSetValue(forKey: key)
    }

    /// A live ordered set for the to-many key at the end of a key path.
    public func mutableOrderedSetValue(forKeyPath keyPath: String) -> NSMutableOrderedSet {
        let (owner, key) = KeyValueMutation.owner(of: self, at: ParsedKeyPath(keyPath))
        return KeyValueMutation.coded(owner, key).kvcMutableOrderedSetValue(forKey: key)
    }

    /// A live array for the to-many key at the end of a key path.
    public func mutableArrayValue(forKeyPath keyPath: String) -> NSMutableArray {
        let (owner, key) = KeyValueMutation.owner(of: self, at: ParsedKeyPath(keyPath))
        return KeyValueMutation.coded(owner, key).kvcMutableArrayValue(forKey: key)
    }

    /// Always true: there are no instance variables to reach on Linux but stored properties, which can be read.
    public static var accessInstanceVariablesDirectly: Bool { true }
}

/// The result, or the end of the program with the error's text, where Apple raises an exception.
func orStop<Result>(_ body: () throws -> Result) -> Result {
    do {
        return try body()
    } catch {
        fatalError("\(error)")
    }
}
