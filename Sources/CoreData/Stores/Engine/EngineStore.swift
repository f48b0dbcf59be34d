@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

// Safe: all of it is constant; the engine guards its own state, and the rest is the superclass's.
/// A store over an engine, which keeps rows and knows no objects: SQLite's file, or a database in another target.
package final class EngineStore<Engine: StoreEngine>: NSPersistentStore, @unchecked Sendable {
    let engine: Engine

    package override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        let link = EngineLink()
        // Safe: a model in use is constant, and so is the dictionary, of values that clients hand over and don't change.
        nonisolated(unsafe) let (model, constantOptions) = (root?.managedObjectModel, options)
        let place = StoreLocation(url: url, options: options, configuration: name) { metadata in
            guard let model else { return true }
            return StoreCompatibility.fits(metadata, model: model, configuration: name, options: constantOptions)
        }
        engine = Engine(at: place, link: link.objectLink)
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        link.store = self
    }

    package override var type: String { Engine.storeType }
    /// Asked for with every read, and constant.
    override var traits: StoreTraits { constantTraits }
    private let constantTraits = EngineStore.traitsOfClass

    private static var traitsOfClass: StoreTraits {
        var traits: StoreTraits = [
            .servesConcurrently, .readsManyAtOnce, .givesKeysInSave, .takesBackSaves, .findsDuplicates,
        ]
        if Engine.self is any GenerationPinning.Type { traits.insert(.servesGenerations) }
        if Engine.servesWritersSideBySide { traits.insert(.servesWritersSideBySide) }
        return traits
    }
    override class var optionRange: StoreOptionRange { .database }

    // MARK: Opening

    /// Opens the store and reads its metadata. One that doesn't exist yet is made by ``prepare(for:)``.
    package override func loadMetadata() throws {
        isReadOnly = engine.isReadOnly
        if let found = try engine.open() { metadata = found }
    }

    override func prepare(for layout: ModelLayout) throws {
        if let made = try engine.prepare(for: layout, fits: isOfModel(layout.model)) { metadata = made }
        if try lastTransactionNumber() != nil { HistoryModel.markInUse() }
    }

    /// Whether the store's version hashes were compared with the model's and are equal. Otherwise the model may not
    /// show which external files the rows name; then unused files aren't removed here. The doctor deals with them, and
    /// only moves them.
    private func isOfModel(_ model: NSManagedObjectModel) -> Bool {
        guard options?.isSet(NSIgnorePersistentStoreVersioningOption) != true, let metadata,
            let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data], !hashes.isEmpty
        else { return false }
        return model.isConfiguration(withName: requestedConfiguration, compatibleWithStoreMetadata: metadata)
    }

    /// Begins to post what is written to the store, where its options ask for it.
    package override func didAdd(to coordinator: NSPersistentStoreCoordinator) {
        guard options?.isSet(NSPersistentStoreRemoteChangeNotificationPostOptionKey) ?? false,
            let engine = engine as? any ChangeWatching
        else { return }
        engine.watch { [weak self, weak coordinator] number in
            guard let self, let coordinator else { return }
            RemoteChange.post(self, in: coordinator, transactionNumber: number)
        }
    }

    package override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        do {
            try engine.close()
        } catch {
            // All that was committed is on disk, where the next opening finds it.
            CoreDataLog.write("\(place): closing the store failed: \(error.localizedDescription)", atLevel: 0)
        }
    }

    /// Where the store is. While it is open, another URL is accepted only if the same store is there: its files must
    /// have been moved or copied before.
    package override var url: URL? {
        get { super.url }
        set {
            guard let newValue, newValue != super.url else { return super.url = newValue }
            do {
                if try engine.move(to: newValue, identifier: identifier) { super.url = newValue }
            } catch {
                // A property can't throw; `setURL(_:for:)` answers false.
                CoreDataLog.write(
                    "the store \(place) stays where it is, as \(newValue.path) can't be opened: \(error.localizedDescription)",
                    atLevel: 0)
            }
        }
    }

    // The model is optional, and only makes errors more precise.
    override var modelOfStore: NSManagedObjectModel? { try? engine.carriedModel() }

    override func finishDeferredMigration(all: Bool) throws {
        if isReadOnly { throw CoreDataError.readOnly(self) }
        guard try engine.finishDeferredMigration(all: all) else { return }
        // Metadata that a client has set and not yet saved are kept for the next save.
        let wasUnsaved = hasUnsavedMetadata
        metadata?[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
        hasUnsavedMetadata = wasUnsaved
    }

    // MARK: Stores that are not open

    override class var unopenedStores: (any UnopenedStores.Type)? { Engine.self }

    package override class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try Engine.metadata(ofStoreAt: url, options: nil)
    }

    override class func metadata(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try Engine.metadata(ofStoreAt: url, options: options)
    }

    package override class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        try Engine.setMetadata(metadata ?? [:], ofStoreAt: url, options: nil)
    }

    override class func setMetadata(
        _ metadata: [String: Any]?, ofStoreAt url: URL, options: [AnyHashable: Any]?
    ) throws { try Engine.setMetadata(metadata ?? [:], ofStoreAt: url, options: options) }

    package override class func modelCarried(byStoreAt url: URL) throws -> NSManagedObjectModel? {
        try Engine.model(carriedByStoreAt: url)
    }

    package override class func destroyPersistentStore(at url: URL, options: [AnyHashable: Any]?) throws {
        try Engine.destroy(storeAt: url, options: options)
    }

    package override class func replacePersistentStore(
        at url: URL, options: [AnyHashable: Any]?, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]?
    ) throws { try Engine.replace(storeAt: url, options: options, withCopyOf: source, sourceOptions: sourceOptions) }

    // MARK: Reading

    override func reading(for context: NSManagedObjectContext) -> any RowReading { engine }

    override func entityIndex(of key: ObjectKey, in model: ModelLayout) throws -> Int? {
        try engine.loadRow(key, in: ReadView(model: model)).map { $0.page.entityIndex($0.row) }
    }

    override func needsMembers(of property: PropertyLayout) -> Bool {
        property.isOrdered || property.inverse?.kind != .toOne
    }

    override func makeGeneration() throws -> (any StoreGeneration)? {
        try (engine as? any GenerationPinning)?.makeGeneration()
    }

    override func requireUndamaged() throws { try (engine as? any DamageFinding)?.requireUndamaged() }

    // MARK: Saving

    // References between rows are keys, and these are known before the rows are written.
    package override var savesReferencesAhead: Bool { Engine.takesReferencesAhead }

    override func obtainPermanentKeys(for objects: [NSManagedObject]) throws -> [ObjectKey] {
        try engine.reserveKeys(for: objects.map(\.layout))
    }

    override func save(_ changes: StoreChanges, beforeCommit others: () throws -> Void) throws {
        try EngineSave(changes, of: self).run(engine, metadata: hasUnsavedMetadata ? metadata : nil, others)
    }

    // MARK: Other requests

    override func accepts(_ request: NSPersistentStoreRequest) -> Bool {
        switch request {
        case is NSBatchInsertRequest, is NSBatchUpdateRequest, is NSBatchDeleteRequest: engine is any BatchWriting
        case is NSPersistentHistoryChangeRequest: engine is any HistoryKeeping
        default: false
        }
    }

    override func answer(_ request: NSPersistentStoreRequest, in context: NSManagedObjectContext?) throws -> Any {
        if let history = request as? NSPersistentHistoryChangeRequest, let engine = engine as? any HistoryKeeping {
            return try EngineHistory(engine, of: self).answer(history)
        }
        if let engine = engine as? any BatchWriting,
            let answer = try EngineBatch(engine, of: self, in: context).answer(request)
        {
            return answer
        }
        return try super.answer(request, in: context)
    }

    override func lastTransactionNumber() throws -> Int64? {
        try (engine as? any HistoryKeeping)?.lastTransactionNumber()
    }
}

// Safe: the store is set once, before the first read.
/// Makes the link by which a store's engine asks about objects.
private final class EngineLink: @unchecked Sendable {
    weak var store: NSPersistentStore?

    var objectLink: ObjectLink {
        ObjectLink(
            identity: { [self] in identity(of: $0) },
            objectID: { [self] key, model in
                NSManagedObjectID(layout: model.entities[Int(key.entityIndex)], handle: key.handle, store: store!)
            },
            report: { [self] in store?.persistentStoreCoordinator?.diagnostics.report($0) })
    }

    private func identity(of value: Any) -> StoredIdentity? {
        switch value {
        case let object as NSManagedObject:
            object.registry.store(at: object.storeIndex) === store && !object.wasNeverSaved
                ? .key(object.savedKey) : .absent
        case let id as NSManagedObjectID: storedIdentity(of: id.current)
        default: nil
        }
    }

    private func storedIdentity(of id: NSManagedObjectID) -> StoredIdentity {
        !id.isTemporaryID && id.persistentStore?.identifier == store?.identifier ? .key(id.key) : .absent
    }
}
