import Foundation
import ManagedObjectModel
import Synchronization

/// A store in a SQLite database, in Apple's format.
final class SQLiteStore: NSPersistentStore, @unchecked Sendable {
    private var file: SQLiteFile?
    private var schema: SQLiteSchema?
    private var queries: SQLiteQueries?
    /// What the triggers of the file have changed.
    private let recomputedRows = SQLiteRecomputedRows()
    private let metadataIsDirty = Atomic(false)

    override var type: String { NSSQLiteStoreType }
    override var servesConcurrently: Bool { true }

    private var isFileReadOnly: Bool {
        (options?[NSReadOnlyPersistentStoreOption] as? NSNumber)?.boolValue ?? false
    }

    private var location: URL { url ?? URL(fileURLWithPath: "/dev/null") }

    // MARK: Opening

    /// Opens the file and reads its metadata. A file that doesn't exist yet is made by ``prepare(for:)``.
    override func loadMetadata() throws {
        let openOptions = try openOptions()
        isReadOnly = isFileReadOnly
        file =
            isReadOnly
            ? try SQLiteFile.openForReading(location, options: openOptions)
            : try SQLiteFile.openForWriting(location, options: openOptions)
        guard let file else { return }
        metadata = try file.read { try SQLiteMetadata.read($0) }
        metadataIsDirty.store(false, ordering: .relaxed)
    }

    private func openOptions() throws -> SQLiteOpenOptions {
        var openOptions = try SQLiteOpenOptions(storeOptions: options)
        openOptions.recomputedRows = recomputedRows
        return openOptions
    }

    override var metadata: [String: Any]! {
        get { super.metadata }
        set {
            super.metadata = newValue
            metadataIsDirty.store(true, ordering: .relaxed)
        }
    }

    private var tracksHistory: Bool { (options?[NSPersistentHistoryTrackingKey] as? NSNumber)?.boolValue ?? false }

    override func prepare(for layout: ModelLayout) throws {
        let schema: SQLiteSchema
        if let file {
            let names = try file.layout()
            do {
                schema = try SQLiteSchema(model: layout, configuration: requestedConfiguration, file: names)
            } catch {
                throw SQLiteStoreError.locating(error, at: location)
            }
            if tracksHistory, !isReadOnly { try file.beginHistory(schema: schema) }
            if !isReadOnly { try SQLiteExternalData(store: location).removeOrphans(schema: schema, in: file) }
        } else {
            schema = try SQLiteSchema(model: layout, configuration: requestedConfiguration)
            let initial = SQLiteMetadata.initial(schema: schema)
            file = try SQLiteFile.create(
                location, schema: schema, metadata: initial, historyTracking: tracksHistory,
                options: openOptions())
            // Another process may have made the store at the same time; then the metadata is its.
            metadata = try file?.read { try SQLiteMetadata.read($0) } ?? initial
            metadataIsDirty.store(false, ordering: .relaxed)
        }
        self.schema = schema
        queries = SQLiteQueries(
            schema: schema, storeURL: location, coder: valueCoder(schema.model),
            report: { [weak self] in self?.persistentStoreCoordinator?.diagnostics.report($0) })
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        try? file?.close()
        file = nil
        queries = nil
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        let file = try SQLiteFile.openForReading(url)
        defer { try? file.close() }
        return try file.read { try SQLiteMetadata.read($0) }
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        guard let file = try SQLiteFile.openForWriting(url) else {
            throw SQLiteStoreError.error(.fileReadNoSuchFile, "there is no store", url: url)
        }
        defer { try? file.close() }
        try file.write { try SQLiteMetadata.write(metadata ?? [:], to: $0) }
    }

    /// The model that a file carries; nil when it carries none. The file isn't changed.
    override class func inventory(ofStoreAt url: URL, model: NSManagedObjectModel?) throws -> StoreInventory? {
        try SQLiteInventory.read(url, model: model)
    }

    override class func modelCarried(byStoreAt url: URL) throws -> NSManagedObjectModel? {
        let file = try SQLiteFile.openForReading(url)
        defer { try? file.close() }
        return try file.read { try SQLiteModelCache.read($0) }
    }

    override var modelOfStore: NSManagedObjectModel? {
        try? file?.read { try SQLiteModelCache.read($0) }
    }

    /// Where the file is. Once the store is open, another place is taken only if it has the same store: its file must have
    /// been moved or copied there before.
    override var url: URL? {
        get { super.url }
        set {
            guard let newValue, let schema, newValue != super.url else { return super.url = newValue }
            try? reconnect(to: newValue, schema.model)
        }
    }

    private func reconnect(to place: URL, _ model: ModelLayout) throws {
        let options = try SQLiteOpenOptions(storeOptions: options)
        let moved =
            isFileReadOnly
            ? try SQLiteFile.openForReading(place, options: options)
            : try SQLiteFile.openForWriting(place, options: options)
        guard let moved else { return }
        guard try moved.read({ try SQLiteMetadata.read($0) })[NSStoreUUIDKey] as? String == identifier else {
            return try moved.close()
        }
        let schema = try SQLiteSchema(model: model, configuration: requestedConfiguration, file: moved.layout())
        try? file?.close()
        file = moved
        super.url = place
        self.schema = schema
        queries = SQLiteQueries(schema: schema, storeURL: place, coder: valueCoder(model))
    }

    override class func destroyPersistentStore(at url: URL, options: [AnyHashable: Any]?) throws {
        try SQLiteFileReplacement.destroy(
            url, options: SQLiteOpenOptions(storeOptions: options),
            force: (options?[NSPersistentStoreForceDestroyOption] as? NSNumber)?.boolValue ?? false)
    }

    override class func replacePersistentStore(
        at url: URL, options: [AnyHashable: Any]?, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]?
    ) throws {
        try SQLiteFileReplacement.replace(
            url, options: SQLiteOpenOptions(storeOptions: options), withCopyOf: source,
            sourceOptions: SQLiteOpenOptions(storeOptions: sourceOptions))
    }

    // MARK: Reading

    private func open() throws -> (file: SQLiteFile, queries: SQLiteQueries) {
        guard let file, let queries else {
            throw CoreDataError.make(NSPersistentStoreOperationError, "\(place): the store is closed.")
        }
        return (file, queries)
    }

    override func fetchObjects(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> FetchedObjects {
        let (file, queries) = try open()
        return .rows(try file.read { try queries.fetchRows(fetch, in: $0) })
    }

    override func fetchKeys(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> [ObjectKey] {
        let (file, queries) = try open()
        return try file.read { try queries.fetchKeys(fetch, in: $0) }
    }

    override func count(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> Int {
        let (file, queries) = try open()
        return try file.read { try queries.count(fetch, in: $0) }
    }

    override func fetchDictionaries(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> [[String: Any]] {
        let (file, queries) = try open()
        return try file.read { try queries.fetchDictionaries(fetch, in: $0) }
    }

    override func loadRow(_ key: ObjectKey, in context: NSManagedObjectContext) throws -> RowRef? {
        let (file, queries) = try open()
        return try file.read { try queries.loadRow(key, in: $0) }
    }

    override func loadRows(_ keys: ArraySlice<ObjectKey>, in context: NSManagedObjectContext) throws -> [RowRef] {
        guard let first = keys.first else { return [] }
        let model = context.model
        let request = NSFetchRequest<NSManagedObject>(entityName: model.entities[Int(first.entityIndex)].name)
        let ids = keys.map {
            NSManagedObjectID(layout: model.entities[Int($0.entityIndex)], handle: $0.handle, store: self)
        }
        request.predicate = NSPredicate(format: "SELF IN %@", ids)
        let (file, queries) = try open()
        return try file.read { try queries.fetchRows(StoreFetch(request, in: model), in: $0) }
            .flatMap { page in (0..<page.count).map { RowRef(page: page, row: $0) } }
    }

    // A row's key says to whom it belongs, and keys are known before rows are written.
    override var savesReferencesAhead: Bool { true }

    override func needsMembers(of property: PropertyLayout) -> Bool {
        property.isOrdered || property.inverse?.kind != .toOne
    }

    override func loadDestinations(
        of property: PropertyLayout, from key: ObjectKey, in context: NSManagedObjectContext
    ) throws -> [ObjectKey] {
        let (file, queries) = try open()
        return try file.read { try queries.loadDestinations(of: property, from: key, in: $0) }
    }

    override var readsManyAtOnce: Bool { true }

    override func loadRows(_ keys: [ObjectKey], in context: NSManagedObjectContext) throws -> [RowPage] {
        let (file, queries) = try open()
        return try file.read { try queries.loadRows(keys, in: $0) }
    }

    override func loadDestinations(
        of property: PropertyLayout, from owners: [ObjectKey], in context: NSManagedObjectContext
    ) throws -> [Int64: [ObjectKey]] {
        let (file, queries) = try open()
        return try file.read { try queries.loadDestinations(of: property, from: owners, in: $0) }
    }

    override func loadDestinationRows(
        of property: PropertyLayout, from owners: [ObjectKey], in context: NSManagedObjectContext
    ) throws -> DestinationRows {
        let (file, queries) = try open()
        return try file.read { try queries.loadDestinationRows(of: property, from: owners, in: $0) }
    }

    private func valueCoder(_ model: ModelLayout) -> SQLiteValueCoder {
        SQLiteValueCoder(
            identity: { [weak self] value in
                switch value {
                case let object as NSManagedObject:
                    return object.registry.store(at: object.storeIndex) === self && !object.wasNeverSaved
                        ? .key(object.savedKey) : .absent
                case let id as NSManagedObjectID:
                    return !id.isTemporaryID && id.persistentStore?.identifier == self?.identifier
                        ? .key(id.key) : .absent
                default: return nil
                }
            },
            objectID: { [unowned self] key in
                NSManagedObjectID(layout: model.entities[Int(key.entityIndex)], handle: key.handle, store: self)
            },
            archive: { value, property in TransformableCoder.data(from: value, of: property) },
            unarchive: { data, property in TransformableCoder.value(from: data, of: property, in: nil) })
    }

    // MARK: Saving

    private func saver() throws -> SQLiteSaver {
        let (file, queries) = try open()
        return SQLiteSaver(file: file, schema: queries.schema, recomputedRows: recomputedRows) { value, property in
            TransformableCoder.data(from: value, of: property).map { .data($0) } ?? .null
        }
    }

    override func obtainPermanentKeys(for objects: [NSManagedObject]) throws -> [ObjectKey] {
        try saver().obtainKeys(for: objects.map(\.layout))
    }

    override func save(_ changes: StoreChanges, in context: NSManagedObjectContext) throws {
        if metadataIsDirty.exchange(false, ordering: .relaxed), let file, let metadata {
            try file.write { try SQLiteMetadata.write(metadata, to: $0) }
        }
        do {
            let author = SQLiteHistoryAuthor(author: changes.author, contextName: changes.contextName)
            changes.recomputed.keys = try saver().save(SQLiteChanges(changes), author: author)
        } catch let error as SQLiteSaveConflicts {
            throw try conflicts(error, in: changes, context)
        }
    }

    /// What the context needs to know about conflicts: the objects, and the rows as they are now.
    private func conflicts(
        _ error: SQLiteSaveConflicts, in changes: StoreChanges, _ context: NSManagedObjectContext
    ) throws -> any Error {
        var objects: [ObjectKey: NSManagedObject] = [:]
        for object in changes.inserted + changes.updated + changes.deleted + changes.locked {
            objects[object.savedKey] = object
        }
        var conflicts: [StoreConflict] = []
        for conflict in error.conflicts {
            guard let object = objects[conflict.key] else { continue }
            switch conflict {
            case .changed(let key, _):
                conflicts.append(StoreConflict(object: object, persisted: try loadRow(key, in: context)))
            case .deleted: conflicts.append(StoreConflict(object: object, persisted: nil))
            case .notUnique(_, let properties, let existing):
                return ConstraintError.make(object, properties: properties, existing: existing, in: self)
            }
        }
        return StoreConflicts(conflicts: conflicts)
    }
}

extension SQLiteChanges {
    /// The changes as rows.
    init(_ changes: StoreChanges) {
        self.init(
            inserted: changes.inserted.map { RowChange(inserting: $0) },
            updated: changes.updated.map { RowChange(updating: $0) },
            deleted: changes.deleted.map { RowChange(key: $0.savedKey, version: $0.snapshotVersion) },
            locked: changes.locked.map { RowChange(key: $0.savedKey, version: $0.snapshotVersion) })
    }
}

extension RowChange {
    init(inserting object: NSManagedObject) {
        self.init(key: object.savedKey)
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
        for property in layout.properties where property.rowSlot >= 0 {
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
            changes.append(
                ToManyRowChange(
                    propertyIndex: index, added: value.added.map(\.savedKey),
                    removed: value.removed.filter { !$0.wasNeverSaved }.map(\.savedKey),
                    order: isOrdered ? value.ordered.map(\.savedKey) : nil))
        }
        return changes.sorted { $0.propertyIndex < $1.propertyIndex }
    }
}
