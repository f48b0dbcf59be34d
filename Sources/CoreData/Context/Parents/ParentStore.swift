@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// Where a context's objects come from, and where its changes go to: a coordinator, or another context.
///
/// Apple's documentation calls it the parent store of a context. All calls are made on the context's queue, and give objects
/// and rows of that context.
protocol ParentStore: AnyObject {
    /// The coordinator at the root.
    var coordinator: NSPersistentStoreCoordinator { get }
    /// The parent, if it is a context.
    var context: NSManagedObjectContext? { get }
    /// The contexts that merge automatically what is saved here.
    var listeners: MergingContexts { get }
    /// The permanent identities that temporary objects have got in other contexts of the family; nil for a root
    /// context.
    var family: ContextFamily? { get }
    /// A counter of changes. When it has changed, faults that were fetched before may show other values. Always 0 where
    /// the row cache tells whether a row is current.
    var revision: UInt64 { get }

    /// The objects that a request asks for, in order, within offset and limit; the context's own changes don't count.
    func fetchObjects(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    /// The same as faults whose rows come later, many at a time; nil where the values have to come at once.
    func fetchFaults(
        _ fetch: StoreFetch, _ request: AnyFetchRequest, prefetching prefetch: RelationshipPrefetch,
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObject]?
    func fetchIDs(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [NSManagedObjectID]
    func count(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws -> Int
    func fetchDictionaries(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [[String: Any]]

    /// Whether the row that a fault was fetched with is still current.
    func isCurrent(_ page: RowPage, in context: NSManagedObjectContext) -> Bool
    /// The row that a fault of the context has to show now; nil when the object has gone.
    func row(for fault: NSManagedObject, in context: NSManagedObjectContext) throws -> RowRef?
    /// The row of an object, which may not be registered in the context; nil when the object has gone.
    func currentRow(of object: ObjectIdentity, in context: NSManagedObjectContext) throws -> RowRef?
    /// The same of many objects, in their order, with as few queries as the stores allow.
    func currentRows(of objects: [ObjectIdentity], in context: NSManagedObjectContext) throws -> [RowRef?]
    /// The destinations of a to-many relationship, in order if it is ordered.
    func members(of property: PropertyLayout, from object: NSManagedObject, in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    /// The same for any relationship of objects that the context needn't have, in their order, with as few queries as the
    /// stores allow.
    func destinations(of property: PropertyLayout, from objects: [ObjectIdentity], in context: NSManagedObjectContext)
        throws
        -> [[ObjectIdentity]]
    /// Forgets what was read in advance of the relationships of an object, or of all, as it may be out of date.
    func forgetReadAhead(of object: NSManagedObject?)
    /// Brings in one relationship of many objects, with the rows of its destinations, where that saves queries.
    ///
    /// - Returns: the destinations. One that several objects share may come several times.
    func prefetch(_ name: String, of owners: [NSManagedObject], in context: NSManagedObjectContext) throws
        -> [NSManagedObject]

    /// Obtains permanent identities for objects that were saved to this parent before.
    func obtainPermanentIDs(for objects: [NSManagedObject], in context: NSManagedObjectContext) throws
    /// Begins a save of the context's changes.
    func beginSave(of context: NSManagedObjectContext) throws -> any SaveOperation
    /// Writes the metadata of stores, where it was changed and no object was.
    func saveMetadata(in context: NSManagedObjectContext) throws
    /// Adds rows to the cache that a save has written, or that were read for a conflict.
    func cacheRows(_ page: RowPage, of root: EntityLayout, in store: NSPersistentStore?, wereSaved: Bool)
    /// Removes the rows of deleted objects from the cache.
    func evictRows(of objects: ContiguousArray<NSManagedObject>)
    /// Notifies the other contexts of a save.
    func notifyContexts(ofSave sets: ChangeSets, by context: NSManagedObjectContext)
}

extension ParentStore {
    /// The destinations of one object.
    func destinations(of property: PropertyLayout, from object: ObjectIdentity, in context: NSManagedObjectContext)
        throws
        -> [ObjectIdentity]
    { try destinations(of: property, from: [object], in: context)[0] }

    /// The one store that a request goes to, if it reads the rows of many objects at once.
    func storeReadingAhead(_ fetch: StoreFetch, _ request: AnyFetchRequest) -> NSPersistentStore? {
        let stores = coordinator.stores(for: fetch, affected: request.affectedStores)
        guard stores.count == 1, let store = stores.first, store.traits.contains(.readsManyAtOnce) else { return nil }
        return store
    }
}

/// A save under way: tried again as long as the merge policy resolves the conflicts.
protocol SaveOperation {
    /// Writes the context's changes as they now are: all, or none.
    ///
    /// - Throws: ``StoreConflicts``, or what a store throws.
    func commit() throws
    /// The updated objects whose values all equal the stored ones, so that the last commit didn't write them.
    var unwritten: [NSManagedObject] { get }
    /// Other objects whose rows the stores have changed in the last commit, so that both ends of relationships agree, or as they derive
    /// values.
    var corrected: [NSManagedObject] { get }
    /// Where the stores' history is after the last commit; nil where none keeps history.
    var historyToken: NSPersistentHistoryToken? { get }
    /// The part of a save of several stores that is committed although another store has failed; nil where nothing is.
    var committed: CommittedChanges? { get }
    /// Adds the objects that were inserted since the save began.
    func includeNewObjects() throws
    /// Called when the context's objects have the rows that were written.
    func finish()
    /// Releases what a failed save had reserved. Called at the end of every save.
    func end()
}

/// The objects whose changes a store has committed.
struct CommittedChanges {
    var inserted: ContiguousArray<NSManagedObject> = []
    var updated: ContiguousArray<NSManagedObject> = []
    var deleted: ContiguousArray<NSManagedObject> = []
}
