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
    /// Reads the property of a key. A key that the table hasn't stops the program.
    public func kvcValue(forKey key: String) -> Any? {
        guard let keyPath = Self.keyPathsByKey[key] else {
            fatalError("\(UndefinedKeyError(self, key: key))")
        }
        return KeyPathAccess.value(of: self, at: keyPath)
    }

    /// Sets the property of a key and tells its observers. A key that the table hasn't, or whose property can't be
    /// written, stops the program.
    public func setKVCValue(_ value: Any?, forKey key: String) {
        let tells = (Self.self as? any KeyValueDependencies.Type)?.automaticallyNotifiesObservers(forKey: key) ?? true
        if tells { KeyValueChanges.willChange(self, key) }
        guard let keyPath = Self.keyPathsByKey[key],
            KeyPathAccess.set(value, on: self, at: keyPath, key: key)
        else { KeyValueMutation.stop(self, undefinedKey: key) }
        if tells { KeyValueChanges.didChange(self, key) }
    }

    /// Whether the table has the key.
    public func definesKVCValue(forKey key: String) -> Bool {
        Self.keyPathsByKey[key] != nil
    }
}
