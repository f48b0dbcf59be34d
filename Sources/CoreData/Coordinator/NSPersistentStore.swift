@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel
import Synchronization

/// A store: what keeps objects from one run of a program to the next.
///
/// Don't subclass it directly: subclass ``NSAtomicStore`` or ``NSIncrementalStore`` (Apple: NSPersistentStore).
///
/// Not `Sendable`. Its metadata may be read and set on any thread; set other properties before other threads use the store.
open class NSPersistentStore: NSObject {
    private weak var owner: NSPersistentStoreCoordinator?
    /// The configuration of the model that the store holds; nil for the whole model.
    open private(set) var configurationName: String
    let requestedConfiguration: String?
    /// The options that the store was opened with.
    open private(set) var options: [AnyHashable: Any]?
    /// The rows that some object still refers to.
    let rowCache = RowCache()

    /// Makes a store, which is not opened yet. Subclasses may override it, and call super (Apple:
    /// `init(persistentStoreCoordinator:configurationName:at:options:)`).
    public init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        owner = root
        requestedConfiguration = name
        configurationName = name ?? NSManagedObjectModel.defaultConfigurationName
        storedURL = url
        self.options = options
        isReadOnly = options?.isSet(NSReadOnlyPersistentStoreOption) ?? false
        super.init()
    }

    /// The type that the coordinator was asked to add.
    final var addedType: String?

    private var storedURL: URL?

    /// Where the store is.
    open var url: URL? {
        get { storedURL }
        set { storedURL = newValue }
    }

    /// The coordinator that the store belongs to.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        owner
    }

    /// The type under which the store's class is registered. A class that says so itself overrides it; where one doesn't, it is
    /// the type that the store was added as.
    open var type: String {
        addedType ?? StoreClassRegistry.shared.type(of: Swift.type(of: self))
            ?? String(describing: Swift.type(of: self))
    }

    /// A UUID as text: the store's part of the URIs of its objects.
    open var identifier: String! {
        get { metadata?[NSStoreUUIDKey] as? String ?? fallbackIdentifier }
        set {
            var changed = metadata ?? [:]
            changed[NSStoreUUIDKey] = newValue
            metadata = changed
        }
    }

    /// What the identities of the store's objects have in common. It changes with the store's identifier.
    final func identityDomain(in model: ModelLayout) -> IdentityDomain {
        domainLock.withLock {
            if let domain, domain.isCurrent(for: self, model: model) { return domain }
            let current = IdentityDomain(model: model, store: self)
            domain = current
            return current
        }
    }

    private let domainLock = ExclusiveLock()
    private var domain: IdentityDomain?
    private let fallbackIdentifier = UUID().uuidString
    private let metadataLock = ExclusiveLock()
    private var storedMetadata: [String: Any]?

    /// The store's metadata: type, UUID, version hashes, and what the client adds. An entry that the store needs and a
    /// new value lacks stays as it is.
    open var metadata: [String: Any]! {
        get { metadataLock.withLock { storedMetadata } }
        set {
            metadataLock.withLock {
                storedMetadata = newValue.map { StoreMetadata.completed($0, as: storedMetadata ?? [:]) }
            }
            hasUnsavedMetadata = true
        }
    }

    /// Whether the metadata was changed since the store was opened or saved.
    final var hasUnsavedMetadata: Bool {
        get { revision.load(ordering: .acquiring) != savedRevision.load(ordering: .acquiring) }
        set {
            if newValue {
                revision.add(1, ordering: .acquiringAndReleasing)
            } else {
                savedRevision.store(metadataRevision, ordering: .releasing)
            }
        }
    }

    /// A number that changes whenever the metadata is set.
    final var metadataRevision: UInt64 { revision.load(ordering: .acquiring) }

    /// Atomic, so that contexts read it without waiting for saves.
    private let revision = Atomic<UInt64>(0)
    /// The number of the metadata that the store has written.
    private let savedRevision = Atomic<UInt64>(0)

    /// Held during the requests that a store serves one at a time: all of them, or those that write.
    let requests = NSRecursiveLock()

    /// Runs a request that writes, or any request of a store that serves one thread at a time.
    final func serving<Result>(_ request: () throws -> Result) rethrows -> Result {
        // Those that write metadata come one at a time, so that what is written last is the newest.
        if traits.contains(.servesWritersSideBySide), !hasUnsavedMetadata { return try request() }
        return try requests.withLock(request)
    }

    /// Whether saving is refused.
    open var isReadOnly: Bool

    /// Reads the store's metadata; the coordinator calls it once, right after making the store.
    ///
    /// - Throws: an error that says why the store can't be opened.
    open func loadMetadata() throws {}

    /// Reads the metadata of a store that isn't open.
    ///
    /// - Throws: `NSPersistentStoreOperationError` (134070), unless a subclass overrides it; those of this package say what is
    ///   wrong with the file, and name it.
    open class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "\(self) doesn't read metadata without opening the store (\(url.path)).")
    }

    /// Writes the metadata of a store that isn't open.
    ///
    /// - Throws: as ``metadataForPersistentStore(with:)`` does.
    open class func setMetadata(_ metadata: [String: Any]?, forPersistentStoreAt url: URL) throws {
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "\(self) doesn't write metadata without opening the store (\(url.path)).")
    }

    /// ``metadataForPersistentStore(with:)``, with the options that the store would be opened with.
    class func metadata(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        try metadataForPersistentStore(with: url)
    }

    /// ``setMetadata(_:forPersistentStoreAt:)``, with the options that the store would be opened with.
    class func setMetadata(
        _ metadata: [String: Any]?, ofStoreAt url: URL, options: [AnyHashable: Any]?
    ) throws {
        try setMetadata(metadata, forPersistentStoreAt: url)
    }

    /// Whether a new store may be made in an empty file.
    class var takesEmptyFiles: Bool { unopenedStores?.takesEmptyFiles ?? false }

    /// Whether a store that isn't whole yet says so in its metadata.
    class var marksUnfinishedCopies: Bool { unopenedStores?.marksUnfinishedCopies ?? takesEmptyFiles }

    /// Called when the store belongs to its coordinator, before its contents are loaded. The coordinator lists it afterwards
    /// (Apple: "didAdd(to:)" is for what has to be set up before `load()`).
    open func didAdd(to coordinator: NSPersistentStoreCoordinator) {}

    /// Called before the store leaves its coordinator; nil when the coordinator is going, or opening failed. A subclass that
    /// overrides this calls super.
    ///
    /// A file of zero length at the store's URL, which has reserved the place, is removed where the store was never saved
    /// (Apple: "Zero-Length Files" in "Atomic Store Programming Topics").
    open func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        guard !wasSaved.load(ordering: .acquiring), !isReadOnly, liesAtURL, let url, url.isFileURL else { return }
        StoreFiles.removeReservation(at: url)
    }

    /// Whether the URL is the place of the store's contents, rather than just a name.
    var liesAtURL: Bool { true }

    /// Whether the store is known to be at its place, however few bytes that takes. Saves end side by side.
    private final let wasSaved = Atomic(false)

    /// Records that the store has written its contents and its metadata.
    ///
    /// - Parameter metadata: the number of the metadata that was there when the store began to write. What was set since is
    ///   still to be written.
    final func markSaved(metadata: UInt64) {
        wasSaved.store(true, ordering: .releasing)
        savedRevision.store(metadata, ordering: .releasing)
    }

    /// Whether a save may refer to objects that a later save inserts: a new store is then filled in parts by
    /// `NSPersistentStoreCoordinator.migratePersistentStore(_:to:options:type:)`, rather than by one save of
    /// everything.
    ///
    /// Objects are then inserted without their to-many relationships, and updated to have them when all are there. They
    /// have the ID of the store that they come from when this one is asked for their permanent IDs. False unless it is
    /// overridden. An addition to Apple's API.
    open var savesReferencesAhead: Bool { false }

    /// Removes a store that isn't in use, with everything that belongs to it.
    ///
    /// Called by `NSPersistentStoreCoordinator.destroyPersistentStore(at:type:options:)`. A file or folder at the URL is
    /// removed, unless this is overridden. Apple's framework has no such method for store classes outside of it; without
    /// one, a store whose contents aren't just a file couldn't be destroyed.
    ///
    /// - Throws: an error that says what can't be removed. It isn't an error that there is nothing.
    open class func destroyPersistentStore(at url: URL, options: [AnyHashable: Any]?) throws {
        try StoreFiles.remove(url)
    }

    /// Replaces a store by a copy of another one of its type: contents, metadata and UUID.
    ///
    /// Called by `NSPersistentStoreCoordinator.replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:…)`. The
    /// file or folder at the URL is replaced, unless this is overridden. An addition to Apple's API, as
    /// ``destroyPersistentStore(at:options:)``.
    ///
    /// - Throws: an error; the store to be replaced is then as it was.
    open class func replacePersistentStore(
        at url: URL, options: [AnyHashable: Any]?, withPersistentStoreFrom source: URL,
        sourceOptions: [AnyHashable: Any]?
    ) throws {
        try StoreFiles.replace(url, withCopyOf: source)
    }

    /// The model that a store carries within itself; nil where it has none, as that of any class that doesn't override this.
    ///
    /// A store that is to be migrated when it is opened needs the model that it was made for: it is looked for in the
    /// bundles, and then here. `NSPersistentStoreCoordinator.cachedModel(forStoreAt:ofType:)` gives it to clients. The
    /// store isn't open. An addition to Apple's API.
    ///
    /// - Throws: an error that names the file when it can't be read.
    open class func modelCarried(byStoreAt url: URL) throws -> NSManagedObjectModel? { nil }

    /// The class of managers that migrate stores of this class, when they are opened with the option to migrate and that takes
    /// a new store: a subclass of `NSMigrationManager`, or that class, unless it is overridden (Apple:
    /// `migrationManagerClass()`).
    open class func migrationManagerClass() -> AnyClass { defaultMigrationManagerClass }

    /// Whether the store is at a URL. `URL` tells "folder/" from "folder", which are one place, as are a file and a link to it.
    final func isAt(_ place: URL) -> Bool {
        guard let url else { return false }
        if url == place { return true }
        guard url.isFileURL, place.isFileURL else { return false }
        return url.path == place.path || url.resolvingSymlinksInPath().path == place.resolvingSymlinksInPath().path
    }

    /// Where the store is, for people to read.
    var place: String {
        guard let url else { return identifier ?? "in memory" }
        return url.isFileURL ? url.path : url.withoutSecrets
    }

    // MARK: What the coordinator asks

    /// Makes the store ready for requests, once its metadata has been read and fits the model.
    func prepare(for layout: ModelLayout) throws {}
    /// What the class's stores can do.
    var traits: StoreTraits { [] }
    /// What examines and changes the class's stores while they aren't open; nil where it takes a store that is open.
    class var unopenedStores: (any UnopenedStores.Type)? { nil }
    /// The model that the store was made for, where the store itself knows.
    var modelOfStore: NSManagedObjectModel? { nil }

    /// Whether a store of the class is one file, so that renaming another file to its name replaces it. If not, the
    /// class's `replacePersistentStore(at:options:withPersistentStoreFrom:sourceOptions:)` puts a migrated store in its
    /// place.
    class var isReplacedByRenaming: Bool { unopenedStores?.isReplacedByRenaming ?? false }
    /// Does the work that a migration has deferred: all of it, or one task.
    func finishDeferredMigration(all: Bool) throws {}

    /// What reads the store's rows for a context. An engine reads the same for all; a custom store receives the context.
    func reading(for context: NSManagedObjectContext) throws -> any RowReading { try refuse() }

    /// The entity of a row, by the key that it has in its root entity, where the store can tell without asking a client's code;
    /// nil where it can't, or has no such row.
    func entityIndex(of key: ObjectKey, in model: ModelLayout) throws -> Int? { nil }
    /// Answers a fetch for objects.
    func fetchObjects(_ fetch: StoreFetch, for context: NSManagedObjectContext) throws -> FetchedObjects {
        .rows(try reading(for: context).fetchRows(fetch, in: context.view(of: self)))
    }
    /// Whether a copy of another store has to give this one the members of a to-many relationship, as it doesn't get
    /// them by the inverse.
    func needsMembers(of property: PropertyLayout) -> Bool { true }
    /// Gives out identities for objects that are about to be saved, in their order.
    func obtainPermanentKeys(for objects: [NSManagedObject]) throws -> [ObjectKey] { try refuse() }
    /// Writes the changes of a save, all or none.
    ///
    /// - Parameter others: makes the other stores save their parts; called when this store's part has succeeded. If it
    ///   throws, a store that can roll back does.
    func save(_ changes: StoreChanges, beforeCommit others: () throws -> Void) throws { let _: Void = try refuse() }
    /// Writes the changes of a save, all or none.
    final func save(_ changes: StoreChanges) throws { try save(changes) {} }
    /// Whether ``answer(_:in:)`` takes such a request.
    func accepts(_ request: NSPersistentStoreRequest) -> Bool { false }
    /// Answers a request that is neither a fetch nor a save: a batch request, one for history, or one of a store's own.
    func answer(_ request: NSPersistentStoreRequest, in context: NSManagedObjectContext?) throws -> Any {
        throw CoreDataError.unsupported(request, by: self)
    }
    /// The number of the last transaction in the store's history; nil where it keeps none.
    func lastTransactionNumber() throws -> Int64? { nil }
    /// Whether requests for history are for the store too.
    // Where a store's history can't be read, the request itself gives the error.
    var keepsHistory: Bool { (try? lastTransactionNumber()) != nil }
    /// Which options the class goes by.
    class var optionRange: StoreOptionRange { .own }
    /// A state of the store that can be read until it is closed; nil where the store can't keep one.
    func makeGeneration() throws -> (any StoreGeneration)? { nil }
    /// Throws where the store's file is found to be damaged, so that a copy might lack what a fetch shows. May read the whole file.
    func requireUndamaged() throws {}
    /// Whether opening the store has made metadata that the store itself doesn't have yet.
    var wasOpenedWithNewMetadata: Bool { false }
    /// The reference objects that the handles of the store's objects stand for, where these aren't numbers.
    var referenceTable: ReferenceTable? { nil }
    /// The handle that a text in an object URI stands for.
    final func handle(ofReferenceText text: String) -> Int64? {
        guard let referenceTable else { return Int64(text) }
        return referenceTable.handle(ofText: text)
    }

    /// A context uses an object.
    func didRegister(_ id: NSManagedObjectID) {}
    /// A context doesn't use an object any more.
    func didUnregister(_ id: NSManagedObjectID) {}
    /// Reads the whole contents, once the store has been added, if the store holds them in memory.
    func loadContents() throws {}

    private func refuse<T>() throws -> T {
        throw CoreDataError.unsupportedRequest("The store class \(Swift.type(of: self)) answers no requests.")
    }
}
