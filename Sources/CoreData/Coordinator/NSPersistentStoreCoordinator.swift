@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

// Safe: the list of stores is behind the coordinator's lock, and so is every call into one.
/// Connects contexts with stores: it opens stores, and passes each request to the stores that it concerns.
///
/// Thread-safe (Apple: NSPersistentStoreCoordinator).
open class NSPersistentStoreCoordinator: NSObject, @unchecked Sendable {
    /// The model. It can't be changed any more.
    open private(set) var managedObjectModel: NSManagedObjectModel
    let layout: ModelLayout
    /// The contexts that merge automatically what others save.
    let mergingContexts = MergingContexts()
    /// All contexts.
    let contexts = ContextList()
    let diagnostics = DiagnosticsCenter()
    private let listLock = NSLock()
    private var list: [NSPersistentStore] = []
    /// The stores that are being filled, and aren't the coordinator's stores yet.
    private var joining: [NSPersistentStore] = []
    /// The stores that were opened, and are about to become the coordinator's.
    private var arriving: [NSPersistentStore] = []
    let exchanges = ExchangeList()
    /// Keeps requests and saves apart from threads with exclusive access.
    let gate = StoreGate()
    /// Held while a store is opened, so that no other one is at the same place. Nothing else waits for it.
    private let openings = NSRecursiveLock()
    /// Runs blocks whose caller doesn't wait, one after the other.
    let queue = DispatchQueue(label: "NSPersistentStoreCoordinator")
    /// A name for people to tell coordinators apart by.
    open var name: String?

    /// Makes a coordinator without stores.
    public init(managedObjectModel model: NSManagedObjectModel) {
        managedObjectModel = model
        layout = ModelLayout.of(model)
        LoadedModels.shared.add(layout)
        super.init()
    }

    /// Makes a coordinator with an empty model, whose stores can hold no objects.
    public convenience override init() { self.init(managedObjectModel: NSManagedObjectModel()) }

    deinit {
        for store in list { store.willRemove(from: nil) }
    }

    /// The stores that have been added, in order.
    open var persistentStores: [NSPersistentStore] { listLock.withLock { list } }

    // MARK: Store types

    /// The store classes by type. Values are the classes themselves.
    open class var registeredStoreTypes: [String: NSPersistentStore.Type] { StoreClassRegistry.shared.classes }

    /// Registers a store class under a type; nil removes the registration.
    open class func registerStoreClass(_ storeClass: NSPersistentStore.Type?, forStoreType storeType: String) {
        StoreClassRegistry.shared.register(storeClass, for: storeType)
    }

    /// Registers a store class under a type.
    open class func registerStoreClass(
        _ storeClass: NSPersistentStore.Type, type: NSPersistentStore.StoreType
    ) { StoreClassRegistry.shared.register(storeClass, for: type.rawValue) }

    // MARK: Adding and removing

    /// Opens a store and adds it.
    ///
    /// - Parameters:
    ///   - storeType: the type, such as `NSSQLiteStoreType`.
    ///   - configuration: the configuration of the model that the store holds; nil for all of it.
    ///   - storeURL: where the store is; a missing file is created.
    ///   - options: see the keys named `…Option`.
    /// - Throws: an error in `NSCocoaErrorDomain` that names the file and the cause. Nothing on disk has changed then.
    @discardableResult
    open func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        let store = try gate.shared {
            try openings.withLock {
                let store = try Self.noting(storeURL, as: storeType) {
                    try openStore(ofType: storeType, configuration: configuration, at: storeURL, options: options)
                }
                listLock.withLock { arriving.append(store) }
                return store
            }
        }
        listLock.withLock {
            arriving.removeAll { $0 === store }
            list.append(store)
        }
        // Observers may call the coordinator, so no lock is held while they are notified.
        post(Self.storesDidChangeNotification, [NSAddedPersistentStoresKey: [store]])
        return store
    }

    /// The store at a place, where the coordinator has one there or is about to have it.
    func storeAddedOrArriving(at url: URL) -> NSPersistentStore? {
        listLock.withLock { list + arriving }.first { $0.isAt(url) && $0.url?.isNullDevice != true }
    }

    /// Whether requests may be passed to a store.
    func isOpen(_ store: NSPersistentStore) -> Bool {
        listLock.withLock { (joining + list).contains { $0 === store } }
    }

    /// Runs a closure during which requests may be passed to a store that isn't yet one of the coordinator's.
    func join<Result>(_ store: NSPersistentStore, _ body: () throws -> Result) rethrows -> Result {
        listLock.withLock { joining.append(store) }
        defer { listLock.withLock { joining.removeAll { $0 === store } } }
        return try body()
    }

    /// Replaces a store by another one; the old one leaves the coordinator.
    func carryOut(_ exchange: StoreExchange) {
        listLock.withLock {
            if let index = list.firstIndex(where: { $0 === exchange.old }) { list[index] = exchange.new }
            // Whoever misses the old store, or finds it closed, finds the exchange.
            exchanges.add(exchange)
        }
        exchange.old.requests.withLock { exchange.old.willRemove(from: self) }
    }

    /// Opens a store and adds it. Throws as ``addPersistentStore(ofType:configurationName:at:options:)`` does.
    @discardableResult
    open func addPersistentStore(
        type: NSPersistentStore.StoreType, configuration: String? = nil, at storeURL: URL,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        try addPersistentStore(ofType: type.rawValue, configurationName: configuration, at: storeURL, options: options)
    }

    /// Opens the store of a description, at once or, where the description says so, later, and calls the handler.
    open func addPersistentStore(
        with storeDescription: NSPersistentStoreDescription,
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        let work = StoreAddition(description: storeDescription, handler: block)
        if storeDescription.shouldAddStoreAsynchronously {
            DispatchQueue.global().async { work.run(in: self) }
        } else {
            work.run(in: self)
        }
    }

    /// Removes a store from the coordinator; its file stays. Its objects can't be used any more; their unsaved changes
    /// are lost. Throws 134070 (`NSPersistentStoreOperationError`) where it isn't one of the coordinator's.
    ///
    /// Contexts invalidate their objects of the store and post that in `NSManagedObjectContextObjectsDidChange`: the one of
    /// the calling queue before this returns, others as the next thing that their queues do.
    open func remove(_ store: NSPersistentStore) throws {
        try requireOurs(store)
        postWillRemove(store)
        try gate.shared {
            try store.requests.withLock {
                // Another caller, such as an observer, may have removed it meanwhile.
                try requireOurs(store)
                store.willRemove(from: self)
                listLock.withLock { list.removeAll { $0 === store } }
            }
        }
        store.rowCache.removeAll()
        contexts.perform { $0.forgetObjects(of: store) }
        post(Self.storesDidChangeNotification, [NSRemovedPersistentStoresKey: [store]])
    }

    func postWillRemove(_ store: NSPersistentStore) {
        NotificationCenter.default.post(name: Self.willRemoveStoreNotification, object: store)
    }

    func post(_ name: Notification.Name, _ info: [AnyHashable: Any]) {
        NotificationCenter.default.post(name: name, object: self, userInfo: info)
    }

    // MARK: Looking up

    /// The store at a place.
    open func persistentStore(for url: URL) -> NSPersistentStore? {
        persistentStores.first { $0.isAt(url) }
    }

    /// Where a store is.
    open func url(for store: NSPersistentStore) -> URL { store.url ?? URL(fileURLWithPath: "/dev/null") }

    /// The ID that a URI stands for; nil when none of the stores has such objects, or where the row is of another entity.
    ///
    /// The object isn't looked for, but where others share a table with its entity the store is asked whether the row is of it (our
    /// choice: an ID of another entity would take the place of the row's own).
    open func managedObjectID(forURIRepresentation url: URL) -> NSManagedObjectID? {
        ObjectURI(url).flatMap(objectID)
    }

    /// The ID that the text of a URI stands for.
    open func managedObjectID(for string: String) -> NSManagedObjectID? {
        URL(string: string).flatMap { managedObjectID(forURIRepresentation: $0) }
    }

    func store(of id: NSManagedObjectID) -> NSPersistentStore? {
        guard let identifier = id.storeIdentifier else { return nil }
        let store = id.persistentStore
        let stores = listLock.withLock { list + joining }
        return stores.first { $0 === store } ?? stores.first { $0.identifier == identifier }
    }

    // MARK: Metadata

    /// The metadata of a store, unsaved additions included.
    open func metadata(for store: NSPersistentStore) -> [String: Any] { store.metadata ?? [:] }

    /// Sets the metadata of a store; written when a context is saved next, whether or not objects have changed. What
    /// the store needs and the dictionary lacks stays: type, UUID and the model's version hashes.
    open func setMetadata(_ metadata: [String: Any]?, for store: NSPersistentStore) {
        var changed = StoreMetadata.completed(metadata ?? [:], as: store.metadata ?? [:])
        changed[NSStoreTypeKey] = store.type
        if changed[NSStoreUUIDKey] == nil { changed[NSStoreUUIDKey] = store.identifier }
        store.metadata = changed
        store.hasUnsavedMetadata = true
    }

    /// Reads the metadata of a store on disk without opening it.
    ///
    /// - Parameter options: those that the store is opened with, such as how long to wait for a lock.
    /// - Throws: an error that names the file and says what is wrong with it.
    open class func metadataForPersistentStore(
        ofType storeType: String, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try readMetadata(ofStoreAt: url, type: storeType, options)
    }

    /// Reads the metadata of a store on disk; where the type is nil every registered one is tried. Throws as the one with options.
    open class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String: Any] {
        guard let storeType else { return try metadataForPersistentStore(with: url) }
        return try metadataForPersistentStore(ofType: storeType, at: url, options: nil)
    }

    /// Reads the metadata of a store on disk whose type isn't known: every registered type is tried.
    ///
    /// - Throws: an error that names the file when it is a store of none of them.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try storeClass(forStoreAt: url).metadataForPersistentStore(with: url)
    }

    /// Writes the metadata of a store on disk; where the type is nil every registered one is tried. Throws as the one with options.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
    ) throws {
        guard let storeType else {
            return try storeClass(forStoreAt: url).setMetadata(metadata, forPersistentStoreAt: url)
        }
        try setMetadata(metadata, forPersistentStoreOfType: storeType, at: url, options: nil)
    }

    /// The model that a SQLite store carries within itself: what the store was made for. Nothing on disk changes.
    ///
    /// - Throws: an error that names the file when it is no such store, or carries no model.
    open class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel { try cachedModel(forStoreAt: url, ofType: NSSQLiteStoreType) }

    /// Writes the metadata of a store on disk without opening it.
    ///
    /// - Parameter options: those that the store is opened with. One that is to be read only isn't written.
    /// - Throws: 134030 where the options say read only, 134000 for an unknown type, or an error that names the file and says why.
    open class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) throws {
        try writeMetadata(metadata, toStoreAt: url, type: storeType, options)
    }

    // MARK: Work

    /// Executes a request in the stores that it concerns.
    ///
    /// - Returns: for a fetch the array of results, without the context's unsaved changes; for a save an empty array; for
    ///   a batch or history request its result; for any other one an array of what each store answered.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` (134091) where a store can't execute such a request, or
    ///   what the store throws.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext) throws -> Any {
        try answer(to: request, for: context)
    }

    /// The place behind the last transaction in the history of each of these stores; of all for nil or none.
    ///
    /// Nil where none of them keeps history, or can be read.
    open func currentPersistentHistoryToken(fromStores stores: [Any]?) -> NSPersistentHistoryToken? {
        historyToken(of: stores)
    }

    /// Runs a block on the coordinator's queue, later, with exclusive access to the stores. Returns at once.
    open func perform(_ block: @escaping () -> Void) { enqueue(block) }

    /// Runs a block with exclusive access to the stores, and waits for it. May be nested.
    ///
    /// SQLite stores go on answering fetches meanwhile. Inside a store's own method the block is run at once.
    open func performAndWait(_ block: () -> Void) { runLocked(block) }

    /// Takes exclusive access to the stores until ``unlock()`` is called as often. Prefer ``performAndWait(_:)``, which
    /// can't be left locked.
    open func lock() { gate.lock() }

    /// Ends the exclusive access to the stores.
    open func unlock() { gate.unlock() }

    /// Takes exclusive access if no other thread works with the stores right now; returns whether it did.
    open func tryLock() -> Bool { gate.tryLock() }

    // MARK: Stores as files

    /// Moves a store's contents to another place, and to another type where that is asked for: "Save As".
    ///
    /// All objects are copied into a new store, with the metadata that clients have added. The new store then takes the old
    /// one's place in the coordinator, and the old one leaves it; its file stays as it is. Objects have new IDs from then
    /// on: `NSUUIDChangedPersistentStoresKey` of the notification `NSPersistentStoreCoordinatorStoresDidChange` holds the
    /// old store, the new one, and all new IDs. Objects of the coordinator's contexts stay what they are, with their
    /// unsaved changes, and take on their new IDs: in the context of the calling queue before this returns, in others as
    /// the next thing that their queues do (Apple: "Atomic Store Life-cycle" speaks of the IDs that contexts use for
    /// migrated objects; the rest is our choice). Their undo actions are removed. A save on another queue waits, and goes into the new
    /// store, as what is read then comes from it; a batch request may be told that the old one was removed.
    /// `NSPersistentStoreCoordinatorWillRemoveStore` comes before the copy.
    ///
    /// The destination must not hold objects (our choice: contents are never mixed). One pass over the rows keeps a few
    /// hundred of them in memory where the new store's ``NSPersistentStore/savesReferencesAhead`` says that it may be
    /// filled in parts, as a SQLite store may; any other one gets everything in one save.
    ///
    /// - Parameters:
    ///   - store: a store of this coordinator.
    ///   - storeURL: the new place.
    ///   - options: the options of the new store. One that is to be read-only is so when it has been written.
    ///   - storeType: the type of the new store.
    /// - Returns: the new store.
    /// - Throws: what either store throws. Then there is nothing at the new place, and the old store is still in use.
    @discardableResult
    open func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil, withType storeType: String
    ) throws -> NSPersistentStore { try saveAs(store, at: storeURL, options: options, type: storeType) }

    /// Removes a store, with everything that belongs to it. It needn't be one of this coordinator's.
    ///
    /// A SQLite database that others may have open is emptied under its lock instead, and its file stays (Apple:
    /// NSPersistentStoreCoordinator.h); where there is none, there is an empty one afterwards (seen in tests of CoreDataPlus), and a
    /// store in memory can't be destroyed. A store that this coordinator has open there is removed from it, so that a new one can be
    /// added at once.
    ///
    /// - Parameter options: those that the store is opened with.
    /// - Throws: an error that says what can't be removed, such as a database that is locked.
    open func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws { try destroy(url, type: storeType, options: options) }

    /// Makes a store into a copy of another one of the same type: contents, metadata and UUID. Neither needs to be one of
    /// this coordinator's.
    ///
    /// A SQLite database is copied as it is between two saves, also while it is in use; one that is replaced keeps its
    /// old contents until the new ones are complete.
    ///
    /// - Throws: an error that names the file; the store to be replaced is then as it was.
    open func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
    ) throws { try replace(destinationURL, destinationOptions, by: sourceURL, sourceOptions, type: storeType) }

    /// Changes where a store is. An atomic store is written there by its next save; a SQLite store is opened there at
    /// once, so that its file must have been moved before (Apple: `setURL:forPersistentStore:`).
    ///
    /// - Returns: whether the store has taken the new place. Otherwise it is where it was.
    @discardableResult
    open func setURL(_ url: URL, for store: NSPersistentStore) -> Bool { move(store, to: url) }

    /// Does all the work that lightweight migrations of the coordinator's stores have deferred
    /// (``NSPersistentStoreDeferredLightweightMigrationOptionKey``).
    ///
    /// Which part is left is our choice: indexes that only make fetches faster. Values and rules are never put off.
    /// - Throws: what a store throws.
    open func finishDeferredLightweightMigration() throws { try finishDeferredMigration(all: true) }

    /// Does one task that lightweight migrations have deferred: one index of each store. The store's metadata has the
    /// option's key as long as more is left.
    ///
    /// - Throws: what a store throws.
    open func finishDeferredLightweightMigrationTask() throws { try finishDeferredMigration(all: false) }
}
