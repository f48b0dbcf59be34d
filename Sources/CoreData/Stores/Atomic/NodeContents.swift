@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// What a node holds, as objects have it.
struct NodeContents {
    let row: RowRef
    let members: [(property: PropertyLayout, keys: [ObjectKey])]

    /// An object that has these values, as changes to what it would have been read with.
    ///
    /// - Parameter before: what the object was read with; nil for no values at all.
    func object(
        changedFrom before: NodeContents?, of store: NSPersistentStore, in context: NSManagedObjectContext
    ) -> NSManagedObject {
        let storeIndex = context.storeIndex(of: store)
        let object = context.object(for: row.key, storeIndex: storeIndex)
        object.snapshot = before?.row ?? emptyRow(of: object)
        object.flags.remove(.fault)
        object.flags.insert(.updated)
        let state = object.writableState
        state.current = object.layout.values(of: row)
        for property in object.layout.storedLeaves { state.changed.insert(property.rowSlot) }
        for (property, keys) in members {
            let known = before?.members.first { $0.property === property }?.keys ?? []
            let value = ToManyValue(isOrdered: property.isOrdered)
            value.load(known.map { context.object(for: $0, storeIndex: storeIndex) })
            state.toManys[property.index] = value
            object.setPrimitiveMembers(keys.map { context.object(for: $0, storeIndex: storeIndex) }, of: property)
        }
        return object
    }

    private func emptyRow(of object: NSManagedObject) -> RowRef {
        let layout = object.layout
        let page = RowPage(model: layout.model, slotCount: layout.rowSlotCount, capacity: 1)
        page.appendRow(handle: row.key.handle, entityIndex: layout.index, version: row.version)
        return RowRef(page: page, row: 0)
    }
}
