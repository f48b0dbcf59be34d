@_spi(Engine) import CoreDataRows

/// Makes what a save has written the objects' new snapshots, and the row cache's new rows.
enum SavedRows {
    static func install(_ objects: ContiguousArray<NSManagedObject>, in context: NSManagedObjectContext) {
        let parentStore = context.parentStore
        var packer = RowPacker(context, expecting: objects.count) { page, root, store in
            parentStore.cacheRows(page, of: root, in: store, wereSaved: true)
        }
        for object in objects {
            if let row = object.state?.writtenRow {
                object.observably(object.propertiesChanged(by: row, keepsState: true)) { adopt(row, in: object) }
                continue
            }
            object.snapshot = packer.pack(object, version: object.snapshotVersion + 1)
            object.state?.didSave()
        }
        packer.finish()
    }

    /// Takes over the row that the store has written, which may have other values, such as those that a server has
    /// added.
    private static func adopt(_ row: RowRef, in object: NSManagedObject) {
        object.snapshot = row
        guard let state = object.state else { return }
        state.writtenRow = nil
        state.didSave()
        state.toOnes = [:]
        state.decoded = [:]
        for index in state.toManys.keys {
            let property = object.layout.properties[index]
            if row.page.destinations(of: property, row: row.row) != nil { state.toManys[index] = nil }
        }
    }
}
