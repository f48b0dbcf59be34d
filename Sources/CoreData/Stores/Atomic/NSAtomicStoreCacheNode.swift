@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// One object as an atomic store has it in memory (Apple: NSAtomicStoreCacheNode).
///
/// Values are by property name: attributes as they are, a to-one relationship as a node, a to-many as a collection of
/// nodes. A subclass may unpack its values in ``value(forKey:)`` when they are first asked for.
open class NSAtomicStoreCacheNode: NSObject, KeyValueCoding, PredicateComparableObject {
    /// The identity of the object.
    open private(set) var objectID: NSManagedObjectID
    /// The values by property name; nil until something was set.
    open var propertyCache: NSMutableDictionary? {
        get {
            if let values = ownValues { expose(values) }
            return exposedValues
        }
        set {
            ownValues = nil
            exposedValues = newValue
        }
    }
    /// The values while nobody has asked for ``propertyCache``, whose owner may change it.
    private final var ownValues: [String: Any]?
    private final var exposedValues: NSMutableDictionary?
    /// Counted up with each save, for optimistic locking.
    final var version: Int64 = 1
    /// The values as a row, made when they are first asked for.
    final var row: RowRef?
    /// Whether a relationship leads to objects that had no nodes when the values were taken over.
    final var lacksDestinations = false

    /// What was set that can be changed in place. Foundation on Linux gives Swift collections out of a dictionary, whatever was put in.
    private final var mutableValues: [String: NSObject]?

    /// Makes a node without values.
    public init(objectID moid: NSManagedObjectID) {
        objectID = moid
        super.init()
    }

    /// The value of a property; nil when there is none.
    open func value(forKey key: String) -> Any? {
        if let ownValues {
            let value = ownValues[key]
            if let members = value as? NodeMembers { return members.collection }
            return value is NSNull ? nil : value
        }
        let value = propertyCache?[key]
        if let kept = mutableValues?[key], kept.isEqual(value) { return kept }
        return value is NSNull ? nil : value
    }

    /// Sets the value of a property. A collection that can be changed in place comes back as it is from ``value(forKey:)``.
    open func setValue(_ value: Any?, forKey key: String) {
        row = nil
        if hasOwnValues {
            if ownValues == nil { ownValues = [:] }
            ownValues?[key] = value
            return
        }
        if propertyCache == nil { propertyCache = NSMutableDictionary() }
        propertyCache?[key] = value
        if value is NSMutableSet || value is NSMutableOrderedSet || value is NSMutableArray {
            mutableValues = mutableValues ?? [:]
            mutableValues?[key] = value as? NSObject
        } else {
            mutableValues?[key] = nil
        }
    }

    /// The value as rows are made of it: what ``value(forKey:)`` says, or its archived form.
    func storedValue(of property: PropertyLayout) -> Any? { value(forKey: property.name) }

    /// Whether values are in the property cache and nowhere else. A subclass may have them in a form of its own besides.
    var isPropertyCacheAlone: Bool { type(of: self) == NSAtomicStoreCacheNode.self }

    /// Whether nobody else can read or change what the node has but by its methods.
    private final var hasOwnValues: Bool { exposedValues == nil && isPropertyCacheAlone }

    private final func expose(_ values: [String: Any]) {
        ownValues = nil
        exposedValues = NSMutableDictionary(capacity: values.count)
        for (key, value) in values { setValue((value as? NodeMembers)?.collection ?? value, forKey: key) }
    }

    // MARK: Members

    /// The nodes that a to-many relationship leads to.
    final func members(of relationship: PropertyLayout) -> NodeMembers {
        storedMembers(of: relationship) ?? NodeMembers([], isOrdered: false)
    }

    /// The same as it was set, where nobody has asked for ``propertyCache``.
    final func ownMembers(of relationship: PropertyLayout) -> NodeMembers? {
        ownValues?[relationship.name] as? NodeMembers
    }

    /// The nodes that a to-many relationship leads to; nil where it has no value.
    final func storedMembers(of relationship: PropertyLayout) -> NodeMembers? {
        if let members = ownMembers(of: relationship) { return members }
        guard let value = storedValue(of: relationship) else { return nil }
        let members = NodeMembers(value: value)
        // What its owner can change in place is looked at anew each time.
        if ownValues != nil, value is NSSet || value is NSOrderedSet, !(value is NSMutableSet),
            !(value is NSMutableOrderedSet)
        {
            ownValues?[relationship.name] = members
        }
        return members
    }

    final func setMembers(_ members: NodeMembers, of relationship: PropertyLayout) {
        setValue(hasOwnValues ? members : members.collection, forKey: relationship.name)
    }

    // MARK: Key-value coding

    /// The value for a key as predicates read it: `objectID`, `self`, `entity`, or else ``value(forKey:)``; a to-many relationship that
    /// the node has no value of is empty.
    public final func kvcValue(forKey key: String) -> Any? {
        switch key {
        case "objectID", "self", "SELF": objectID
        case "entity": objectID.entity
        default: value(forKey: key) ?? emptyCollection(forKey: key)
        }
    }
    /// Forwards to ``setValue(_:forKey:)``.
    public final func setKVCValue(_ value: Any?, forKey key: String) { setValue(value, forKey: key) }
    /// Whether the key is a property of the node's entity, or `objectID`, `self` or `entity`.
    public final func definesKVCValue(forKey key: String) -> Bool {
        objectID.layout.property(named: key) != nil || ["objectID", "self", "SELF", "entity"].contains(key)
    }
    /// The node's object ID, so that predicates compare nodes with objects and IDs.
    public final var predicateIdentity: AnyHashable { objectID }

    private func emptyCollection(forKey key: String) -> Any? {
        guard let property = objectID.layout.property(named: key), property.kind == .toMany else { return nil }
        return property.isOrdered ? NSOrderedSet() : NSSet()
    }
}
