import Foundation
import ManagedObjectModel

/// The base of stores that are asked for data bit by bit: databases, web services (Apple: NSIncrementalStore).
///
/// A subclass overrides ``NSPersistentStore/loadMetadata()``, ``execute(_:with:)``, ``newValuesForObject(with:with:)``,
/// ``newValue(forRelationship:forObjectWith:with:)`` and ``obtainPermanentIDs(for:)``, and registers itself with
/// `NSPersistentStoreCoordinator.registerStoreClass(_:forStoreType:)`. The coordinator asks one thing at a time.
open class NSIncrementalStore: NSPersistentStore {
    let references = ReferenceTable()

    // MARK: What subclasses override

    /// Answers a request.
    ///
    /// - Returns: for a fetch request an array: objects made by `context.object(with:)`, object IDs, dictionaries, or one
    ///   number, by its result type. For a save request an empty array; one with nothing in it asks to save the metadata.
    /// - Throws: an error that says why the request can't be answered.
    open func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        fatalError("\(Swift.type(of: self)) must override execute(_:with:).")
    }

    /// The values of an object, when its fault is fired.
    ///
    /// - Throws: an error; 133000 when the store has no such object.
    open func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        fatalError("\(Swift.type(of: self)) must override newValuesForObject(with:with:).")
    }

    /// The destinations of a relationship, when it is first asked for: an object ID or `NSNull` for a to-one, a
    /// collection of object IDs for a to-many, in order if it is ordered.
    open func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        fatalError("\(Swift.type(of: self)) must override newValue(forRelationship:forObjectWith:with:).")
    }

    /// Gives out IDs for objects that are about to be saved, in their order. They never change afterwards.
    open func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        fatalError("\(Swift.type(of: self)) must override obtainPermanentIDs(for:).")
    }

    /// The UUID of a store that is made new at that place. A generated one unless it is overridden.
    open class func identifierForNewStore(at storeURL: URL) -> Any { UUID().uuidString }

    /// Objects with these IDs are in use by a context. Calls count up.
    open func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {}
    /// Objects with these IDs are out of use by a context. Calls count down.
    open func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {}

    // MARK: What subclasses call

    /// The object ID for a reference object: a string, a number or a UUID that the store knows the object by.
    public final func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        let layout = layout(of: entity)
        return NSManagedObjectID(layout: layout, handle: references.handle(of: data, in: layout), store: self)
    }

    /// The reference object that an ID of this store stands for.
    public final func referenceObject(for objectID: NSManagedObjectID) -> Any {
        guard objectID.persistentStore === self else {
            fatalError("The object ID \(objectID) doesn't belong to this store.")
        }
        return references.reference(of: objectID.handle)
    }

    private func layout(of entity: NSEntityDescription) -> EntityLayout {
        guard let layout = persistentStoreCoordinator?.layout.layout(of: entity) else {
            fatalError("The entity \(entity.name ?? "") isn't in the model of the store's coordinator.")
        }
        return layout
    }

    // MARK: Between the coordinator and the subclass

    override func prepare(for layout: ModelLayout) throws {
        var complete = metadata ?? [:]
        complete[NSStoreTypeKey] = type
        if complete[NSStoreUUIDKey] == nil {
            let url = url ?? URL(fileURLWithPath: "/dev/null")
            complete[NSStoreUUIDKey] = Swift.type(of: self).identifierForNewStore(at: url)
        }
        StoreMetadata.addModelVersion(layout.model, configuration: requestedConfiguration, to: &complete)
        metadata = complete
    }

    override var tracksRegistration: Bool { true }
    override func didRegister(_ id: NSManagedObjectID) { managedObjectContextDidRegisterObjects(with: [id]) }
    override func didUnregister(_ id: NSManagedObjectID) { managedObjectContextDidUnregisterObjects(with: [id]) }

    override func referenceText(of handle: Int64) -> String { references.text(of: handle) }
    override func handle(ofReferenceText text: String, in layout: EntityLayout) -> Int64? {
        references.handle(ofText: text, in: layout)
    }

    private func id(_ key: ObjectKey) throws -> NSManagedObjectID {
        guard let layout = persistentStoreCoordinator?.layout else {
            throw CoreDataError.make(NSPersistentStoreOperationError, "\(place): the store has no coordinator.")
        }
        return NSManagedObjectID(layout: layout.entities[Int(key.entityIndex)], handle: key.handle, store: self)
    }

    private func ask<Result>(_ fetch: StoreFetch, _ type: NSFetchRequestResultType, in context: NSManagedObjectContext)
        throws -> [Result]
    {
        let request = fetch.request.erasedCopy()
        request.entity = fetch.entity.entity
        request.resultType = type
        request.fetchLimit = fetch.limit
        request.fetchOffset = fetch.offset
        let answer = try execute(request, with: context)
        guard let results = answer as? [Result] else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "\(Swift.type(of: self)) answered a fetch for \(fetch.entity.name) with a \(Swift.type(of: answer)), "
                    + "not with an array of \(Result.self).")
        }
        return results
    }

    override func fetchObjects(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> FetchedObjects {
        .objects(try ask(fetch, .managedObjectResultType, in: context))
    }

    override func fetchKeys(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> [ObjectKey] {
        let ids: [NSManagedObjectID] = try ask(fetch, .managedObjectIDResultType, in: context)
        return ids.map(\.key)
    }

    override func count(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> Int {
        let numbers: [NSNumber] = try ask(fetch, .countResultType, in: context)
        return numbers.first?.intValue ?? 0
    }

    override func fetchDictionaries(_ fetch: StoreFetch, in context: NSManagedObjectContext) throws -> [[String: Any]] {
        try ask(fetch, .dictionaryResultType, in: context)
    }

    override func loadRow(_ key: ObjectKey, in context: NSManagedObjectContext) throws -> RowRef? {
        let node: NSIncrementalStoreNode
        do {
            node = try newValuesForObject(with: id(key), with: context)
        } catch let error as NSError where error.code == NSManagedObjectReferentialIntegrityError {
            return nil
        }
        let layout = node.objectID.layout
        let row = try StoreRowBuilder.row(
            ObjectKey(handle: key.handle, entityIndex: layout.index), version: Int64(clamping: node.version),
            layout: layout, value: { node.value(for: $0.property) },
            destination: { value, property in
                guard let id = value as? NSManagedObjectID else { throw Self.notAnID(value, property) }
                return id.key
            })
        for property in layout.relationships where property.kind == .toMany {
            guard let given = node.value(for: property.property) else { continue }
            row.page.destinations[property.index] = try keys(in: given, of: property)
        }
        return row
    }

    override func loadDestinations(
        of property: PropertyLayout, from key: ObjectKey, in context: NSManagedObjectContext
    ) throws -> [ObjectKey] {
        guard let relationship = property.relationship else { return [] }
        let value = try newValue(forRelationship: relationship, forObjectWith: id(key), with: context)
        return try keys(in: value, of: property)
    }

    private func keys(in value: Any, of property: PropertyLayout) throws -> [ObjectKey] {
        let members: [Any]
        switch value {
        case is NSNull: members = []
        case let id as NSManagedObjectID: members = [id]
        case let set as NSOrderedSet: members = set.array
        case let set as NSSet: members = set.allObjects
        case let set as Set<NSManagedObjectID>: members = Array(set)
        case let array as [Any]: members = array
        default: throw Self.notAnID(value, property)
        }
        return try members.map { member in
            guard let id = member as? NSManagedObjectID else { throw Self.notAnID(member, property) }
            return id.key
        }
    }

    private static func notAnID(_ value: Any, _ property: PropertyLayout) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError,
            "The store gave a \(Swift.type(of: value)) for the relationship \(property.owner.name).\(property.name), "
                + "not an object ID.")
    }

    /// A subclass takes part in batch and other requests by answering them in ``execute(_:with:)``.
    override func accepts(_ request: NSPersistentStoreRequest) -> Bool { true }

    override func answer(_ request: NSPersistentStoreRequest, in context: NSManagedObjectContext?) throws -> Any {
        try execute(request, with: context)
    }

    override func obtainPermanentKeys(for objects: [NSManagedObject]) throws -> [ObjectKey] {
        let ids = try obtainPermanentIDs(for: objects)
        guard ids.count == objects.count else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "\(Swift.type(of: self)) gave \(ids.count) permanent IDs for \(objects.count) objects.")
        }
        return ids.map(\.key)
    }

    override func save(_ changes: StoreChanges, in context: NSManagedObjectContext) throws {
        try VersionCheck.check(changes, in: self)
        let request = NSSaveChangesRequest(
            inserted: Set(changes.inserted), updated: Set(changes.updated), deleted: Set(changes.deleted),
            locked: Set(changes.locked))
        _ = try execute(request, with: context)
    }
}
