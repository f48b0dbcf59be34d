@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension NSPersistentStoreCoordinator {
    // MARK: Reading

    func fetchObjects(_ fetch: StoreFetch, in store: NSPersistentStore, context: NSManagedObjectContext) throws
        -> FetchedObjects
    {
        try ask(store) { try store.fetchObjects(fetch, for: context) }
    }

    func fetchKeys(_ fetch: StoreFetch, in store: NSPersistentStore, context: NSManagedObjectContext) throws
        -> [ObjectKey]
    {
        try read(store, for: context) { try $0.fetchKeys(fetch, in: $1) }
    }

    func count(_ fetch: StoreFetch, in store: NSPersistentStore, context: NSManagedObjectContext) throws -> Int {
        try read(store, for: context) { try $0.count(fetch, in: $1) }
    }

    func fetchDictionaries(
        _ fetch: StoreFetch, in store: NSPersistentStore, context: NSManagedObjectContext
    ) throws -> [[String: Any]] {
        try read(store, for: context) { try $0.fetchDictionaries(fetch, in: $1) }
    }

    func loadRow(_ key: ObjectKey, from store: NSPersistentStore, in context: NSManagedObjectContext) throws -> RowRef?
    {
        try read(store, for: context) { try $0.loadRow(key, in: $1) }
    }

    func loadDestinations(
        of property: PropertyLayout, from key: ObjectKey, in store: NSPersistentStore, context: NSManagedObjectContext
    ) throws -> [ObjectKey] {
        try read(store, for: context) { try $0.loadDestinations(of: property, from: key, in: $1) }
    }

    func loadRows(_ keys: [ObjectKey], from store: NSPersistentStore, in context: NSManagedObjectContext) throws
        -> [RowPage]
    {
        try read(store, for: context) { try $0.loadRows(keys, in: $1) }
    }

    func loadDestinations(
        of property: PropertyLayout, from owners: [ObjectKey], in store: NSPersistentStore,
        context: NSManagedObjectContext
    ) throws -> [Int64: [ObjectKey]] {
        try read(store, for: context) { try $0.loadDestinations(of: property, from: owners, in: $1) }
    }

    func loadDestinationRows(
        of property: PropertyLayout, from owners: [ObjectKey], in store: NSPersistentStore,
        context: NSManagedObjectContext
    ) throws -> DestinationRows {
        try read(store, for: context) { try $0.loadDestinationRows(of: property, from: owners, in: $1) }
    }

    private func read<Value>(
        _ store: NSPersistentStore, for context: NSManagedObjectContext,
        _ body: (any RowReading, ReadView) throws -> Value
    ) throws -> Value {
        try ask(store) { try body(store.reading(for: context), context.view(of: store)) }
    }

    /// A store that serves several threads is asked at once. Any other gets one request at a time; requests to
    /// different stores don't wait for each other.
    func ask<T>(_ store: NSPersistentStore, _ body: () throws -> T) throws -> T {
        if store.traits.contains(.servesConcurrently) {
            try requireOpen(store)
            return try body()
        }
        return try taking(store, body)
    }

    /// One at a time for each store, unless it serves writers side by side.
    private func taking<T>(_ store: NSPersistentStore, _ body: () throws -> T) throws -> T {
        try gate.shared {
            try store.serving {
                try requireOpen(store)
                return try body()
            }
        }
    }

    func requireOurs(_ store: NSPersistentStore) throws {
        guard !persistentStores.contains(where: { $0 === store }) else { return }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "The store \(store.place) isn't one of this coordinator's.")
    }

    private func requireOpen(_ store: NSPersistentStore) throws {
        guard !isOpen(store) else { return }
        throw CoreDataError.make(
            NSPersistentStoreOperationError, "The store \(store.place) was removed from its coordinator.")
    }

    // MARK: Writing

    func obtainPermanentKeys(
        for objects: [NSManagedObject], in store: NSPersistentStore, context: NSManagedObjectContext
    ) throws -> [ObjectKey] {
        if store.isReadOnly { throw CoreDataError.readOnly(store) }
        return try taking(store) { try store.obtainPermanentKeys(for: objects) }
    }

    /// Makes each store save its part, and the metadata that were set since it was opened or saved.
    ///
    /// - Parameter written: the stores that have committed their part, in this attempt or in an earlier one.
    /// - Throws: `StoreConflicts`, or what a store throws; with several stores 134040, which names the one that failed.
    func save(
        _ changes: [StoreChanges], in context: NSManagedObjectContext, written: inout [NSPersistentStore]
    ) throws {
        for part in changes where part.store.isReadOnly && !part.isEmpty { throw CoreDataError.readOnly(part.store) }
        var parts = changes.filter { !$0.isEmpty }
        for store in storesWithUnsavedMetadata where !parts.contains(where: { $0.store === store }) {
            parts.append(StoreChanges(store: store, of: context))
        }
        var save = JointSave(parts, written: written, requireOpen: requireOpen)
        defer { written = save.written }
        // A store of the program's own reads the objects inside of another store's transaction.
        try context.queue.staying {
            try gate.shared { try save.run() }
        }
    }

    /// The stores whose metadata the next save writes.
    var storesWithUnsavedMetadata: [NSPersistentStore] {
        persistentStores.filter { $0.hasUnsavedMetadata && !$0.isReadOnly }
    }

    /// Called when a context has saved.
    func contextDidSave(_ sets: ChangeSets, in context: NSManagedObjectContext) {
        mergingContexts.merge(sets, savedBy: context)
    }
}

extension NSPersistentStoreCoordinator {
    /// The model that a store carries within itself: what the store was made for. An addition to Apple's API.
    ///
    /// Nothing on disk changes.
    ///
    /// - Throws: an error that names the file when it is no store, or carries no model (as those of systems before
    ///   iOS 9 don't).
    public class func cachedModel(forStoreAt url: URL, ofType storeType: String = NSSQLiteStoreType) throws
        -> NSManagedObjectModel
    {
        guard let model = try storeClass(for: storeType).modelCarried(byStoreAt: url) else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "The store at \(url.path) carries no model; give the model that it was made for.")
        }
        return model
    }

    /// What is in a store, by entity and table. Nothing on disk changes.
    ///
    /// - Parameter model: the store's model, where it's known: entities then have their names in it.
    /// - Throws: an error that names the file when it is no store, or of a kind that can't tell.
    package class func inventory(
        ofStoreAt url: URL, ofType storeType: String, model: NSManagedObjectModel?
    ) throws -> StoreInventory {
        guard
            let inventory = try storeClass(for: storeType).unopenedStores?.inventory(ofStoreAt: url, model: model)
        else {
            throw CoreDataError.make(
                NSPersistentStoreOperationError,
                "\(url.path): what is in a store of type '\(storeType)' can't be told.")
        }
        return inventory
    }
}
