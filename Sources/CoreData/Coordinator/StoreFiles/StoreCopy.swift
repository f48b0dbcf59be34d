@_spi(Engine) import CoreDataRows
import FoundationCompat
import ManagedObjectModel

/// Copies all objects of a store into another one of the same coordinator: what "Save As" does.
///
/// The new store gets the same calls as in any save: for identities of inserted objects, then with their values. The
/// objects are instances of the model's classes, in a context of their own; they get no `awakeFromInsert()`.
final class StoreCopy {
    private let source: NSPersistentStore
    private let destination: NSPersistentStore
    private let context: NSManagedObjectContext
    private let layouts: [EntityLayout]
    /// The identities in the new store that were obtained so far, by those in the old store.
    private(set) var identities: IdentityMap<ObjectKey>
    /// The versions of the rows that were copied, by identities in the old store.
    private(set) var versions: IdentityMap<Int64>
    /// What the new store has saved.
    private var saved: [ObjectKey] = []

    private static let pageSize = 512
    /// The number of objects at a time where each may have megabytes of data.
    private static let pageSizeOfLargeData = 16

    init(
        from source: NSPersistentStore, to destination: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator
    ) {
        self.source = source
        self.destination = destination
        context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        identities = IdentityMap(coordinator.layout)
        versions = IdentityMap(coordinator.layout)
        layouts = Self.entities(of: source, in: coordinator)
    }

    private static func entities(
        of store: NSPersistentStore, in coordinator: NSPersistentStoreCoordinator
    ) -> [EntityLayout] {
        let all = coordinator.layout.entities.filter { !$0.entity.isAbstract }
        guard let name = store.requestedConfiguration else { return all }
        let model = coordinator.managedObjectModel
        let members = Set((model.storedEntities(forConfigurationName: name) ?? []).map(\.name))
        return all.filter { members.contains($0.name) }
    }

    /// - Throws: what either store throws. What was saved until then is in the new store; see ``deleteSaved()``.
    func run() throws {
        try context.performAndWait {
            try requireEmptyDestination()
            try source.requireUndamaged()
            let keys = try layouts.map { try self.keys(of: $0) }
            let isMarked = destination.savesReferencesAhead && type(of: destination).marksUnfinishedCopies
            if isMarked {
                UnfinishedCopy.mark(destination)
                try saveMetadata()
            }
            if destination.savesReferencesAhead {
                try copyInPages(keys)
            } else {
                try copyAtOnce(keys)
            }
            if isMarked { UnfinishedCopy.unmark(destination) }
            if saved.isEmpty || isMarked { try saveMetadata() }
        }
    }

    private func saveMetadata() throws { try destination.save(StoreChanges(store: destination, of: context)) }

    /// Two documents are never mixed (our choice: a copy that is cut off could not be told from what was there).
    private func requireEmptyDestination() throws {
        for layout in layouts where layout.superlayout == nil || layout.superlayout?.entity.isAbstract == true {
            let count = try destination.reading(for: context).count(
                fetch(layout, includesSubentities: true), in: context.view(of: destination))
            guard count > 0 else { continue }
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "\(destination.place) already holds objects of the entity '\(layout.name)'. Destroy that store before "
                    + "another one is saved as it.", [NSAffectedStoresErrorKey: [destination]])
        }
    }

    private var reading: any RowReading { get throws { try source.reading(for: context) } }
    private var view: ReadView { get throws { try context.view(of: source) } }

    private func readRows(_ keys: ArraySlice<ObjectKey>) throws -> [RowRef] {
        let rows = try reading.loadRows(Array(keys), in: view).flatMap { page in
            (0..<page.count).map { RowRef(page: page, row: $0) }
        }
        for row in rows { versions[row.key] = row.version }
        return rows
    }

    private func fetch(_ layout: EntityLayout, includesSubentities: Bool) throws -> StoreFetch {
        let request = NSFetchRequest<NSManagedObject>(entityName: layout.name)
        request.includesSubentities = includesSubentities
        return try StoreFetch(request, in: context.model)
    }

    private func keys(of layout: EntityLayout) throws -> [ObjectKey] {
        try reading.fetchKeys(fetch(layout, includesSubentities: false), in: view).sorted {
            $0.handle < $1.handle
        }
    }

    private func pages(_ keys: [ObjectKey], of layout: EntityLayout) -> [ArraySlice<ObjectKey>] {
        let size = layout.mayHaveLargeData ? Self.pageSizeOfLargeData : Self.pageSize
        return stride(from: 0, to: keys.count, by: size).map { keys[$0..<min($0 + size, keys.count)] }
    }

    // MARK: In pages

    /// First all objects get identities, then they are saved with what leads to one object each, then objects with
    /// to-many relationships that don't follow from the other end are updated with these.
    private func copyInPages(_ keys: [[ObjectKey]]) throws {
        let sourceIndex = context.storeIndex(of: source)
        for (layout, keys) in zip(layouts, keys) {
            for page in pages(keys, of: layout) {
                // They read their values from the old store if the new one reads any.
                let objects = page.map { context.object(for: $0, storeIndex: sourceIndex) }
                for (key, new) in zip(page, try destination.obtainPermanentKeys(for: objects)) { identities[key] = new }
            }
        }
        for (layout, keys) in zip(layouts, keys) {
            for page in pages(keys, of: layout) { try saveRows(page) }
        }
        for (layout, keys) in zip(layouts, keys) {
            let relationships = layout.relationships.filter {
                $0.kind == .toMany && $0.isPersistent && destination.needsMembers(of: $0)
            }
            if relationships.isEmpty { continue }
            for page in pages(keys, of: layout) { try saveMembers(of: relationships, page) }
        }
    }

    private func saveRows(_ page: ArraySlice<ObjectKey>) throws {
        var changes = StoreChanges(store: destination, of: context)
        for row in try readRows(page) {
            guard let key = identities[row.key] else { continue }
            let object = CopiedObject.make(of: row, in: context)
            // Before it is registered: one that leads to itself would keep itself, and its old version, in the context.
            try connectToOnes(object, row, to: copy)
            object.become(key, in: destination)
            changes.inserted.append(object)
        }
        try save(changes)
    }

    private func saveMembers(of relationships: [PropertyLayout], _ page: ArraySlice<ObjectKey>) throws {
        var changes = StoreChanges(store: destination, of: context)
        for key in page {
            guard let object = copy(key) else { continue }
            var isChanged = false
            for property in relationships {
                let members = try reading.loadDestinations(of: property, from: key, in: view)
                    .compactMap(copy)
                if members.isEmpty { continue }
                guard try object.realize(in: context) else { break }
                CopiedObject.setMembers(members, of: property, object)
                isChanged = true
            }
            if isChanged { changes.updated.append(object) }
        }
        if !changes.isEmpty { try save(changes) }
    }

    private func copy(_ key: ObjectKey) -> NSManagedObject? {
        identities[key].map { context.object(for: $0, storeIndex: context.storeIndex(of: destination)) }
    }

    // MARK: At once

    /// All objects exist, with their relationships, before the first call of the new store, so that it may derive
    /// identities from any of their values.
    private func copyAtOnce(_ keys: [[ObjectKey]]) throws {
        var objects = IdentityMap<NSManagedObject>(context.model)
        var rows: [(row: RowRef, object: NSManagedObject)] = []
        for (layout, keys) in zip(layouts, keys) {
            for page in pages(keys, of: layout) {
                for row in try readRows(page) {
                    let object = CopiedObject.make(of: row, in: context)
                    objects[row.key] = object
                    rows.append((row, object))
                }
            }
        }
        for (row, object) in rows {
            try connectToOnes(object, row) { objects[$0] }
            for property in object.layout.relationships where property.kind == .toMany && property.isPersistent {
                let members =
                    try row.page.destinations(of: property, row: row.row)
                    ?? reading.loadDestinations(of: property, from: row.key, in: view)
                CopiedObject.setMembers(members.compactMap { objects[$0] }, of: property, object)
            }
        }
        var changes = StoreChanges(store: destination, of: context)
        changes.inserted = rows.map(\.object)
        let new = try destination.obtainPermanentKeys(for: changes.inserted)
        for ((row, object), key) in zip(rows, new) {
            identities[row.key] = key
            object.become(key, in: destination)
        }
        if !changes.isEmpty { try save(changes) }
    }

    private func connectToOnes(_ object: NSManagedObject, _ row: RowRef, to find: (ObjectKey) -> NSManagedObject?)
        throws
    {
        for property in object.layout.relationships where property.kind == .toOne && property.rowSlot >= 0 {
            guard case .reference(let key) = row.page.value(row.row, property) else { continue }
            let target =
                key.handle == StoreRowBuilder.unread
                ? try reading.loadDestinations(of: property, from: row.key, in: view).first : key
            CopiedObject.setDestination(target.flatMap(find), of: property, object)
        }
    }

    // MARK: Saving

    private func save(_ changes: StoreChanges) throws {
        do {
            try destination.save(changes)
        } catch let conflicts as StoreConflicts {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "\(destination.place) found \(conflicts.conflicts.count) conflict(s) between the objects of a new store."
            )
        }
        saved += changes.inserted.map(\.savedKey)
    }

    /// Deletes what was saved, as far as the new store lets that happen.
    func deleteSaved() throws {
        try Self.delete(saved, of: destination, in: context)
        saved = []
    }

    /// Deletes objects from a store as they are, without delete rules.
    static func delete(_ keys: [ObjectKey], of store: NSPersistentStore, in context: NSManagedObjectContext) throws {
        try context.performAndWait {
            let index = context.storeIndex(of: store)
            for start in stride(from: 0, to: keys.count, by: pageSize) {
                var changes = StoreChanges(store: store, of: context)
                for key in keys[start..<min(start + pageSize, keys.count)] {
                    let object = context.object(for: key, storeIndex: index)
                    if try object.realize(in: context) { changes.deleted.append(object) }
                }
                try store.save(changes)
            }
        }
    }
}

extension EntityLayout {
    /// Whether a row may hold data for which stores have places of their own.
    fileprivate var mayHaveLargeData: Bool {
        properties.contains { $0.attribute?.allowsExternalBinaryDataStorage == true }
    }
}

/// Makes objects with the values that an object of another store has.
enum CopiedObject {
    /// An inserted object with a temporary identity and the attributes of a row.
    static func make(of row: RowRef, in context: NSManagedObjectContext) -> NSManagedObject {
        let layout = row.page.layout(row.row)
        let object = layout.makeObject()
        object.registry = context.registry
        object.becomeNew()
        object.flags = .inserted
        let state = object.writableState
        state.current = layout.values(of: row)
        state.transients = [:]
        // Values that refer to objects of the other store aren't copied.
        for property in layout.relationships where property.rowSlot >= 0 { state.current[property.rowSlot] = .null }
        return object
    }

    static func setDestination(_ destination: NSManagedObject?, of property: PropertyLayout, _ object: NSManagedObject)
    {
        let state = object.writableState
        state.current[property.rowSlot] = destination.map { .destination($0) } ?? .null
        state.toOnes[property.index] = .some(destination)
    }

    static func setMembers(_ members: [NSManagedObject], of property: PropertyLayout, _ object: NSManagedObject) {
        let value = ToManyValue.empty(isOrdered: property.isOrdered)
        for member in members { value.add(member) }
        object.writableState.toManys[property.index] = value
    }
}
