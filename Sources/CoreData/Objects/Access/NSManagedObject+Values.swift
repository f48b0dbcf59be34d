@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObject {
    // MARK: Reading

    /// The row that the values are read from while the object is clean.
    final var snapshot: RowRef? {
        get {
            guard let snapshotPage, snapshotPage.batchedFaults == nil else { return nil }
            return RowRef(page: snapshotPage, row: Int(snapshotRow))
        }
        set {
            snapshotPage = newValue?.page
            snapshotRow = Int32(newValue?.row ?? 0)
        }
    }

    /// The version of the row that the object's values were read from; 0 for an object that was never saved.
    final var snapshotVersion: Int64 { snapshotPage?.version(Int(snapshotRow)) ?? 0 }

    /// The version of the row that the object's next one comes after; 0 for an object that never had one.
    final var versionBeforeSave: Int64 { snapshotPage == nil ? state?.formerVersion ?? 0 : snapshotVersion }

    /// Whether neither store nor parent holds the object yet. It may have a permanent ID all the same.
    final var wasNeverSaved: Bool {
        snapshotPage == nil && (flags.isDisjoint(with: [.fault, .inaccessible]) || flags.contains(.inserted))
    }

    final var writableState: ObjectState {
        if let state { return state }
        let made = ObjectState()
        state = made
        return made
    }

    /// The stored value of a property that has a row slot.
    final func field(_ property: PropertyLayout) -> FieldValue {
        if let state, !state.current.isEmpty { return state.current[property.rowSlot] }
        guard let snapshotPage else { return .null }
        return snapshotPage.value(Int(snapshotRow), property)
    }

    /// The value of a property as key-value coding gives it. Fires the fault.
    final func value(of property: PropertyLayout) -> Any? {
        if property.index >= 0 { fireIfNeeded(property.name) }
        return primitiveValue(of: property)
    }

    final func primitiveValue(of property: PropertyLayout) -> Any? {
        switch property.kind {
        case .toOne: return toOne(property)
        case .toMany: return toManyCollection(property)
        case .fetched: return fetchedObjects(property)
        case .composite: return property.composed(primitiveValue)
        default: break
        }
        guard property.rowSlot >= 0 else { return transientValue(of: property, in: state?.transients) }
        if property.kind == .transformable || property.kind == .objectID { return decodedValue(property) }
        return field(property).anyValue(of: property)
    }

    /// The value of a transient property among those that were set: of a fetched object, too, it begins with the default.
    final func transientValue(of property: PropertyLayout, in values: [Int: Any]?) -> Any? {
        guard let value = values?[property.index] else {
            return property.defaultValue.isNull ? nil : property.defaultValue.anyValue(of: property)
        }
        return value is NSNull ? nil : value
    }

    /// A transformable's value: from the object's own row, or decoded once from the archived form.
    private func decodedValue(_ property: PropertyLayout) -> Any? {
        // An element of a composite has no index.
        let isElement = property.index < 0
        if !isElement, let decoded = state?.decoded[property.index] { return decoded }
        guard case .data(let data) = field(property) else { return field(property).anyValue(of: property) }
        guard let value = TransformableCoder.value(from: data, of: property, in: self) else { return nil }
        if !isElement { writableState.decoded[property.index] = value }
        return value
    }

    // MARK: Writing

    /// Sets a value through key-value coding: checks the type, keeps the inverse up, marks the object.
    final func setValue(_ value: Any?, of property: PropertyLayout) {
        fireIfNeeded(property.name)
        switch property.kind {
        case .toOne:
            let destination = checkedDestination(value, of: property)
            let before = toOne(property)
            guard before !== destination else { return reportChange() }
            observably(property) { setPrimitiveToOne(destination, of: property) }
            reportChange()
            maintainInverse(of: property, from: before)
        case .toMany:
            replaceMembers(of: property, with: checkedMembers(value, of: property))
        case .fetched:
            fatalError("Can't set the fetched property \"\(property.name)\".")
        default:
            observably(property) { setPrimitiveAttribute(value, of: property) }
            reportChange()
        }
    }

    /// Sets a row slot, marks the object as changed, and notifies observers of the property.
    @inline(__always)
    final func change(_ property: PropertyLayout, to field: FieldValue) {
        observably(property) { setField(field, of: property) }
        reportChange()
    }

    /// Stores an attribute without notifying observers. A value that comes out of a generic function may be an optional inside.
    final func setPrimitiveAttribute(_ value: Any?, of property: PropertyLayout) {
        // What is any object is stored as it comes; of the others only a nil inside isn't a value of its type.
        if property.rowSlot < 0 { return setValueWithoutColumn(value, of: property) }
        if property.kind == .composite { return setComposite(value, of: property) }
        if property.kind == .transformable {
            state?.decoded[property.index] = nil
            setField(of: property, from: Any?.flattened(value))
        } else {
            setField(of: property, from: value)
        }
    }

    private func setField(of property: PropertyLayout, from value: Any?) {
        guard let field = FieldValue(value, kind: property.kind) ?? FieldValue(.flattened(value), kind: property.kind)
        else {
            refuse(value, of: property, wanted: property.attribute?.attributeValueClassName ?? "?")
        }
        setField(field, of: property)
    }

    private func setValueWithoutColumn(_ given: Any?, of property: PropertyLayout) {
        let value = Any?.flattened(given)
        if property.kind == .composite { return setComposite(value, of: property) }
        let state = writableState
        if state.transientBase == nil, !flags.contains(.inTransition) { state.transientBase = state.transients }
        // Without an entry there is the default.
        let isEmpty = value == nil || value is NSNull
        state.transients[property.index] = isEmpty ? property.defaultValue.isNull ? nil : NSNull() : value
    }

    private func refuse(_ value: Any?, of property: PropertyLayout, wanted: String) -> Never {
        let given = value.map { String(describing: type(of: $0)) } ?? "nil"
        fatalError(
            "Unacceptable type of value for attribute: property = \"\(property.name)\"; desired type = \(wanted); "
                + "given type = \(given); value = \(value.map { "\($0)" } ?? "nil").")
    }

    private func setComposite(_ value: Any?, of property: PropertyLayout) {
        let isEmpty = value == nil || value is NSNull
        guard let values = isEmpty ? [:] : value as? [String: Any] else {
            refuse(value, of: property, wanted: "NSDictionary")
        }
        for element in property.elements {
            setPrimitiveAttribute(values[element.name], of: element)
        }
        if let unknown = values.keys.first(where: { name in !property.elements.contains { $0.name == name } }) {
            fatalError("The composite attribute \"\(property.name)\" has no element \"\(unknown)\".")
        }
    }

    /// Writes a row slot of the object's own row, which it makes from the snapshot when there is none.
    final func setField(_ field: FieldValue, of property: PropertyLayout) {
        let state = beginWriting()
        state.current[property.rowSlot] = field
        state.changed.insert(property.rowSlot)
    }

    /// Makes the object's own row, and records the values that the current event began with.
    final func beginWriting() -> ObjectState {
        let state = writableState
        if case .unchanged = state.eventBase, !flags.contains(.inTransition) {
            state.eventBase = state.current.isEmpty ? .snapshot : .row(state.current)
            state.current = state.current.separateCopy
        }
        if state.current.isEmpty { state.current = snapshotRowValues() }
        return state
    }

    /// All stored values of the snapshot, by row slot.
    final func snapshotRowValues() -> ContiguousArray<FieldValue> { layout.values(of: snapshot) }

    /// Reports the change of the object to its context.
    final func reportChange() {
        if flags.contains(.inTransition) { return }
        // After the first change of an event the context knows already.
        if !flags.isDisjoint(with: .changed), !flags.isDisjoint(with: .editedInEvent) { return }
        ownContext?.objectDidChange(self)
    }

    // MARK: Primitive values

    static let unmodeledKeys: Set<String> = [
        "self", "SELF", "objectID", "entity", "hasChanges", "isInserted", "isUpdated", "isDeleted", "isFault",
        "managedObjectContext",
    ]

    /// Whether a selector is the name of a modelled property, or of its setter.
    final func isAccessor(_ selector: Selector) -> Bool {
        let name = selector.description
        if Self.unmodeledKeys.contains(name) { return true }
        let keys = DeclaredNames.keys(ofSetter: name)
        return (keys.isEmpty ? [name] : keys).contains { layout.property(named: $0) != nil }
    }

    /// Keys that the model doesn't have but that every managed object answers.
    final func value(forUnmodeledKey key: String) -> Any? {
        switch key {
        case "self", "SELF": return self
        case "objectID": return objectID
        case "entity": return entity
        case "hasChanges": return hasChanges
        case "isInserted": return isInserted
        case "isUpdated": return isUpdated
        case "isDeleted": return isDeleted
        case "isFault": return isFault
        case "managedObjectContext": return managedObjectContext
        default:
            if let declared = DeclaredMethods.value(of: self, forKey: key) { return declared.value }
            return value(forUndefinedKey: key)
        }
    }
}
