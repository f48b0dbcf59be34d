@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension NSManagedObject {
    /// Whether the next save of its context deletes the object.
    final var isToBeDeleted: Bool { flags.contains(.deleted) }

    /// What ``changedValues()`` gives.
    final var unsavedValues: [String: Any] {
        guard let state else { return [:] }
        var values: [String: Any] = [:]
        for property in layout.properties where !property.isTransient && isChanged(property, in: state) {
            values[property.name] = primitiveValue(of: property) ?? NSNull()
        }
        return values
    }

    /// What ``changedValuesForCurrentEvent()`` gives.
    ///
    /// Observers of `NSManagedObjectContextObjectsDidChange` ask for what the event has changed that they are told of (seen in
    /// public programs).
    final var valuesBeforeEvent: [String: Any] {
        guard let state else { return [:] }
        let present = values(before: state.eventChanges, in: state)
        guard let posted = ownContext?.postedEvent?.changes(of: self) else { return present }
        return values(before: posted, in: state).merging(present) { $1 }
    }

    private func values(before changes: ObjectState.EventChanges, in state: ObjectState) -> [String: Any] {
        var values: [String: Any] = [:]
        for property in layout.properties {
            if property.kind == .toMany {
                guard let toMany = state.toManys[property.index], let inEvent = changes.toManys[property.index]
                else { continue }
                values[property.name] = Self.collection(toMany.members(before: inEvent), of: property)
            } else if property.rowSlot >= 0, !state.current.isEmpty {
                let before = field(property, in: state, base: changes.base)
                guard before != state.current[property.rowSlot] else { continue }
                values[property.name] = anyValue(before, of: property) ?? NSNull()
            } else if property.kind == .composite, !state.current.isEmpty {
                let changed = property.storedLeaves.contains {
                    field($0, in: state, base: changes.base) != state.current[$0.rowSlot]
                }
                if changed {
                    values[property.name] =
                        property.composed { anyValue(field($0, in: state, base: changes.base), of: $0) } ?? NSNull()
                }
            } else if property.kind != .fetched, let base = changes.transientBase {
                let before = transientValue(of: property, in: base)
                let now = transientValue(of: property, in: state.transients)
                if !ObjectValidation.isSame(before, now) { values[property.name] = before ?? NSNull() }
            }
        }
        return values
    }

    /// What ``committedValues(forKeys:)`` gives.
    final func savedValues(forKeys keys: [String]?) -> [String: Any] {
        fireIfNeeded()
        var values: [String: Any] = [:]
        for property in layout.properties where !property.isTransient && property.kind != .fetched {
            if let keys, !keys.contains(property.name) { continue }
            values[property.name] = committedValue(of: property) ?? (wasNeverSaved ? nil : NSNull())
        }
        return values
    }

    /// Whether a save has something to write for the object, which has a row. Values that were set to what they were are no
    /// change (Apple: `hasPersistentChangedValues`).
    final var hasChangesToSave: Bool {
        guard let state else { return false }
        if layout.storedLeaves.contains(where: { isChanged($0, in: state) }) { return true }
        return state.toManys.contains { $0.value.hasChanges && !layout.properties[$0.key].isTransient }
    }

    /// What ``hasPersistentChangedValues`` says.
    final var differsFromStore: Bool {
        guard let state else { return false }
        return layout.properties.contains { !$0.isTransient && isChanged($0, in: state) }
    }

    /// The committed value of a property as clients get it.
    final func committedValue(of property: PropertyLayout) -> Any? {
        switch property.kind {
        case .toMany:
            return Self.collection(members(property).saved, of: property)
        case .composite:
            return property.composed(committedValue)
        default:
            return anyValue(committedField(property), of: property)
        }
    }

    /// The value of a row slot in the snapshot, or the initial one of an object that was never saved.
    final func committedField(_ property: PropertyLayout) -> FieldValue {
        guard property.rowSlot >= 0 else { return .null }
        if let snapshotPage { return snapshotPage.value(Int(snapshotRow), property) }
        return wasNeverSaved ? layout.defaultRow[property.rowSlot] : .null
    }

    final func eventBaseField(_ property: PropertyLayout, in state: ObjectState) -> FieldValue {
        field(property, in: state, base: state.eventBase)
    }

    private func field(
        _ property: PropertyLayout, in state: ObjectState, base: ObjectState.EventBase
    ) -> FieldValue {
        switch base {
        case .unchanged: state.current[property.rowSlot]
        case .snapshot: committedField(property)
        case .row(let row): row[property.rowSlot]
        }
    }

    private func anyValue(_ field: FieldValue, of property: PropertyLayout) -> Any? {
        switch (property.kind, field) {
        case (.toOne, .reference(let key)):
            // A destination that can't be read counts as none, as in every snapshot of values.
            return try? ownContext?.destination(key, of: property, from: self)
        case (.transformable, .data(let data)):
            return TransformableCoder.value(from: data, of: property, in: self)
        default:
            return field.anyValue(of: property)
        }
    }

    final func isChanged(_ property: PropertyLayout, in state: ObjectState) -> Bool {
        switch property.kind {
        case .toMany:
            return state.toManys[property.index]?.hasChanges ?? false
        case .composite:
            return property.elements.contains { isChanged($0, in: state) }
        default:
            guard property.rowSlot >= 0, state.changed.contains(property.rowSlot) else { return false }
            return !isSame(state.current[property.rowSlot], committedField(property), of: property)
                || state.confirmed.contains(property.rowSlot)
        }
    }

    /// Whether a new value is the one that a row holds, in whichever form each is kept.
    final func isSame(_ now: FieldValue, _ before: FieldValue, of property: PropertyLayout) -> Bool {
        if let destination = now.destination, case .reference = before {
            return isSame(
                .reference(ObjectKey(handle: destination.handle, entityIndex: 0)), before, of: property)
        }
        switch (now, before) {
        case (.reference(let left), .reference(let right)):
            return left.handle == right.handle || ownContext?.isSame(left, right) ?? false
        case (.object(let box), .data(let archived)):
            // What can't be archived isn't what a row holds.
            let now =
                state?.archive(of: box, in: property.rowSlot) ?? TransformableCoder.data(from: box.value, of: property)
            return now == archived || isSameValue(box.value, archived, of: property)
        case (.data(let left), .data(let right)) where property.kind == .transformable:
            guard left != right else { return true }
            guard let value = TransformableCoder.value(from: left, of: property, in: self) else { return false }
            return isSameValue(value, right, of: property)
        default:
            return now == before
        }
    }

    /// Whether an archive holds a value: archives of one value may differ, as the order of their keys isn't defined.
    private func isSameValue(_ value: Any, _ archive: Data, of property: PropertyLayout) -> Bool {
        guard let other = TransformableCoder.value(from: archive, of: property, in: self) else { return false }
        return ObjectValidation.isSame(value, other)
    }

    /// The row slots that a save has to write.
    final var slotsToSave: [PropertyLayout] {
        guard let state else { return [] }
        return layout.storedLeaves.filter { isChanged($0, in: state) }
    }

    private static func collection(_ members: ContiguousArray<NSManagedObject>, of property: PropertyLayout) -> Any {
        property.isOrdered ? NSOrderedSet(array: Array(members)) : Set(members)
    }
}
