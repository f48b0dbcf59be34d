@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel
import Synchronization

@_exported import class FoundationCompat.UndoManager

// Safe: everything but what is behind a lock is used on the context's queue, which is checked where the check is on.
/// A space in which managed objects live, change, and are saved from.
///
/// A context belongs to a queue: use it, and its objects, inside `perform` or `performAndWait`, or on the main thread
/// if it is a main-queue context. It has one instance for each object. It retains the objects with unsaved changes, and
/// others only where ``retainsRegisteredObjects`` is set (Apple: NSManagedObjectContext). A reference to it may go
/// anywhere, as on Apple's platforms.
open class NSManagedObjectContext: NSObject, NSCoding, @unchecked Sendable {
    /// How the context is bound to a queue.
    open private(set) var concurrencyType: NSManagedObjectContextConcurrencyType
    let queue: ContextQueue
    /// For objects that mustn't retain the context. Weak references would make each of its many retains several times
    /// slower.
    let reference = BackReference<NSManagedObjectContext>()
    // Safe: what follows, where it is marked, is used on the context's queue, and nothing that runs inside an access to one uses
    // the same one; so the compiler needn't check every access.
    @exclusivity(unchecked) private var storedRegistry: ObjectRegistry?
    @exclusivity(unchecked) private(set) var storedParentStore: (any ParentStore)?
    /// The family's generation when the context last took over identities from it.
    @exclusivity(unchecked) var knownIdentities = 0
    @exclusivity(unchecked) var inserted = ObjectList()
    @exclusivity(unchecked) var updated = ObjectList()
    @exclusivity(unchecked) var deleted = ObjectList()
    /// The objects that the current event has changed, each once; their flags say how.
    @exclusivity(unchecked) var eventObjects: ContiguousArray<NSManagedObject> = []
    /// References to the family of child contexts, and to the children that merge what is saved here.
    let familyLink = FamilyLink()
    let mergingChildren = MergingContexts()
    /// The parent as long as it has no coordinator. Until it gets one, this context behaves as one without a parent.
    private var awaitedParent: NSManagedObjectContext?
    /// The children that wait for this context's coordinator.
    private let waitingChildren = ContextList()
    private let changeCount = Atomic<UInt64>(0)
    /// Whether the end of the run loop's turn will end the current event.
    var isEventEndArranged = false
    var awakenings = 0  // how many objects are in their `awakeFromInsert()`, one inside of another
    var locked: Set<NSManagedObject> = [], retained: Set<NSManagedObject> = []
    var keptResults = KeptResults()
    var changedOrder: ChangedOrder?
    /// What a merge policy has met that others have changed as well.
    var outdatedNeighbours: [NSManagedObject] = []
    var saving = SavePhase.none
    /// Whether a method that a subclass has overridden is running to answer a fetch.
    var isAskingOverride = false
    /// What a coordinator of a program's own class is being asked.
    var coordinatorQuestion: CoordinatorQuestion?
    /// Programs set these on the thread that makes the context, while its queue may already run blocks.
    private let labels = Mutex(Labels())
    private let policyLock = ExclusiveLock()
    private var policy: Any = NSMergePolicy.error

    private struct Labels: Sendable { var name: String?, author: String? }
    var relationshipRuns = RelationshipRuns()
    /// The state of the stores that the context is pinned to.
    var generation: QueryGeneration?
    /// The first failure to read a property's value since the last rollback, which every save then throws.
    var readFailure: NSError?
    /// How often a store's place was taken by another one, and the context's objects have the identities of that.
    var adoptedExchanges = 0
    /// The failures to read what the delete rules needed. The next save applies these rules again.
    var deleteRuleFailures: [NSError] = []
    /// The relationships whose two ends a merge makes agree at its end; nil while there is no merge.
    var rivals: [ConflictingDestination]?
    var doubts = SaveDoubts(), mergedDeletions = MergedDeletions()
    var postedEvent: PostedEvent?
    /// Whether the delete rules are being applied, which decides how a failure to read is treated.
    var appliesDeleteRules = false

    /// Makes a context for a queue.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        self.concurrencyType = concurrencyType
        queue = ContextQueue(concurrencyType)
        _ = (CurrentContext.executesRequests, NSManagedObject.unmodeledKeyPaths)
        super.init()
        reference.set(self)
        queue.context = reference
    }

    /// Makes a context for a queue (the spelling of newer SDKs).
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

    /// Makes a context that is bound to the thread that made it, as Apple's does.
    @available(*, deprecated, message: "Use init(concurrencyType:) instead")
    public convenience override init() { self.init(concurrencyType: .confinementConcurrencyType) }

    /// Makes a context of the kind and with the settings that an archive names. It has no parent and no coordinator yet.
    public required convenience init?(coder: NSCoder) {
        guard let settings = ContextArchive(coder) else { return nil }
        self.init(concurrencyType: settings.concurrencyType)
        settings.apply(to: self)
    }

    /// Archives the context's kind and settings, without objects, changes, coordinator and parent.
    open func encode(with coder: NSCoder) { ContextArchive(of: self).encode(with: coder) }

    deinit {
        reference.clear()
        guard let registry = storedRegistry else { return }
        // Loaded relationships make reference cycles between objects, which can't be used without the context.
        for object in registry.allObjects() { object.invalidate() }
    }

    // MARK: Surroundings

    /// The coordinator that the context fetches from and saves to; for a child the one at the root of its parents. Set it once,
    /// before use, and not for a child.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        get { storedParentStore?.coordinator }
        set {
            guard newValue !== storedParentStore?.coordinator else { return }
            precondition(
                storedParentStore == nil || !holdsChanges, "Can't change the coordinator of a context with changes.")
            setParentStore(newValue.map(CoordinatorParent.init))
        }
    }

    /// The context that this one fetches from and saves to, which keeps its unsaved changes until they are saved there; nil
    /// where that is a coordinator.
    ///
    /// Set it once, before use. The parent must have a queue, on which it answers its children; it lives at least as
    /// long as they do (Apple: `parent`).
    open var parent: NSManagedObjectContext? {
        get { storedParentStore?.context ?? awaitedParent }
        set {
            guard newValue !== parent else { return }
            precondition(
                storedParentStore == nil || !holdsChanges, "Can't change the parent of a context with changes.")
            guard let newValue else { return setParentStore(nil) }
            if newValue.concurrencyType == .confinementConcurrencyType {
                fatalError(
                    "Parent NSManagedObjectContext must use either NSPrivateQueueConcurrencyType or "
                        + "NSMainQueueConcurrencyType.")
            }
            for ancestor in sequence(first: newValue, next: \.parent) where ancestor === self {
                fatalError("A context can't be its own parent: \(self)")
            }
            guard newValue.storedParentStore == nil else { return setParentStore(ContextParent(newValue)) }
            setParentStore(nil)
            awaitedParent = newValue
            newValue.waitingChildren.add(self)
        }
    }

    private func setParentStore(_ new: (any ParentStore)?) {
        awaitedParent?.waitingChildren.remove(self)
        awaitedParent = nil
        if automaticallyMergesChangesFromParent { storedParentStore?.listeners.remove(self) }
        let hadNone = storedParentStore == nil
        storedParentStore = new
        guard let new else { return }
        let model = new.coordinator.layout
        if hadNone, holdsChanges, storedRegistry?.model !== model {
            fatalError("The context has objects of another model than its new coordinator's: \(self)")
        }
        // Objects that were inserted before there was a coordinator stay.
        if !hadNone || storedRegistry?.model !== model { storedRegistry = ObjectRegistry(model: model, context: self) }
        new.coordinator.contexts.add(self)
        if automaticallyMergesChangesFromParent { new.listeners.add(self) }
        for child in waitingChildren.contexts where child.awaitedParent === self {
            child.setParentStore(ContextParent(self))
        }
    }

    /// Where objects come from and changes go to.
    var parentStore: any ParentStore {
        guard let storedParentStore else { fatalError("The context has no persistent store coordinator: \(self)") }
        return storedParentStore
    }

    /// Throws where there is neither a coordinator nor a parent, as a fetch or a save needs one.
    func requireParentStore() throws {
        guard storedParentStore == nil else { return }
        throw CoreDataError.unsupportedRequest(
            "This context has no persistent store coordinator and no parent, so it can neither fetch nor save: set one of "
                + "them. (\(self))")
    }

    /// The objects of the context by identity; an empty one where it has neither a coordinator nor objects.
    var registry: ObjectRegistry {
        storedRegistry ?? ObjectRegistry(model: ModelLayout.of(NSManagedObjectModel()), context: self)
    }

    /// The same; a context without a coordinator and without objects takes the model for its own from then on.
    func registry(orOf model: ModelLayout) -> ObjectRegistry {
        if let storedRegistry { return storedRegistry }
        let registry = ObjectRegistry(model: model, context: self)
        storedRegistry = registry
        return registry
    }

    /// The model of the coordinator, or of the objects in a context that has none.
    var knownModel: ModelLayout? { storedRegistry?.model }

    var model: ModelLayout { registry.model }

    var coordinator: NSPersistentStoreCoordinator { parentStore.coordinator }

    /// A name for people to tell contexts apart by.
    open var name: String? {
        get { labels.withLock { $0.name } }
        set { labels.withLock { $0.name = newValue } }
    }
    /// Values that the client keeps with the context.
    open var userInfo: NSMutableDictionary { storedUserInfo }
    private let storedUserInfo = NSMutableDictionary()
    /// Who makes the changes: written into the persistent history of stores that keep one.
    open var transactionAuthor: String? {
        get { labels.withLock { $0.author } }
        set { labels.withLock { $0.author = newValue } }
    }
    /// What remembers changes so that they can be undone; nil by default, which costs nothing.
    open var undoManager: UndoManager? {
        didSet { if undoManager !== oldValue { followCheckpoints(of: undoManager) } }
    }
    /// Observes the undo manager's checkpoints. It ends with the context, or when the manager is replaced.
    var checkpointObserver: CheckpointObserver?
    var deferredRestorations = DeferredRestorations()
    // Safe: as those above.
    /// Whether saves leave the rules of the model unchecked: a migration checks them once everything is in place.
    @exclusivity(unchecked) var savesUnvalidated = false
    /// What to do when a save meets changes by others; an error by default.
    open var mergePolicy: Any {
        get { policyLock.withLock { policy } }
        set { policyLock.withLock { policy = newValue } }
    }
    /// Whether deletions spread along relationships when changes are processed (the default) or only when saving.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether an object whose row has gone becomes a deleted one without values (the default), rather than stopping
    /// the program.
    open var shouldDeleteInaccessibleFaults = true
    /// Whether the context automatically merges, on its queue, what is saved to its parent or its coordinator.
    open var automaticallyMergesChangesFromParent = false {
        didSet {
            if automaticallyMergesChangesFromParent {
                storedParentStore?.listeners.add(self)
            } else {
                storedParentStore?.listeners.remove(self)
            }
        }
    }
    // Safe: as those above.
    /// Whether the context keeps all its objects, and not just the changed ones.
    @exclusivity(unchecked) open var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? Set(storedRegistry?.allObjects() ?? []) : [] }
    }
    // Safe: as those above.
    /// For how many seconds a value that was read may be used again when a fault is fired; negative (the default) means for
    /// ever, and 0 that the store is asked every time.
    ///
    /// It doesn't affect values that objects already have, nor stores that hold everything in memory; a child uses the
    /// interval of its root context (Apple: `stalenessInterval`).
    @exclusivity(unchecked) open var stalenessInterval: TimeInterval = -1

    /// A counter of this context's changes, by which its children find out that theirs are out of date.
    var ownRevision: UInt64 { changeCount.load(ordering: .acquiring) }

    @inline(__always)
    func advanceRevision() {
        if familyLink.hadChildren { changeCount.add(1, ordering: .releasing) }
    }

    // MARK: Objects

    /// The objects that the next save inserts.
    open var insertedObjects: Set<NSManagedObject> { inserted.set }
    /// The saved objects that have unsaved changes.
    open var updatedObjects: Set<NSManagedObject> { updated.set }
    /// The saved objects that the next save deletes, and those that the current event has inserted and deleted.
    open var deletedObjects: Set<NSManagedObject> { deletionsToTell }
    /// All objects of the context that are alive.
    open var registeredObjects: Set<NSManagedObject> { Set(registry.allObjects()) }
    /// Whether there is anything to save.
    open var hasChanges: Bool { holdsChanges }

    /// The instance for an ID if the context has one. No I/O.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? { knownObject(objectID) }

    /// The instance for an ID, as a fault if the context doesn't have it. No I/O, so the object may not exist, and neither may
    /// its store.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject { objectOrFault(objectID) }

    /// The object for an ID, with its values, read from the parent or the store if need be; also one whose deletion isn't saved.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) when its store has no such object, `NSCoreDataError` (134060)
    ///   when there is no such store in the coordinator, or what the store throws.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        try realizedObject(objectID)
    }

    // MARK: Changing

    // Clients override these, as test doubles do, which needs declarations in the class. The bodies are in extensions.

    /// Makes an object that was created without a context part of this one. Inserting it twice does no harm.
    open func insert(_ object: NSManagedObject) { adopt(new: object) }

    /// Marks an object to be deleted by the next save. One that was never saved just leaves the context.
    open func delete(_ object: NSManagedObject) { prepareAndMarkDeleted(object) }

    /// Ends the current event: spreads deletions along relationships and posts what has changed.
    ///
    /// Called after `perform` blocks and turns of the main run loop, before saves, fetches and undo checkpoints, or by hand.
    open func processPendingChanges() { endEvent(registersUndo: true) }

    /// Saves all changes to the parent: to the stores of the coordinator, or to the parent context, which then has them as unsaved
    /// changes of its own. All of them, or none. Where there are no changes it posts its notifications: ask `hasChanges` before.
    ///
    /// Objects get `willSave()`, are validated, written and get `didSave()`; a failed save leaves the context as it was.
    ///
    /// - Throws: validation errors (1550 … 1680, several under 1560), conflicts that the merge policy doesn't resolve
    ///   (133020, of unique values 133021), or what a store throws.
    open func save() throws { try saveToParent() }

    /// Refreshes all objects of the context, keeping changes.
    open func refreshAllObjects() { updateAll() }

    /// Forgets all objects and all changes. Objects that the program still holds belong to no context any more; the
    /// values of their rows can still be read.
    open func reset() { forgetEverything() }

    /// Drops all changes: inserted objects leave, deleted ones return, updated ones get their saved values back.
    open func rollback() { dropAllChanges() }

    /// Brings an object up to date.
    ///
    /// Without merging, its changes are dropped and it becomes a fault. With merging, its values are read anew and its changes
    /// laid over them (Apple: `refresh(_:mergeChanges:)`).
    open func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        update(object, keepingChanges: flag)
    }

    /// Makes the next save check the version of an unchanged object, as if it were changed.
    open func detectConflicts(for object: NSManagedObject) { locked.insert(object) }

    /// Sets the store that a new object is saved to. Needed only where several writable stores take its entity.
    open func assign(_ object: Any, to store: NSPersistentStore) { setStore(store, ofNew: object) }

    /// Gives unsaved objects their permanent IDs now, without saving them to a store.
    ///
    /// - Throws: what the store throws; the objects then keep their temporary IDs.
    open func obtainPermanentIDs(for objects: [NSManagedObject]) throws { try reserveIDs(for: objects) }

    /// Takes back the last group of changes that the undo manager has.
    open func undo() { undoLastGroup() }

    /// Makes the changes again that were taken back last.
    open func redo() { redoLastGroup() }

    /// Takes over what another context has saved.
    ///
    /// Updated objects that this context has are refreshed, with its own changes laid over them; inserted ones become faults
    /// of this context; deleted ones leave it. Call it on this context's queue (Apple: `mergeChanges(fromContextDidSave:)`).
    ///
    /// - Parameter notification: a `didSaveObjectsNotification` or `didSaveObjectIDsNotification`.
    open func mergeChanges(fromContextDidSave notification: Notification) { merge(savedBy: notification) }

    /// Takes over what was saved elsewhere, such as by a batch request or another process, in several contexts.
    ///
    /// - Parameters:
    ///   - changeNotificationData: arrays of object IDs or of their URIs, under the keys of inserted, updated and deleted
    ///     objects.
    ///   - contexts: the contexts; each is changed on its own queue.
    open class func mergeChanges(
        fromRemoteContextSave changeNotificationData: [AnyHashable: Any], into contexts: [NSManagedObjectContext]
    ) { for context in contexts { context.merge(savedElsewhere: changeNotificationData) } }

    // MARK: Asking

    /// The results of a request of the erased type, as whatever they are. Throws as a fetch of a certain type does.
    ///
    /// A subclass that overrides it sees every fetch that is made through the context, those of results controllers included.
    @_disfavoredOverload
    open func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any] { try results(of: request) }

    /// How many results a request has, unsaved changes included. Throws what a fetch of them would.
    open func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int { try count(of: request) }

    /// Executes a request other than a save: one that inserts, updates or deletes many rows, or one for history.
    ///
    /// Call it on the context's queue. Objects in memory don't change: merge what the result says (Apple: NSBatchDeleteRequest).
    /// A fetch gives an ``NSAsynchronousFetchResult`` that has its results.
    /// - Throws: `NSPersistentStoreUnsupportedRequestTypeError` (134091) where a store can't execute such a request, or what it throws.
    @discardableResult
    open func execute(_ request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult { try result(of: request) }

    // MARK: On the context's queue

    /// Runs a block on the context's queue, later, and processes changes at its end. Returns at once.
    open func perform(_ block: @escaping () -> Void) { enqueue(block) }

    /// Runs a block on the context's queue and waits for it. May be nested: on the queue itself it runs inline.
    open func performAndWait(_ block: () -> Void) { runOnQueue(block) }

    // MARK: Query generations

    /// The state of the stores that the context sees; nil where it sees their present state (the default).
    open var queryGenerationToken: NSQueryGenerationToken? { generation.map { NSQueryGenerationToken($0) } }

    /// Pins the context to a state of the stores: what others write from then on it doesn't see.
    ///
    /// With `NSQueryGenerationToken.current` the state is taken when the context next reads; saving, merging and
    /// resetting move the context on to a new one. With the token of another context the two see the same. Nil ends it.
    /// Objects that the context already has stay as they are. SQLite stores with a write-ahead log and PostgreSQL
    /// keep a state; other stores are read as they are (Apple: "Accessing data when the store changes").
    ///
    /// - Throws: an error for a token of another coordinator's context or of another process.
    open func setQueryGenerationFrom(_ token: NSQueryGenerationToken?) throws { try pin(to: token) }

    // MARK: Inaccessible objects

    /// Decides what becomes of an object whose row has gone. Returns whether it was handled (Apple:
    /// `shouldHandleInaccessibleFault(_:for:triggeredBy:)`).
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { shouldDeleteInaccessibleFaults }
}
