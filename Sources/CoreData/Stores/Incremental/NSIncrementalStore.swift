@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// The base of stores that are asked for data bit by bit: databases, web services (Apple: NSIncrementalStore).
///
/// A subclass overrides ``NSPersistentStore/type``, ``NSPersistentStore/loadMetadata()``, ``execute(_:with:)``,
/// ``newValuesForObject(with:with:)``, ``newValue(forRelationship:forObjectWith:with:)`` and ``obtainPermanentIDs(for:)``,
/// and registers itself with `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`.
///
/// The coordinator asks one thing at a time, on the thread of the context that wants to know; only the two methods that tell
/// which objects are in use may be called on any thread at any time. Whatever a subclass answers is checked: what can't be
/// an answer is an error that names the store. `Documentation/IncrementalStores.md` shows how to write one.
open class NSIncrementalStore: NSPersistentStore {
    let references = ReferenceTable()
    let nodesOfAnswers = NodesOfAnswer()
    private var madeMetadata = false

    // MARK: What subclasses override

    /// Reads the store's metadata and sets ``NSPersistentStore/metadata``.
    ///
    /// What is set must have `NSStoreUUIDKey` and `NSStoreTypeKey`. A new store may leave the metadata unset: then it is
    /// generated, with the UUID that ``identifierForNewStore(at:)`` gives, and goes with the next save.
    ///
    /// - Throws: an error that says why the store can't be opened; it isn't added then.
    open override func loadMetadata() throws {}

    /// Answers a request.
    ///
    /// A store must expect kinds of requests that it doesn't know, and throw.
    ///
    /// - Parameter request: an `NSFetchRequest<NSFetchRequestResult>` with an entity of the coordinator's model, an
    ///   `NSSaveChangesRequest`, a batch request, or one of a program's own type that was passed to the coordinator's
    ///   `execute(_:with:)`.
    /// - Returns: for a fetch request an array, by its result type: objects made by `context.object(with:)`, object IDs,
    ///   dictionaries, or one number. For a save request an empty array; one with nothing in it asks to save the metadata.
    ///   For a batch request what its result type asks for, a Boolean, object IDs or a number; the client gets Apple's
    ///   result made of it. For a request of one's own anything, which the client gets in an array with an answer a store.
    /// - Throws: an error that says why the request can't be answered. If another has changed the objects that are to be saved:
    ///   `NSManagedObjectMergeError` with `NSMergeConflict`s under `NSPersistentStoreSaveConflictsErrorKey`, which the
    ///   context's merge policy then resolves.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        fatalError("\(Swift.type(of: self)) must override execute(_:with:).")
    }

    /// The values of an object, when its fault is fired and the row cache doesn't have it.
    ///
    /// - Throws: an error; `NSManagedObjectReferentialIntegrityError` (133000) when the store has no such object.
    open func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        fatalError("\(Swift.type(of: self)) must override newValuesForObject(with:with:).")
    }

    /// The values of many objects, in any order; those that the store doesn't have are left out.
    ///
    /// An addition to Apple's API. It asks ``newValuesForObject(with:with:)`` for one after the other; a store that can read
    /// many at once overrides it.
    ///
    /// - Throws: what asking for one throws, but for 133000, which is an object that is left out.
    open func newValuesForObjects(with objectIDs: [NSManagedObjectID], with context: NSManagedObjectContext) throws
        -> [NSIncrementalStoreNode]
    {
        try objectIDs.compactMap { id in
            do {
                return try newValuesForObject(with: id, with: context)
            } catch  where Self.isMissingObject(error) {
                return nil
            }
        }
    }

    /// The destinations of a relationship, when it is first asked for: an object ID or `NSNull` for a to-one, a
    /// collection of object IDs for a to-many, in order if it is ordered.
    ///
    /// Unless it is overridden, what the object's node has: a store whose nodes have all relationships needn't override
    /// it.
    ///
    /// - Throws: an error that says why the destinations can't be read.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let node = try context.map { try newValuesForObject(with: objectID, with: $0) }
        if let value = node?.value(for: relationship) { return value }
        throw try StoreAnswers(self).error(
            "gave no value for \(relationship.entity.name ?? "").\(relationship.name): its nodes must have one, or "
                + "newValue(forRelationship:forObjectWith:with:) must be overridden")
    }

    /// Gives out IDs for objects that are about to be saved, in their order. They never change afterwards.
    ///
    /// A save that fails after this lets the IDs go; the next try asks for new ones.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        fatalError("\(Swift.type(of: self)) must override obtainPermanentIDs(for:).")
    }

    /// The UUID of a store that is made new at that place. A generated one unless it is overridden.
    ///
    /// It must be a string for URIs of objects to lead back to the store.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Objects with these IDs are in use by a context. Calls count up. They may come on any thread.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}
    /// Objects with these IDs are out of use by a context. Calls count down. They may come on any thread.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    // MARK: What subclasses call

    /// The object ID for a reference object: a string, a number or a UUID that the store knows the object by, unique among the
    /// objects of the entity's hierarchy (our choice: an ID of one entity is that of the same object by the name of another).
    open func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        references.objectID(for: entity, reference: data, in: self)
    }

    /// The reference object that an ID of this store stands for.
    open func referenceObject(for objectID: NSManagedObjectID) -> Any {
        references.reference(for: objectID, in: self)
    }

    /// Gives values along with the answer to the request that the store is executing, so that they needn't be asked
    /// for.
    ///
    /// An addition to Apple's API. Call it inside ``execute(_:with:)``, ``newValuesForObject(with:with:)`` or
    /// ``newValue(forRelationship:forObjectWith:with:)``. The nodes may be of the objects in the answer or of others that
    /// are likely to be asked for next, and live as long as objects of the answer do. During a save they
    /// say what the saved objects look like now, where the store has changed them or counts versions in its own way.
    public final func addToRowCache(_ nodes: [NSIncrementalStoreNode]) { nodesOfAnswers.add(nodes) }

    /// The version of the node that an object's values were read from; 0 for one that was never saved.
    ///
    /// An addition to Apple's API: what a store compares with its own version of the object during a save.
    public final func version(of object: NSManagedObject) -> UInt64 { UInt64(max(0, object.snapshotVersion)) }

    // MARK: Between the coordinator and the subclass

    override func prepare(for layout: ModelLayout) throws {
        var complete = metadata ?? [:]
        if complete.isEmpty {
            let url = url ?? URL(fileURLWithPath: "/dev/null")
            complete[NSStoreTypeKey] = type
            complete[NSStoreUUIDKey] = Swift.type(of: self).identifierForNewStore(at: url)
            madeMetadata = true
        } else {
            try StoreAnswers(self).check(metadata: complete)
        }
        if complete[NSStoreModelVersionHashesKey] == nil {
            StoreMetadata.addModelVersion(layout.model, configuration: requestedConfiguration, to: &complete)
            madeMetadata = true
        }
        metadata = complete
    }

    override var wasOpenedWithNewMetadata: Bool { madeMetadata }

    override var traits: StoreTraits { .tracksRegistration }
    override func didRegister(_ id: NSManagedObjectID) { managedObjectContextDidRegisterObjects(with: [id]) }
    override func didUnregister(_ id: NSManagedObjectID) { managedObjectContextDidUnregisterObjects(with: [id]) }

    override var referenceTable: ReferenceTable? { references }

    static func isMissingObject(_ error: any Error) -> Bool {
        let error = error as NSError
        return error.domain == NSCocoaErrorDomain && error.code == NSManagedObjectReferentialIntegrityError
    }

    /// Calls the subclass's method, and makes rows of the nodes that it added to the row cache.
    final func asking<Answer>(_ question: () throws -> Answer) throws -> (answer: Answer, rows: NodeRows) {
        nodesOfAnswers.begin()
        let answer: Answer
        do {
            answer = try question()
        } catch {
            _ = nodesOfAnswers.end()
            throw error
        }
        return (answer, try NodeRows(nodesOfAnswers.end(), StoreAnswers(self)))
    }

    // MARK: Reading

    override func reading(for context: NSManagedObjectContext) -> any RowReading { IncrementalReading(self, context) }

    override func fetchObjects(_ fetch: StoreFetch, for context: NSManagedObjectContext) throws -> FetchedObjects {
        .objects(try IncrementalReading(self, context).objects(fetch))
    }

    // MARK: Saving

    /// A subclass takes part in batch and other requests by answering them in ``execute(_:with:)``; in those for history only
    /// where it keeps one.
    override func accepts(_ request: NSPersistentStoreRequest) -> Bool {
        keepsHistory || !(request is NSPersistentHistoryChangeRequest)
    }

    /// Few stores do. A store does if its options have the key that makes a SQLite store keep a history.
    override var keepsHistory: Bool { options?.isSet(NSPersistentHistoryTrackingKey) ?? false }

    override func answer(_ request: NSPersistentStoreRequest, in context: NSManagedObjectContext?) throws -> Any {
        try asking { try execute(request, with: context) }.answer
    }

    override func obtainPermanentKeys(for objects: [NSManagedObject]) throws -> [ObjectKey] {
        try StoreAnswers(self).keys(try obtainPermanentIDs(for: objects), for: objects)
    }

    private func saveMetadata(in context: NSManagedObjectContext) throws {
        let request = NSSaveChangesRequest(inserted: nil, updated: nil, deleted: nil, locked: nil)
        _ = try asking { try execute(request, with: context) }
    }

    override func save(_ changes: StoreChanges, beforeCommit others: () throws -> Void) throws {
        if changes.isEmpty {
            try saveMetadata(in: changes.context)
            return try others()
        }
        try VersionCheck.check(changes, in: self)
        // What the class does can't be rolled back, so everything else goes first.
        try others()
        let request = NSSaveChangesRequest(
            inserted: Set(changes.inserted), updated: Set(changes.updated), deleted: Set(changes.deleted),
            locked: Set(changes.locked))
        for object in changes.inserted + changes.updated { object.state?.writtenRow = nil }
        do {
            let (_, rows) = try asking { try execute(request, with: changes.context) }
            for object in changes.inserted + changes.updated {
                if let row = rows.row(of: object.savedKey, root: object.layout.root) {
                    object.writableState.writtenRow = row
                }
            }
            rows.register(in: rowCache, wasSaved: true)
        } catch {
            if let conflicts = try StoreAnswers(self).conflicts(error, in: changes) { throw conflicts }
            throw error
        }
    }
}

// Safe: what changes is behind a lock.
/// The nodes that an incremental store gives along while it answers; answers may be nested, as a store may fetch.
final class NodesOfAnswer: @unchecked Sendable {
    private let lock = NSLock()
    private var open: [[NSIncrementalStoreNode]] = []

    func begin() { lock.withLock { open.append([]) } }

    func add(_ nodes: [NSIncrementalStoreNode]) {
        lock.withLock {
            guard !open.isEmpty else {
                fatalError("addToRowCache(_:) was called while the store wasn't asked anything.")
            }
            open[open.count - 1] += nodes
        }
    }

    /// What the question that is being answered has brought so far.
    var current: [NSIncrementalStoreNode] { lock.withLock { open.last ?? [] } }

    func end() -> [NSIncrementalStoreNode] { lock.withLock { open.removeLast() } }
}
