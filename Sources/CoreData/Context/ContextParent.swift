import Foundation
import ManagedObjectModel

/// A context as the parent of another one: objects come in the state that it has them in, unsaved changes included.
///
/// Every call goes to the parent's queue and waits there; the parent never waits for its children.
final class ContextParent: ParentStore {
    let parent: NSManagedObjectContext
    private let sharedFamily: ContextFamily
    /// The parent's revision when the oldest of the child's objects was fetched.
    private var revisionOfFaults: UInt64?

    init(_ parent: NSManagedObjectContext) {
        self.parent = parent
        sharedFamily = parent.familyLink.join(parent.storedParentStore?.family)
    }

    var coordinator: NSPersistentStoreCoordinator { parent.coordinator }
    var context: NSManagedObjectContext? { parent }
    var listeners: MergingContexts { parent.mergingChildren }
    var family: ContextFamily? { sharedFamily }
    var revision: UInt64 { parent.ownRevision &+ parent.parentStore.revision }

    // MARK: Fetching

    func fetchObjects(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    {
        let asked = Self.request(request, for: fetch, .managedObjectResultType)
        let (copies, revision) = try parent.performAndWait {
            let revision = self.revision
            return (
                try parent.copies(of: try parent.fetchObjects(asked)),
                revision
            )
        }
        if revisionOfFaults == nil || !context.registry.hasObjects { revisionOfFaults = revision }
        let objects = copies.map { copy in
            let object = context.object(for: copy.identity)
            if let row = copy.row { object.receive(row, refreshes: request.shouldRefreshRefetchedObjects) }
            return object
        }
        if !request.returnsObjectsAsFaults { for object in objects { object.fireIfNeeded() } }
        return objects
    }

    func fetchFaults(
        _ fetch: StoreFetch, _ request: AnyFetchRequest, prefetching prefetch: RelationshipPrefetch,
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObject]? { nil }

    func fetchIDs(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [NSManagedObjectID]
    {
        let asked = Self.request(request, for: fetch, .managedObjectIDResultType)
        return try parent.performAndWait { try parent.fetchIDs(asked) }
    }

    func count(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws -> Int {
        let asked = Self.request(request, for: fetch, .managedObjectResultType)
        return try parent.performAndWait { try parent.count(of: asked) }
    }

    func fetchDictionaries(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [[String: Any]]
    {
        let asked = Self.request(request, for: fetch, .dictionaryResultType)
        return try parent.performAndWait { try parent.fetchDictionaries(asked) }
    }

    /// The request as the parent is to answer it: with its own changes, which to the child are what is stored.
    private static func request(
        _ request: AnyFetchRequest, for fetch: StoreFetch, _ type: NSFetchRequestResultType
    ) -> AnyFetchRequest {
        let copy = request.erasedCopy()
        copy.resultType = type
        copy.fetchLimit = fetch.limit
        copy.fetchOffset = fetch.offset
        copy.includesPendingChanges = true
        copy.returnsObjectsAsFaults = true
        // The parent's objects go when the child has its own: what they would bring later has to come now.
        copy.includesPropertyValues = true
        copy.fetchBatchSize = 0
        return copy
    }

    // MARK: Rows

    func isCurrent(_ page: RowPage, in context: NSManagedObjectContext) -> Bool {
        revisionOfFaults == revision && !page.mayHaveSuccessors
    }

    func row(for fault: NSManagedObject, in context: NSManagedObjectContext) throws -> RowRef? {
        try currentRow(of: fault.identity, in: context)
    }

    func currentRow(of object: ObjectIdentity, in context: NSManagedObjectContext) throws -> RowRef? {
        let row = try parent.performAndWait { try parent.copiedRow(of: object) }
        context.adoptPermanentIdentities()
        return row
    }

    func members(of property: PropertyLayout, from object: NSManagedObject, in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    { try destinations(of: property, from: object.identity, in: context).map { context.object(for: $0) } }

    func destinations(of property: PropertyLayout, from object: ObjectIdentity, in context: NSManagedObjectContext)
        throws
        -> [ObjectIdentity]
    {
        try parent.performAndWait { try parent.copiedDestinations(of: property, from: object) }
    }

    // MARK: Saving

    func obtainPermanentIDs(for objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        let identities = objects.map(\.identity)
        try parent.performAndWait {
            try parent.obtainPermanentIDs(for: identities.compactMap { try parent.existing($0) })
        }
        context.adoptPermanentIdentities()
    }

    func beginSave(of context: NSManagedObjectContext) throws -> any SaveOperation {
        ChildSave(from: context, to: parent)
    }

    /// Stores are the root's.
    func saveMetadata(in context: NSManagedObjectContext) throws {}

    /// Rows of a child are known to the child alone.
    func noteRows(_ page: RowPage, of root: EntityLayout, in store: NSPersistentStore?, wereSaved: Bool) {}
    func noteDeletions(of objects: ContiguousArray<NSManagedObject>) {}

    func noteSave(_ sets: ChangeSets, by context: NSManagedObjectContext) {
        listeners.merge(sets, savedBy: context)
    }
}

// What a parent does for its children, on its own queue.
extension NSManagedObjectContext {
    /// The objects with their rows, for a child.
    fileprivate func copies(of objects: [NSManagedObject]) throws -> [ObjectCopy] {
        var packer = RowPacker(self, expecting: objects.count)
        return objects.map { object in
            ObjectCopy(identity: object.identity, row: object.copiedRow(by: &packer))
        }
    }

    /// The state of one object; nil when it has gone.
    func copiedRow(of identity: ObjectIdentity) throws -> RowRef? {
        let (key, storeIndex) = place(of: identity)
        guard let object = registeredObject(for: key, layout: identity.layout, storeIndex: storeIndex) else {
            return try parentStore.currentRow(of: self.identity(of: key, storeIndex: storeIndex), in: self)
        }
        guard !object.isDeleted, try object.realize(in: self), !object.flags.contains(.inaccessible) else { return nil }
        var packer = RowPacker(self, expecting: 1)
        return object.copiedRow(by: &packer)
    }

    fileprivate func copiedDestinations(of property: PropertyLayout, from identity: ObjectIdentity) throws
        -> [ObjectIdentity]
    {
        let (key, storeIndex) = place(of: identity)
        guard let object = registeredObject(for: key, layout: identity.layout, storeIndex: storeIndex) else {
            return try parentStore.destinations(
                of: property, from: self.identity(of: key, storeIndex: storeIndex), in: self)
        }
        guard try object.realize(in: self) else { return [] }
        if property.kind == .toOne { return object.toOne(property).map { [$0.identity] } ?? [] }
        try object.fulfillFault(forRelationshipNamed: property.name)
        return object.members(property).ordered.map(\.identity)
    }

    /// The object of an identity with its values; nil when it has gone.
    func existing(_ identity: ObjectIdentity) throws -> NSManagedObject? {
        let object = object(for: identity)
        guard !object.isDeleted, try object.realize(in: self), !object.flags.contains(.inaccessible) else { return nil }
        return object
    }
}

extension NSManagedObject {
    /// The row to hand to a child: the one that the object was read from, or one that is made of its changes.
    fileprivate final func copiedRow(by packer: inout RowPacker) -> RowRef? {
        guard let state, !state.current.isEmpty else { return snapshot }
        return packer.pack(self, version: snapshotVersion)
    }

    /// Takes on a row that a fetch has brought, unless the object has values already.
    final func receive(_ row: RowRef, refreshes: Bool) {
        guard canBeRead(from: row) else { return }
        if flags.contains(.fault) || refreshes && !hasChanges { takeOver(row) }
    }
}
