@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObject: KeyValueCoding, PredicateComparableObject {
    public final func kvcValue(forKey key: String) -> Any? { value(forKey: key) }
    public final func setKVCValue(_ value: Any?, forKey key: String) { setValue(value, forKey: key) }

    public final func definesKVCValue(forKey key: String) -> Bool {
        layout.property(named: key) != nil || Self.unmodeledKeys.contains(key)
            || DeclaredProperties.keyPath(forKey: key, of: type(of: self)) != nil
    }

    /// The property whose setter has the name that a key makes: "Date" and "date" both make `setDate:`.
    final func property(withSetterOf key: String) -> PropertyLayout? {
        guard let first = key.first, first.isUppercase else { return nil }
        return layout.property(named: first.lowercased() + key.dropFirst())
    }

    public final func kvcMutableSetValue(forKey key: String) -> NSMutableSet { mutableSetValue(forKey: key) }
    public final func kvcMutableOrderedSetValue(forKey key: String) -> NSMutableOrderedSet {
        mutableOrderedSetValue(forKey: key)
    }
    public final func kvcMutableArrayValue(forKey key: String) -> NSMutableArray {
        fatalError(
            "mutableArrayValue isn't supported for the relationship \"\(key)\": use mutableSetValue or mutableOrderedSetValue."
        )
    }

    public final func validateKVCValue(_ value: inout Any?, forKey key: String) throws {
        try validateValue(&value, forKey: key)
    }

    public final var predicateIdentity: AnyHashable { objectID }
}

extension NSManagedObjectID: PredicateComparableObject {
    public var predicateIdentity: AnyHashable { self }
}
