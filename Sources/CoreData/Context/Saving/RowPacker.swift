@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Packs the current values of objects into row pages, one page for each store and hierarchy at a time.
struct RowPacker {
    private struct PageKey: Hashable {
        let store: UInt16
        let root: Int
    }

    private let context: NSManagedObjectContext
    private let capacity: Int
    private var open: [PageKey: RowPage] = [:]
    /// The page of the object before: most objects are of one hierarchy.
    private var last: (key: PageKey, page: RowPage)?
    /// What is done with a page when it is full, or at the end.
    private let finished: (RowPage, EntityLayout, NSPersistentStore?) -> Void

    init(
        _ context: NSManagedObjectContext, expecting count: Int,
        finished: @escaping (RowPage, EntityLayout, NSPersistentStore?) -> Void = { _, _, _ in }
    ) {
        self.context = context
        capacity = min(count, RowPage.defaultCapacity)
        self.finished = finished
    }

    /// Appends the object's values to a page.
    mutating func pack(_ object: NSManagedObject, version: Int64) -> RowRef {
        let root = object.layout.root
        let key = PageKey(store: object.storeIndex, root: root.index)
        if let last, last.key == key, !last.page.isFull { return write(object, version: version, to: last.page) }
        var page = open[key]
        if page == nil || page!.isFull {
            if let page { finish(page, key) }
            page = RowPage(model: context.model, slotCount: root.widestSlotCount, capacity: capacity)
            open[key] = page
        }
        last = (key, page!)
        return write(object, version: version, to: page!)
    }

    /// Ends the pages that have room left.
    mutating func finish() {
        for (key, page) in open { finish(page, key) }
        open = [:]
        last = nil
    }

    private func finish(_ page: RowPage, _ key: PageKey) {
        page.shrink()
        finished(page, context.model.entities[key.root], context.registry.store(at: key.store))
    }

    private func write(_ object: NSManagedObject, version: Int64, to page: RowPage) -> RowRef {
        page.appendRow(handle: object.handle, entityIndex: object.layout.index, version: version)
        let row = RowRef(page: page, row: page.count - 1)
        let values = object.state?.current ?? []
        if !values.isEmpty, values.withUnsafeBufferPointer(page.setPlainValues) { return row }
        for property in object.layout.storedLeaves where values.isEmpty || !values[property.rowSlot].isPlain {
            let field = object.storedField(property)
            page.setValue(field, of: property)
            if case .reference(let key) = field, TemporaryIdentity.isTemporary(key.handle) { keepIdentity(key, page) }
        }
        return row
    }

    private func keepIdentity(_ key: ObjectKey, _ page: RowPage) {
        if let family = context.family { page.keep(identity: family.identity(of: key.handle, in: context.model)) }
    }
}
