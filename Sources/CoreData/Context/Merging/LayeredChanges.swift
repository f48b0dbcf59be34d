@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// The destination that another context or process has saved for a to-one which this context has changed as well.
struct ConflictingDestination {
    let object: NSManagedObject
    let property: PropertyLayout
    let key: ObjectKey

    /// All rival destinations of an object, found before it gets a new row.
    static func all(of object: NSManagedObject, _ changed: [PropertyLayout], in row: RowRef) -> [ConflictingDestination]
    {
        changed.compactMap { property in
            guard property.kind == .toOne, property.inverse != nil,
                case .reference(let key) = row.page.value(row.row, property),
                !object.isSame(.reference(key), object.committedField(property), of: property)
            else { return nil }
            return ConflictingDestination(object: object, property: property, key: key)
        }
    }
}

extension NSManagedObject {
    /// Lays some of the object's values, and what it has done to its to-many relationships, over a new row.
    ///
    /// Members are read anew when they are next asked for.
    final func lay(_ kept: [PropertyLayout], of state: ObjectState, over row: RowRef) {
        // Where only members were changed, the object's own values are those it was read with.
        let mine = state.current.isEmpty ? snapshotRowValues() : state.current
        let values = kept.filter { $0.rowSlot >= 0 }.map { ($0.rowSlot, lasting(mine[$0.rowSlot])) }
        snapshot = row
        state.changed = SlotSet()
        state.current = snapshotRowValues()
        for (slot, value) in values {
            state.current[slot] = value
            state.changed.insert(slot)
        }
        let properties = layout.properties
        func isKept(_ property: PropertyLayout) -> Bool {
            property.rowSlot < 0 ? property.kind != .fetched : state.changed.contains(property.rowSlot)
        }
        state.toOnes = state.toOnes.filter { isKept(properties[$0.key]) }
        if !state.decoded.isEmpty { state.decoded = state.decoded.filter { isKept(properties[$0.key]) } }
        for (index, value) in state.toManys where !properties[index].isTransient {
            if value.hasChanges || value.hasChangesInEvent {
                value.unload()
            } else {
                state.toManys[index] = nil
            }
        }
    }
}
