@_spi(Engine) import CoreDataRows
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
    private var prefetchedMembers = PrefetchedMembers()

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
        let (copies, revision) = try parent.runOnQueue {
            let revision = self.revision
            return (
                try parent.copies(of: try parent.fetchObjects(asked)),
                revision
            )
        }
        recordRevisionOfFaults(revision, in: context)
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
    ) throws -> [NSManagedObject]? {
        guard let store = storeReadingAhead(fetch, request),
            let batchedFaults = BatchedFaults(for: fetch, request, prefetching: prefetch, in: context)
        else { return nil }
        let asked = Self.request(request, for: fetch, .managedObjectIDResultType)
        let (ids, revision) = try parent.runOnQueue {
            let revision = self.revision
            return (try parent.fetchIDs(asked), revision)
        }
        context.adoptPermanentIdentities()
        // Objects that no store has yet can't be in a page of identities.
        if ids.contains(where: \.isTemporaryID) { return nil }
        recordRevisionOfFaults(revision, in: context)
        return context.faults(
            for: ids.map(\.key), below: fetch.entity.root, storeIndex: context.storeIndex(of: store), batchedFaults)
    }

    /// Records the parent's revision when it gave the child objects.
    private func recordRevisionOfFaults(_ revision: UInt64, in context: NSManagedObjectContext) {
        if revisionOfFaults == nil || !context.registry.hasObjects { revisionOfFaults = revision }
    }

    func fetchIDs(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [NSManagedObjectID]
    {
        let asked = Self.request(request, for: fetch, .managedObjectIDResultType)
        return try parent.runOnQueue { try parent.fetchIDs(asked) }
    }

    func count(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws -> Int {
        let type: NSFetchRequestResultType = fetch.countsDictionaries ? .dictionaryResultType : .managedObjectResultType
        let asked = Self.request(request, for: fetch, type)
        return try parent.runOnQueue { try parent.count(of: asked) }
    }

    func fetchDictionaries(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [[String: Any]]
    {
        let asked = Self.request(request, for: fetch, .dictionaryResultType)
        return try parent.runOnQueue { try parent.fetchDictionaries(asked) }
    }

    /// The request as the parent is to answer it: with its own changes, which to the child are what is stored.
    private static func request(
        _ request: AnyFetchRequest, for fetch: StoreFetch, _ type: NSFetchRequestResultType
    ) -> AnyFetchRequest {
        let copy = request.erasedCopy()
        copy.resultType = type
        copy.predicate = fetch.predicate
        copy.fetchLimit = fetch.limit
        copy.fetchOffset = fetch.offset
        copy.includesPendingChanges = true
        copy.returnsObjectsAsFaults = true
        // The parent's objects are released once the child has its own, so their values must be read now.
        copy.includesPropertyValues = true
        copy.fetchBatchSize = 0
        copy.relationshipKeyPathsForPrefetching = nil
        return copy
    }

    // MARK: Rows

    func isCurrent(_ page: RowPage, in context: NSManagedObjectContext) -> Bool {
        revisionOfFaults == revision && !page.mayHaveSuccessors
    }

    func row(for fault: NSManagedObject, in context: NSManagedObjectContext) throws -> RowRef? {
        guard let page = fault.snapshotPage, let plan = page.batchedFaults else {
            return try currentRow(of: fault.identity, in: context)
        }
        let group = context.neighbours(of: fault, on: page, plan)
        var own: RowRef?
        // A row that can't be read mustn't prevent its neighbours from being read.
        if let rows = try? currentRows(of: group.map(\.identity), in: context) {
            for (neighbour, row) in zip(group, rows) {
                guard let row, neighbour.canBeRead(from: row) else { continue }
                if neighbour === fault { own = row } else { neighbour.snapshot = row }
            }
        } else {
            own = try currentRow(of: fault.identity, in: context)
        }
        if let own, let afterReading = plan.afterReading {
            fault.snapshot = own
            try afterReading(group)
        }
        return own
    }

    func currentRow(of object: ObjectIdentity, in context: NSManagedObjectContext) throws -> RowRef? {
        let row = try parent.runOnQueue { try parent.copiedRow(of: object) }
        context.adoptPermanentIdentities()
        return row
    }

    func currentRows(of objects: [ObjectIdentity], in context: NSManagedObjectContext) throws -> [RowRef?] {
        let rows = try parent.runOnQueue { try parent.copiedRows(of: objects) }
        context.adoptPermanentIdentities()
        return rows
    }

    /// The members as the parent has them now. When relationships are read object by object, those of more and more
    /// objects are read at a time, as from a store. They are valid until something changes in the parent.
    func members(of property: PropertyLayout, from object: NSManagedObject, in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    {
        if let known = prefetchedMembers.consume(property, of: object, at: revision) { return known }
        let others = context.siblings(of: object, missingMembersOf: property)
        // A sibling whose relationship can't be read must not make the object that was asked fail.
        guard !others.isEmpty,
            // A relationship that can't be read ahead is read, and gives its error, when it is accessed.
            let (found, revision) = try? readMembers(of: property, from: [object] + others, in: context)
        else { return try readMembers(of: property, from: [object], in: context).members[0] }
        prefetchedMembers.keep(zip(others, found.dropFirst()), of: property, at: revision)
        return found[0]
    }

    func forgetReadAhead(of object: NSManagedObject?) {
        if let object { prefetchedMembers.forget(object) } else { prefetchedMembers = PrefetchedMembers() }
    }

    private func readMembers(
        of property: PropertyLayout, from owners: [NSManagedObject], in context: NSManagedObjectContext
    ) throws -> (members: [[NSManagedObject]], revision: UInt64) {
        let identities = owners.map(\.identity)
        let (found, revision) = try parent.runOnQueue {
            let revision = self.revision
            return (try parent.copiedDestinations(of: property, from: identities), revision)
        }
        // Faults are made by identity: an object that the child knows by a temporary one would appear twice.
        context.adoptPermanentIdentities()
        let all = found.flatMap { $0 }
        context.relationshipRuns.recordDestinations(all.count / max(1, owners.count), of: property)
        // The destinations of all owners are one series of faults, so that they are read ahead across owners.
        var faults: [NSManagedObject] = []
        let saved = all.filter { $0.store != nil }
        for (_, identities) in Dictionary(grouping: saved, by: { ObjectIdentifier($0.store!) }) {
            guard let store = identities[0].store, let root = property.destination?.root else { continue }
            faults += context.faults(
                for: identities.map(\.key).uniqued(), below: root, storeIndex: context.storeIndex(of: store),
                BatchedFaults(.growing))
        }
        return withExtendedLifetime(faults) { (found.map { $0.map { context.object(for: $0) } }, revision) }
    }

    func destinations(of property: PropertyLayout, from objects: [ObjectIdentity], in context: NSManagedObjectContext)
        throws
        -> [[ObjectIdentity]]
    {
        try parent.runOnQueue { try parent.copiedDestinations(of: property, from: objects) }
    }

    func prefetch(_ name: String, of owners: [NSManagedObject], in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    {
        guard let property = owners.lazy.compactMap({ $0.layout.property(named: name) }).first, !property.isTransient,
            coordinator.persistentStores.contains(where: { $0.traits.contains(.readsManyAtOnce) })
        else { return [] }
        var destinations: [NSManagedObject] = []
        if property.kind == .toOne {
            for owner in owners {
                if owner.snapshot == nil { owner.fireIfNeeded() }
                if let destination = owner.toOne(property) { destinations.append(destination) }
            }
        } else {
            let waiting = owners.filter { !$0.wasNeverSaved && $0.state?.toManys[property.index]?.isLoaded != true }
                .uniqued()
            let found = try readMembers(of: property, from: waiting, in: context).members
            for (owner, members) in zip(waiting, found) { owner.load(members, asMembersOf: property) }
            for owner in owners { destinations += owner.toMany(property).ordered }
        }
        let unread = destinations.filter { $0.flags.contains(.fault) && $0.snapshot == nil }.uniqued()
        for (object, row) in zip(unread, try currentRows(of: unread.map(\.identity), in: context)) {
            if let row, object.canBeRead(from: row) { object.snapshot = row }
        }
        return destinations
    }

    // MARK: Saving

    func obtainPermanentIDs(for objects: [NSManagedObject], in context: NSManagedObjectContext) throws {
        let identities = objects.map(\.identity)
        try parent.runOnQueue {
            try parent.obtainPermanentIDs(for: identities.compactMap { try parent.existing($0) })
        }
        context.adoptPermanentIdentities()
    }

    func beginSave(of context: NSManagedObjectContext) throws -> any SaveOperation {
        ChildSave(from: context, to: parent)
    }

    /// Only the root context knows stores.
    func saveMetadata(in context: NSManagedObjectContext) throws {}

    /// There is no cache for the rows of a child: only its own objects use them.
    func cacheRows(_ page: RowPage, of root: EntityLayout, in store: NSPersistentStore?, wereSaved: Bool) {}
    func evictRows(of objects: ContiguousArray<NSManagedObject>) {}

    /// Siblings merge what a child has saved when the parent saves it in turn (seen in the tests of INCoreData).
    func notifyContexts(ofSave sets: ChangeSets, by context: NSManagedObjectContext) {}
}
