@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import ManagedObjectModel

extension RowChanges {
    /// The changes as rows.
    init(_ changes: StoreChanges) {
        self.init(
            inserted: changes.inserted.map { RowChange(inserting: $0) },
            updated: changes.updated.map { RowChange(updating: $0) },
            deleted: changes.deleted.map { RowChange(key: $0.savedKey, version: $0.snapshotVersion) },
            locked: changes.locked.map { RowChange(key: $0.savedKey, version: $0.snapshotVersion) },
            settlesInverses: changes.settlesInverses)
    }
}

extension RowChange {
    init(inserting object: NSManagedObject) {
        self.init(key: object.savedKey, version: object.versionBeforeSave)
        values = object.storedRow()
        toManys = object.toManyChanges()
    }

    init(updating object: NSManagedObject) {
        self.init(key: object.savedKey, version: object.snapshotVersion)
        let slots = object.slotsToSave
        values = ContiguousArray(repeating: .null, count: object.layout.rowSlotCount)
        for property in slots { values[property.rowSlot] = object.storedField(property) }
        changedSlots = slots.map(\.rowSlot)
        toManys = object.toManyChanges()
    }
}

extension NSManagedObject {
    /// All stored values by row slot, as a store writes them.
    fileprivate final func storedRow() -> ContiguousArray<FieldValue> {
        var row = state?.current ?? layout.defaultRow
        for property in layout.storedLeaves {
            switch row[property.rowSlot] {
            case .destination, .object: row[property.rowSlot] = storedField(property)
            default: break
            }
        }
        return row
    }

    /// The changed to-many relationships, with destinations as keys.
    fileprivate final func toManyChanges() -> [ToManyRowChange] {
        guard let state, !state.toManys.isEmpty else { return [] }
        var changes: [ToManyRowChange] = []
        for (index, value) in state.toManys where value.hasChanges && !layout.properties[index].isTransient {
            let isOrdered = layout.properties[index].isOrdered
            if isOrdered { _ = members(layout.properties[index]) }
            changes.append(
                ToManyRowChange(
                    propertyIndex: index, added: value.added.map(\.savedKey),
                    removed: value.removed.filter { !$0.wasNeverSaved }.map(\.savedKey),
                    order: isOrdered ? value.ordered.map(\.savedKey) : nil))
        }
        return changes.sorted { $0.propertyIndex < $1.propertyIndex }
    }
}
