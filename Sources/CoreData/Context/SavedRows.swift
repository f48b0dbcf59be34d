import ManagedObjectModel

/// Packs what a save has written into row pages: the objects' new snapshots, and the row cache's new rows.
enum SavedRows {
    static func install(_ objects: ContiguousArray<NSManagedObject>, in context: NSManagedObjectContext) {
        var pages: [PageKey: RowPage] = [:]
        for object in objects where object.storeIndex != 0 {
            if let row = object.state?.writtenRow {
                adopt(row, in: object)
                continue
            }
            let root = object.layout.root
            let key = PageKey(store: object.storeIndex, root: root.index)
            var page = pages[key]
            if page == nil || page!.isFull {
                if let page { register(page, key, in: context) }
                page = RowPage(
                    model: context.model, slotCount: root.widestSlotCount, capacity: capacity(objects.count))
                pages[key] = page
            }
            write(object, to: page!)
        }
        for (key, page) in pages { register(page, key, in: context) }
    }

    private struct PageKey: Hashable {
        let store: UInt16
        let root: Int
    }

    private static func capacity(_ count: Int) -> Int { min(count, RowPage.defaultCapacity) }

    private static func register(_ page: RowPage, _ key: PageKey, in context: NSManagedObjectContext) {
        page.shrink()
        context.registry.store(at: key.store)?.rowCache.register(
            page, root: context.model.entities[key.root], wasSaved: true)
    }

    /// Takes on what the store says it has written, such as values that a server has added.
    private static func adopt(_ row: RowRef, in object: NSManagedObject) {
        object.snapshot = row
        guard let state = object.state else { return }
        state.writtenRow = nil
        state.current = []
        state.changed = SlotSet()
        state.eventBase = .unchanged
        state.toOnes = [:]
        state.decoded = [:]
        for (index, value) in state.toManys {
            value.didSave()
            let property = object.layout.properties[index]
            if row.page.destinations(of: property, row: row.row) != nil { state.toManys[index] = nil }
        }
    }

    private static func write(_ object: NSManagedObject, to page: RowPage) {
        page.appendRow(handle: object.handle, entityIndex: object.layout.index, version: object.snapshotVersion + 1)
        func copy(_ properties: [PropertyLayout]) {
            for property in properties {
                if property.rowSlot >= 0 { page.setValue(object.storedField(property), of: property) }
                if !property.elements.isEmpty { copy(property.elements) }
            }
        }
        copy(object.layout.properties)
        object.snapshot = RowRef(page: page, row: page.count - 1)
        guard let state = object.state else { return }
        state.current = []
        state.changed = SlotSet()
        state.eventBase = .unchanged
        for value in state.toManys.values { value.didSave() }
    }
}
