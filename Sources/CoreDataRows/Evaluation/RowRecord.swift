import FoundationCompat
import ManagedObjectModel

/// One row of a store, as predicates and sort descriptors look at it: by the keys of its entity's properties, and by those that every
/// object answers.
package protocol RowRecord: KeyValueCoding, PredicateComparableObject {
    var layout: EntityLayout { get }
    /// What the row is called outside of the store.
    var identity: AnyHashable { get }

    /// The value of a property: of a relationship records, or what else stands for the objects.
    func value(of property: PropertyLayout) -> Any?
}

extension RowRecord {
    package var predicateIdentity: AnyHashable { identity }

    package func definesKVCValue(forKey key: String) -> Bool {
        ["objectID", "self", "SELF", "entity"].contains(key) || layout.property(named: key) != nil
    }

    package func kvcValue(forKey key: String) -> Any? {
        switch key {
        case "objectID", "self", "SELF": identity.base
        case "entity": layout.entity
        default: layout.property(named: key).flatMap(value)
        }
    }

    package func setKVCValue(_ value: Any?, forKey key: String) {
        preconditionFailure("a fetch doesn't change what it looks at")
    }

    /// The value of an attribute from what a row holds of it, or of its elements.
    package func attribute(_ property: PropertyLayout, _ field: (PropertyLayout) -> FieldValue) -> Any? {
        switch property.kind {
        case .composite: return property.composed { attribute($0, field) }
        case .transformable:
            guard case .data(let data) = field(property) else { return nil }
            return TransformableCoder.value(from: data, of: property, in: nil)
        default: return property.rowSlot < 0 ? nil : field(property).anyValue(of: property)
        }
    }
}
