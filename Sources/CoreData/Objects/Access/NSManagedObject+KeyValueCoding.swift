@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObject: KeyValueCoding, PredicateComparableObject {
    /// Forwards to ``NSManagedObject/value(forKey:)``, which a subclass may override.
    public final func kvcValue(forKey key: String) -> Any? { value(forKey: key) }
    /// Forwards to ``NSManagedObject/setValue(_:forKey:)``, which a subclass may override.
    public final func setKVCValue(_ value: Any?, forKey key: String) { setValue(value, forKey: key) }

    /// Whether the key is a property of the entity, one that every managed object has, or one that the class declares
    /// for key-value coding.
    public final func definesKVCValue(forKey key: String) -> Bool {
        layout.property(named: key) != nil || Self.unmodeledKeys.contains(key)
            || DeclaredProperties.keyPath(forKey: key, of: type(of: self)) != nil
            || DeclaredMethods.exists(forKey: key, of: type(of: self))
    }

    /// The property whose setter has the name that a key makes: "Date" and "date" both make `setDate:`.
    final func property(withSetterOf key: String) -> PropertyLayout? {
        guard let first = key.first, first.isUppercase else { return nil }
        return layout.property(named: first.lowercased() + key.dropFirst())
    }

    /// Forwards to ``NSManagedObject/mutableSetValue(forKey:)``.
    public final func kvcMutableSetValue(forKey key: String) -> NSMutableSet { mutableSetValue(forKey: key) }
    /// Forwards to ``NSManagedObject/mutableOrderedSetValue(forKey:)``.
    public final func kvcMutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        mutableOrderedSetValue(forKey: key)
    }
    /// A live view of an ordered relationship, or of a value that is an array. For an unordered relationship the program stops:
    /// its members have no places.
    public final func kvcMutableArrayValue(forKey key: String) -> NSMutableArray {
        if let property = layout.property(named: key), property.kind == .toMany, !property.isOrdered {
            fatalError("The relationship \"\(key)\" of \(layout.name) isn't ordered: use mutableSetValue(forKey:).")
        }
        return KeyValueMutableArray(owner: self, key: key)
    }

    /// Forwards to ``NSManagedObject/validateValue(_:forKey:)``, whose errors it throws.
    public final func validateKVCValue(_ value: inout Any?, forKey key: String) throws {
        try validateValue(&value, forKey: key)
    }

    /// The object's ID, so that a predicate may compare an object with an ID.
    public final var predicateIdentity: AnyHashable { objectID }

    /// Whether the object has a temporary ID.
    public final var predicateIdentityMayChange: Bool { objectID.isTemporaryID }
}

extension NSManagedObjectID: PredicateComparableObject {
    /// The ID that the object has by now, so that a predicate may compare an object with an ID.
    public var predicateIdentity: AnyHashable { current }

    /// Whether the ID is a temporary one.
    public var predicateIdentityMayChange: Bool { isTemporaryID }
}

extension NSManagedObject {
    /// The values of several keys (nil as `NSNull`).
    public final func dictionaryWithValues(forKeys keys: [String]) -> [String: Any] {
        Dictionary(keys.map { ($0, value(forKey: $0) ?? NSNull()) }) { first, _ in first }
    }

    /// Sets the values of several keys (`NSNull` as nil).
    public final func setValuesForKeys(_ keyedValues: [String: Any]) {
        for (key, value) in keyedValues { setValue(value is NSNull ? nil : value, forKey: key) }
    }
}
