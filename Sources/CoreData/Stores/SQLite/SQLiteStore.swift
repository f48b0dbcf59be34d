import CoreDataSQL
@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import GRDB
import ManagedObjectModel
import Synchronization

// Safe: what changes is behind the lock of `opened` or of `generations`; the rest is the superclass's.
/// A store in a SQLite database, in Apple's format.
final class SQLiteStore: NSPersistentStore, @unchecked Sendable {
    private struct Opened: Sendable {
        var file: SQLiteFile?
        var schema: SQLiteSchema?
        var queries: SQLiteQueries?
        var watcher: SQLiteChangeWatcher?
    }

    /// Requests read it on any thread, also while the store is being removed or moved.
    private let opened = Mutex(Opened())
    private var file: SQLiteFile? { opened.withLock { $0.file } }
    /// What the triggers of the file have changed.
    let recomputedRows = SQLiteRecomputedRows()
    /// The states that contexts are pinned to.
    private let generations = Mutex<[WeakGeneration]>([])

    private struct WeakGeneration: Sendable {
        weak var generation: SQLiteGeneration?
    }

    override var type: String { NSSQLiteStoreType }
    override var servesConcurrently: Bool { true }

    private var isFileReadOnly: Bool {
        options?.isSet(NSReadOnlyPersistentStoreOption) ?? false
    }

    private var location: URL { url ?? URL(fileURLWithPath: "/dev/null") }

    // MARK: Opening

    /// Opens the file and reads its metadata. A file that doesn't exist yet is made by ``prepare(for:)``.
    override func loadMetadata() throws {
        let openOptions = try openOptions()
        isReadOnly = isFileReadOnly
        let file =
            isReadOnly
            ? try SQLiteFile.openForReading(location, options: openOptions)
            : try SQLiteFile.openForWriting(location, options: openOptions)
        opened.withLock { $0.file = file }
        guard let file else { return }
        metadata = try file.read { try SQLiteMetadata.read($0) }
    }

    private func openOptions() throws -> SQLiteOpenOptions {
        var openOptions = try SQLiteOpenOptions(storeOptions: options)
        openOptions.recomputedRows = recomputedRows
        return openOptions
    }

    private var tracksHistory: Bool { options?.isSet(NSPersistentHistoryTrackingKey) ?? false }

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
            // Files that stay behind are only wasted space; a damaged row elsewhere mustn't keep the store from opening.
            if !isReadOnly, isOfModel(layout.model) {
                try? SQLiteExternalData(store: location).removeOrphans(schema: schema, in: file)
            }
        } else {
            schema = try SQLiteSchema(model: layout, configuration: requestedConfiguration)
            let initial = SQLiteMetadata.initial(schema: schema)
            let file = try SQLiteFile.create(
                location, schema: schema, metadata: initial, historyTracking: tracksHistory,
                options: openOptions())
            opened.withLock { $0.file = file }
            // Another process may have made the store at the same time; then the metadata is its.
            metadata = try file.read { try SQLiteMetadata.read($0) }
        }
        let queries = makeQueries(schema)
        opened.withLock {
            $0.schema = schema
            $0.queries = queries
        }
        try file?.maintain(SQLiteOpenOptions(storeOptions: options))
        if try lastTransactionNumber() != nil { HistoryModel.noteUse() }
    }

    /// Whether the file is known to be of the model: its versions were compared, and are equal. Otherwise the model may not
    /// tell which files the rows name, and removing those that none does is left to the doctor, which only moves them.
    private func isOfModel(_ model: NSManagedObjectModel) -> Bool {
        guard options?.isSet(NSIgnorePersistentStoreVersioningOption) != true, let metadata,
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty
        else { return false }
        return model.isConfiguration(withName: requestedConfiguration, compatibleWithStoreMetadata: metadata)
    }

    /// Begins to post what is written to the file, where the store's options ask for it.
    override func didAdd(to coordinator: NSPersistentStoreCoordinator) {
        guard let file,
            options?.isSet(NSPersistentStoreRemoteChangeNotificationPostOptionKey) ?? false
        else { return }
        let watcher = file.watch { [weak self, weak coordinator] number in
            guard let self, let coordinator else { return }
            RemoteChange.post(self, in: coordinator, transactionNumber: number)
        }
        opened.withLock { $0.watcher = watcher }
    }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        // Who is reading at the moment keeps the file, and is told by SQLite that it was closed.
        let left = opened.withLock { opened in
            defer { opened = Opened(schema: opened.schema) }
            return opened
        }
        left.watcher?.stop()
        for known in generations.withLock({ $0 }) { known.generation?.close() }
        do {
            try left.file?.close()
        } catch {
            // All that was committed is in the file or its log, and whoever opens it next puts them together.
            CoreDataLog.note("\(place): closing the store failed: \(error.localizedDescription)", atLevel: 0)
        }
    }

    override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try metadata(ofStoreAt: url, options: nil)
    }

    override class func metadata(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        let file = try SQLiteFile.openForReading(url, options: SQLiteOpenOptions(storeOptions: options).forOneTask)
        // What was committed is in the file or its log.
        defer { try? file.close() }
        return try file.read { try SQLiteMetadata.read($0) }
    }

    override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try setMetadata(metadata, ofStoreAt: url, options: nil)
    }

    override class func setMetadata(
        _ metadata: [String: Any]?, ofStoreAt url: URL, options: [AnyHashable: Any]?
    ) throws {
        let openOptions = try SQLiteOpenOptions(storeOptions: options).forOneTask
        guard let file = try SQLiteFile.openForWriting(url, options: openOptions) else {
            throw SQLiteStoreError.error(.fileReadNoSuchFile, "there is no store", url: url)
        }
        // What was committed is in the file or its log.
        defer { try? file.close() }
        try file.write {
            let complete = StoreMetadata.completed(metadata ?? [:], as: try SQLiteMetadata.read($0))
            try SQLiteMetadata.write(complete, to: $0)
        }
    }

    /// The model that a file carries; nil when it carries none. The file isn't changed.
    override class func inventory(ofStoreAt url: URL, model: NSManagedObjectModel?) throws -> StoreInventory? {
        try SQLiteInventory.read(url, model: model)
    }

    override class func findings(inStoreAt url: URL, model: NSManagedObjectModel) throws -> [StoreFinding] {
        try SQLiteDoctor.examine(url, model: model)
    }

    override class func repair(
        storeAt url: URL, model: NSManagedObjectModel
    ) throws -> (backup: URL, left: [StoreFinding]) {
        try SQLiteDoctor.repair(url, model: model)
    }

    override class func externalFiles(ofStoreAt url: URL) -> ExternalFiles {
        let data = SQLiteExternalData(store: url)
        guard let folder = data.folder else { return ExternalFiles() }
        return ExternalFiles(
            folder: folder, files: data.fileNames().sorted().map { folder.appendingPathComponent($0) },
            isShared: data.isShared(byOthersThan: url))
    }

    override class func modelCarried(byStoreAt url: URL) throws -> NSManagedObjectModel? {
        let file = try SQLiteFile.openForReading(url)
        // What was committed is in the file or its log.
        defer { try? file.close() }
        return try file.read { try SQLiteModelCache.read($0) }
    }

    override class func migrateInPlace(_ migration: StoreMigration) throws -> Bool {
        try SQLiteInPlaceMigration(
            url: migration.url, source: ModelLayout.of(migration.source),
            destination: ModelLayout.of(migration.destination), configuration: migration.configuration,
            defersIndexes: migration.options?.isSet(NSPersistentStoreDeferredLightweightMigrationOptionKey) ?? false,
            label: migration.label, progress: migration.progress
        ).run(options: SQLiteOpenOptions(storeOptions: migration.options).forOneTask)
        return true
    }

    override class func replace(
        storeAt url: URL, options: [AnyHashable: Any]?, unless isDone: ([String: Any]) -> Bool,
        make: () throws -> Void, exchange: () throws -> Void
    ) throws {
        try SQLiteReplacement(url: url, options: SQLiteOpenOptions(storeOptions: options))
            .run(unless: isDone, make: make, exchange: exchange)
    }

    override class var isRenamed: Bool { true }

    override func finishDeferredMigration(all: Bool) throws {
        let (file, queries) = try open()
        if isReadOnly { throw CoreDataError.readOnly(self) }
        let isComplete = try file.write { database in
            try SQLiteDeferredMigration(schema: queries.schema).finish(all: all, in: database)
        }
        // What a client has set and not saved yet stays to be saved.
        guard isComplete else { return }
        let wasUnsaved = hasUnsavedMetadata
        metadata?[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
        hasUnsavedMetadata = wasUnsaved
    }

    override var modelOfStore: NSManagedObjectModel? {
        // The cache is optional, and only makes errors more precise.
        try? file?.read { try SQLiteModelCache.read($0) }
    }

    /// Where the file is. Once the store is open, another place is taken only if it has the same store: its file must have
    /// been moved or copied there before.
    override var url: URL? {
        get { super.url }
        set {
            guard let newValue, let schema = opened.withLock({ $0.schema }), newValue != super.url else {
                return super.url = newValue
            }
            do {
                try reconnect(to: newValue, schema.model)
            } catch {
                // A property can't throw; `setURL(_:for:)` answers false.
                CoreDataLog.note(
                    "the store \(place) stays where it is, as \(newValue.path) can't be opened: \(error.localizedDescription)",
                    atLevel: 0)
            }
        }
    }

    private func reconnect(to place: URL, _ model: ModelLayout) throws {
        let options = try openOptions()
        let moved =
            isFileReadOnly
            ? try SQLiteFile.openForReading(place, options: options)
            : try SQLiteFile.openForWriting(place, options: options)
        guard let moved else { return }
        guard try moved.read({ try SQLiteMetadata.read($0) })[NSStoreUUIDKey] as? String == identifier else {
            return try moved.close()
        }
        let schema = try SQLiteSchema(model: model, configuration: requestedConfiguration, file: moved.layout())
        super.url = place
        let queries = makeQueries(schema)
        let left = opened.withLock { opened in
            defer { opened = Opened(file: moved, schema: schema, queries: queries) }
            return opened
        }
        // The old place is left; what was committed is in the file or its log.
        try? left.file?.close()
        left.watcher?.stop()
        if let coordinator = persistentStoreCoordinator { didAdd(to: coordinator) }
    }

    private func makeQueries(_ schema: SQLiteSchema) -> SQLiteQueries {
        SQLiteQueries(
            schema: schema, storeURL: location, coder: valueCoder(schema.model),
            report: { [weak self] in self?.persistentStoreCoordinator?.diagnostics.report($0) })
    }

    override class var takesEmptyFiles: Bool { true }

    override class func destroyPersistentStore(at url: URL, options: [AnyHashable: Any]?) throws {
        try SQLiteFileReplacement.destroy(
            url, options: SQLiteOpenOptions(storeOptions: options),
            force: options?.isSet(NSPersistentStoreForceDestroyOption) ?? false)
    }

    override class func replacePersistentStore(
        at url: URL, options: [AnyHashable: Any]?, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]?
    ) throws {
        try SQLiteFileReplacement.replace(
            url, options: SQLiteOpenOptions(storeOptions: options), withCopyOf: source,
            sourceOptions: SQLiteOpenOptions(storeOptions: sourceOptions),
            force: options?.isSet(NSPersistentStoreForceDestroyOption) ?? false)
    }

    // MARK: Reading

    func open() throws -> (file: SQLiteFile, queries: SQLiteQueries) {
        let opened = opened.withLock { $0 }
        guard let file = opened.file, let queries = opened.queries else {
            throw CoreDataError.make(NSPersistentStoreOperationError, "\(place): the store is closed.")
        }
        return (file, queries)
    }

    override var servesGenerations: Bool { true }

    override func makeGeneration() throws -> (any StoreGeneration)? {
        guard let generation = try open().file.makeGeneration() else { return nil }
        generations.withLock { known in
            known.removeAll { $0.generation == nil }
            known.append(WeakGeneration(generation: generation))
        }
        return generation
    }

    /// Reads what a context sees: the store as it is, or as it was when the context was pinned. Nil where the store had
    /// not been added then.
    private func read<Value>(
        for context: NSManagedObjectContext, _ body: (SQLiteQueries, Database) throws -> Value
    ) throws -> Value? {
        let (file, queries) = try open()
        guard let pinned = context.generation else { return try readPresent(file, queries, body) }
        switch try pinned.view(of: self) {
        case .present: return try readPresent(file, queries, body)
        case .absent: return nil
        case .state(let state):
            guard let generation = state as? SQLiteGeneration else { return nil }
            return try generation.read { try body(queries, $0) }
        }
    }

    /// Reads the store as it is, and once more where a value's file went meanwhile.
    private func readPresent<Value>(
        _ file: SQLiteFile, _ queries: SQLiteQueries, _ body: (SQLiteQueries, Database) throws -> Value
    ) throws -> Value {
        let missing = queries.externalData.missing
        for _ in 0..<Self.readAttempts {
            let known = missing.count
            let result = try file.read { try body(queries, $0) }
            if missing.count == known { return result }
        }
        return try file.read { try body(queries, $0) }
    }

    private static let readAttempts = 10

    override func fetchObjects(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> FetchedObjects {
        .rows(try read(for: context) { try $0.fetchRows(fetch, in: $1) } ?? [])
    }

    override func fetchKeys(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> [ObjectKey] {
        try read(for: context) { try $0.fetchKeys(fetch, in: $1) } ?? []
    }

    override func count(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> Int {
        try read(for: context) { try $0.count(fetch, in: $1) } ?? 0
    }

    override func fetchDictionaries(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> [[String: Any]] {
        try read(for: context) { try $0.fetchDictionaries(fetch, in: $1) } ?? []
    }

    override func loadRow(_ key: ObjectKey, in context: NSManagedObjectContext) throws -> RowRef? {
        try read(for: context) { try $0.loadRow(key, in: $1) } ?? nil
    }

    override func loadRows(_ keys: ArraySlice<ObjectKey>, in context: NSManagedObjectContext) throws -> [RowRef] {
        guard let first = keys.first else { return [] }
        let model = context.model
        let request = NSFetchRequest<NSManagedObject>(entityName: model.entities[Int(first.entityIndex)].name)
        let ids = keys.map {
            NSManagedObjectID(layout: model.entities[Int($0.entityIndex)], handle: $0.handle, store: self)
        }
        request.predicate = NSPredicate(format: "SELF IN %@", ids)
        return (try read(for: context) { try $0.fetchRows(StoreFetch(request, in: model), in: $1) } ?? [])
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
        try read(for: context) { try $0.loadDestinations(of: property, from: key, in: $1) } ?? []
    }

    override var readsManyAtOnce: Bool { true }

    override func loadRows(_ keys: [ObjectKey], in context: NSManagedObjectContext) throws -> [RowPage] {
        try read(for: context) { try $0.loadRows(keys, in: $1) } ?? []
    }

    override func loadDestinations(
        of property: PropertyLayout, from owners: [ObjectKey], in context: NSManagedObjectContext
    ) throws -> [Int64: [ObjectKey]] {
        try read(for: context) { try $0.loadDestinations(of: property, from: owners, in: $1) } ?? [:]
    }

    override func loadDestinationRows(
        of property: PropertyLayout, from owners: [ObjectKey], in context: NSManagedObjectContext
    ) throws -> DestinationRows {
        try read(for: context) { try $0.loadDestinationRows(of: property, from: owners, in: $1) } ?? DestinationRows()
    }

    private func valueCoder(_ model: ModelLayout) -> SQLValueCoder {
        SQLValueCoder(
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
        return SQLiteSaver(file: file, schema: queries.schema, recomputedRows: recomputedRows, encode: Self.encoder)
    }

    /// How transformables get into rows.
    static let encoder: SQLiteRowWriter.ObjectEncoder = { value, property in
        .data(try TransformableCoder.archive(value, of: property))
    }

    // MARK: Other requests

    override func accepts(_ request: NSPersistentStoreRequest) -> Bool {
        request is NSBatchInsertRequest || request is NSBatchUpdateRequest || request is NSBatchDeleteRequest
            || request is NSPersistentHistoryChangeRequest
    }

    override func answer(_ request: NSPersistentStoreRequest, in context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let request as NSBatchInsertRequest: return try execute(request, in: context)
        case let request as NSBatchUpdateRequest: return try execute(request, in: context)
        case let request as NSBatchDeleteRequest: return try execute(request, in: context)
        case let request as NSPersistentHistoryChangeRequest: return try execute(request, in: context)
        default: return try super.answer(request, in: context)
        }
    }

    override func lastTransactionNumber() throws -> Int64? {
        let (file, _) = try open()
        return try file.read { try SQLiteHistoryReader.lastTransactionNumber(in: $0, tables: file.historyTables) }
    }

    override func obtainPermanentKeys(for objects: [NSManagedObject]) throws -> [ObjectKey] {
        try saver().obtainKeys(for: objects.map(\.layout))
    }

    override var canTakeBackSaves: Bool { true }
    override var givesKeysInSave: Bool { true }

    override func save(
        _ changes: StoreChanges, in context: NSManagedObjectContext, beforeCommit others: () throws -> Void
    ) throws {
        try ObjectIDAttributes.refuseValues(in: changes)
        let metadata = hasUnsavedMetadata ? metadata : nil
        if changes.isEmpty, metadata == nil { return try others() }
        do {
            let author = HistoryAuthor(author: changes.author, contextName: changes.contextName)
            let saver = try saver()
            changes.recomputed.keys = try saver.save(metadata: metadata, author: author, beforeCommit: others) {
                try giveKeys(to: changes.inserted, saver, in: $0)
                return RowChanges(changes)
            }
            if changes.followsConflicts { try tellOfCorrections(changes) }
        } catch {
            // They are rolled back, and may be given to other objects.
            defer { takeBackKeys(of: changes.inserted) }
            guard let found = error as? SQLiteSaveConflicts else { throw error }
            throw try conflicts(found, in: changes, context)
        }
    }

    /// Saved objects whose rows the store has corrected take those on.
    private func tellOfCorrections(_ changes: StoreChanges) throws {
        let corrected = Set(changes.recomputed.keys)
        for object in changes.inserted + changes.updated where corrected.contains(object.savedKey) {
            let (file, queries) = try open()
            // What can't be read now is met as an error when it is read next: the save is done.
            object.writableState.writtenRow = try? file.read { try queries.loadRow(object.savedKey, in: $0) }
        }
    }

    /// Gives new objects their identities, in the transaction that writes their rows. Another try of the same save takes
    /// anew what was rolled back with the one before.
    private func giveKeys(to objects: [NSManagedObject], _ saver: SQLiteSaver, in database: Database) throws {
        let new = objects.filter(\.expectsKey)
        guard !new.isEmpty else { return }
        let keys = try saver.takeKeys(for: new.map(\.layout), in: database)
        for (object, key) in zip(new, keys) { object.reserve(key, storeIndex: object.savedStoreIndex) }
    }

    private func takeBackKeys(of objects: [NSManagedObject]) {
        for object in objects where object.storeIndex == 0 { object.expectAnotherKey() }
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
        var constraints: [StoreConstraintConflict] = []
        for conflict in error.conflicts {
            guard let object = objects[conflict.key] else { continue }
            switch conflict {
            case .changed(let key, _):
                // The row as it is, whatever state the context is pinned to.
                let (file, queries) = try open()
                let row = try file.read { try queries.loadRow(key, in: $0) }
                conflicts.append(StoreConflict(object: object, persisted: row))
            case .deleted: conflicts.append(StoreConflict(object: object, persisted: nil))
            case .notUnique(_, let properties, let existing):
                constraints.append(
                    StoreConstraintConflict(
                        object: object, properties: properties, existing: existing,
                        holder: objects[existing].flatMap { $0.wasNeverSaved ? $0 : nil }, store: self))
            }
        }
        return StoreConflicts(conflicts: conflicts, constraints: constraints)
    }
}
