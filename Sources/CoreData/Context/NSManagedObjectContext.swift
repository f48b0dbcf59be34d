import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.UndoManager

/// A space in which managed objects live, change, and are saved from.
///
/// A context belongs to a queue: use it, and its objects, inside `perform` or `performAndWait`, or on the main thread if it is
/// a main-queue context. It has one instance for each object, and keeps clean ones only as long as somebody else does
/// (Apple: NSManagedObjectContext).
open class NSManagedObjectContext: NSObject {
    /// How the context is bound to a queue.
    public let concurrencyType: NSManagedObjectContextConcurrencyType
    let queue: ContextQueue
    private var storedRegistry: ObjectRegistry?

    var inserted = ObjectList()
    var updated = ObjectList()
    var deleted = ObjectList()
    /// What the current event has touched, each object once; its flags say how.
    var eventObjects: ContiguousArray<NSManagedObject> = []
    var locked: Set<NSManagedObject> = []
    var retained: Set<NSManagedObject> = []
    var isSaving = false
    var relationshipRuns = RelationshipRuns()
    /// The state of the stores that the context is pinned to.
    var generation: QueryGeneration?
    /// The first failure to read a property's value since the last rollback, which every save then throws.
    var readFailure: NSError?

    /// Makes a context for a queue.
    public init(concurrencyType: NSManagedObjectContextConcurrencyType) {
        self.concurrencyType = concurrencyType
        queue = ContextQueue(concurrencyType)
        super.init()
        queue.context = self
    }

    /// Makes a context for a queue (the spelling of newer SDKs).
    public convenience init(_ type: ConcurrencyType) { self.init(concurrencyType: type.rawValue) }

    /// Makes a context that is bound to the thread that made it, as Apple's does.
    @available(*, deprecated, message: "Use init(concurrencyType:) instead")
    public convenience override init() { self.init(concurrencyType: .confinementConcurrencyType) }

    deinit {
        guard let registry = storedRegistry else { return }
        registry.detach()
        // Realised relationships hold objects in circles; nobody can use them any more.
        for object in registry.allObjects() { object.invalidate() }
    }

    /// How a context is bound to a queue.
    public struct ConcurrencyType: Hashable, Sendable {
        public let rawValue: NSManagedObjectContextConcurrencyType
        /// A serial queue of the context's own.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
        /// The main queue.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }

    // MARK: Surroundings

    /// The coordinator that the context fetches from and saves to. Set it once, before use.
    open var persistentStoreCoordinator: NSPersistentStoreCoordinator? {
        didSet {
            guard let coordinator = persistentStoreCoordinator, coordinator !== oldValue else { return }
            precondition(
                inserted.isEmpty && updated.isEmpty && deleted.isEmpty,
                "Can't change the coordinator of a context with changes.")
            storedRegistry = ObjectRegistry(model: coordinator.layout, context: self)
            coordinator.contexts.add(self)
            if automaticallyMergesChangesFromParent { coordinator.mergingContexts.add(self) }
        }
    }

    /// The objects of the context by identity.
    var registry: ObjectRegistry {
        guard let storedRegistry else { fatalError("The context has no persistent store coordinator: \(self)") }
        return storedRegistry
    }

    var model: ModelLayout { registry.model }

    var coordinator: NSPersistentStoreCoordinator {
        guard let persistentStoreCoordinator else {
            fatalError("The context has no persistent store coordinator: \(self)")
        }
        return persistentStoreCoordinator
    }

    /// A name for people to tell contexts apart by.
    open var name: String?
    /// Values that the client keeps with the context.
    open var userInfo = NSMutableDictionary()
    /// Who makes the changes: written into the persistent history of stores that keep one.
    open var transactionAuthor: String?
    /// What remembers changes so that they can be undone; nil by default, which costs nothing.
    open var undoManager: UndoManager?
    /// Whether saves leave the rules of the model unchecked: a migration checks them once everything is in place.
    var savesUnvalidated = false
    /// What to do when a save meets changes by others; an error by default.
    open var mergePolicy: Any = NSMergePolicy.error
    /// Whether deletions spread along relationships when changes are processed (the default) or only when saving.
    open var propagatesDeletesAtEndOfEvent = true
    /// Whether an object whose row has gone becomes a deleted one without values (the default), rather than stopping
    /// the program.
    open var shouldDeleteInaccessibleFaults = true
    /// Whether the context takes over by itself, on its queue, what other contexts of the coordinator save.
    open var automaticallyMergesChangesFromParent = false {
        didSet {
            if automaticallyMergesChangesFromParent {
                persistentStoreCoordinator?.mergingContexts.add(self)
            } else {
                persistentStoreCoordinator?.mergingContexts.remove(self)
            }
        }
    }
    /// Whether the context keeps all its objects, and not just the changed ones.
    open var retainsRegisteredObjects = false {
        didSet { retained = retainsRegisteredObjects ? Set(registry.allObjects()) : [] }
    }

    // MARK: Objects

    /// The objects that the next save inserts.
    open var insertedObjects: Set<NSManagedObject> { inserted.set }
    /// The saved objects that have unsaved changes.
    open var updatedObjects: Set<NSManagedObject> { updated.set }
    /// The saved objects that the next save deletes.
    open var deletedObjects: Set<NSManagedObject> { deleted.set }
    /// All objects of the context that are alive.
    open var registeredObjects: Set<NSManagedObject> { Set(registry.allObjects()) }
    /// Whether there is anything to save.
    open var hasChanges: Bool { !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) }

    /// The instance for an ID if the context has one. No I/O.
    open func registeredObject(for objectID: NSManagedObjectID) -> NSManagedObject? {
        checkQueue()
        return registry.object(store: storeIndex(of: objectID), layout: objectID.layout, handle: objectID.handle)
    }

    /// The instance for an ID, as a fault if the context doesn't have it. No I/O, so the row may not exist.
    open func object(with objectID: NSManagedObjectID) -> NSManagedObject {
        if let object = registeredObject(for: objectID) { return object }
        guard !objectID.isTemporaryID else {
            fatalError("The temporary object ID \(objectID) belongs to no object of this context.")
        }
        return object(for: objectID.key, storeIndex: storeIndex(of: objectID))
    }

    /// The object for an ID, with its values: read from the store if need be.
    ///
    /// - Throws: `NSManagedObjectReferentialIntegrityError` (133000) when the store has no such object, or what the
    ///   store throws.
    open func existingObject(with objectID: NSManagedObjectID) throws -> NSManagedObject {
        if objectID.isTemporaryID {
            guard let object = registeredObject(for: objectID), !object.isDeleted else {
                throw CoreDataError.missingObject(objectID)
            }
            return object
        }
        let object = object(with: objectID)
        if object.isDeleted { throw CoreDataError.missingObject(objectID) }
        guard try object.realize(in: self) else { throw CoreDataError.missingObject(objectID) }
        return object
    }

    private func storeIndex(of objectID: NSManagedObjectID) -> UInt16 {
        if objectID.isTemporaryID { return 0 }
        guard let store = coordinator.store(of: objectID) else {
            fatalError(
                "Object's persistent store is not reachable from this NSManagedObjectContext's coordinator: \(objectID)"
            )
        }
        return registry.index(of: store)
    }

    /// The instance for a key of a store, as a fault if the context doesn't have it.
    func object(for key: ObjectKey, storeIndex: UInt16) -> NSManagedObject {
        let layout = model.entities[Int(key.entityIndex)]
        if let object = registry.object(store: storeIndex, layout: layout, handle: key.handle) { return object }
        return makeFault(for: key, layout: layout, storeIndex: storeIndex)
    }

    func makeFault(for key: ObjectKey, layout: EntityLayout, storeIndex: UInt16) -> NSManagedObject {
        let object = layout.objectClass.init(_seed: ManagedObjectSeed(entity: layout.entity))
        object.becomeFault(of: key, storeIndex: storeIndex, registry: registry)
        registry.register(object)
        if retainsRegisteredObjects { retained.insert(object) }
        return object
    }

    /// The row of a fault, from the cache or the store; nil when it has gone.
    func row(for object: NSManagedObject) throws -> RowRef? {
        guard let store = registry.store(at: object.storeIndex) else { return nil }
        let key = ObjectKey(handle: object.handle, entityIndex: object.layout.index)
        let cache = rowCache(of: store)
        if let cached = cache.row(for: key, root: object.layout.root), object.canBeRead(from: cached) {
            return cached
        }
        if let page = object.snapshotPage, let plan = page.readAhead {
            return try readAhead(for: object, from: page, plan, in: store)
        }
        if store.readsManyAtOnce, let diagnostic = relationshipRuns.noteRowRead(of: object) {
            coordinator.diagnostics.report(diagnostic)
        }
        guard let row = try coordinator.loadRow(key, from: store, in: self) else { return nil }
        rowCache(of: store).register(row.page, root: object.layout.root)
        return row
    }

    /// Decides what becomes of an object whose row has gone. Returns whether it was handled (Apple:
    /// `shouldHandleInaccessibleFault(_:for:triggeredBy:)`).
    open func shouldHandleInaccessibleFault(
        _ fault: NSManagedObject, for oid: NSManagedObjectID, triggeredByProperty property: NSPropertyDescription?
    ) -> Bool { shouldDeleteInaccessibleFaults }

    func handleInaccessibleFault(of object: NSManagedObject) {
        guard shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: nil) else {
            fatalError(
                "CoreData could not fulfill a fault for '\(object.objectID)': the object isn't in the store any more.")
        }
        object.flags.remove(.fault)
        object.flags.insert(.inaccessible)
        object.snapshot = nil
        if !object.isDeleted { markDeleted(object) }
    }
}
