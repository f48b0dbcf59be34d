@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSSortDescriptor

/// The coordinator as the parent of a root context: rows come from its stores, or from their caches.
final class CoordinatorParent: ParentStore {
    let coordinator: NSPersistentStoreCoordinator

    init(_ coordinator: NSPersistentStoreCoordinator) { self.coordinator = coordinator }

    var context: NSManagedObjectContext? { nil }
    var listeners: MergingContexts { coordinator.mergingContexts }
    var family: ContextFamily? { nil }
    var revision: UInt64 { 0 }

    // MARK: Fetching

    func fetchObjects(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    {
        let stores = coordinator.stores(for: fetch, affected: request.affectedStores)
        if let found = try objectsChosenByCode(fetch, request, stores, in: context) { return found }
        if stores.count > 1 { return try mergedObjects(fetch, request, from: stores, in: context) }
        var objects: [NSManagedObject] = []
        for store in stores { try fetchObjects(fetch, request, from: store, in: context, into: &objects) }
        return objects
    }

    /// Adds the objects that one store finds to those of others.
    func fetchObjects(
        _ fetch: StoreFetch, _ request: AnyFetchRequest, from store: NSPersistentStore,
        in context: NSManagedObjectContext, into objects: inout [NSManagedObject]
    ) throws {
        switch try coordinator.fetchObjects(fetch, in: store, context: context) {
        case .rows(let pages):
            context.materialize(pages, of: fetch.entity.root, from: store, request: request, into: &objects)
        case .objects(let found):
            objects += found
            if !request.returnsObjectsAsFaults { for object in found { try object.fulfillFault() } }
        }
    }

    /// The results of a request that runs the program's code, such as a block, which is given objects. Nil where it has no
    /// such code, or where one of the stores doesn't keep its objects in memory.
    private func objectsChosenByCode(
        _ fetch: StoreFetch, _ request: AnyFetchRequest, _ stores: [NSPersistentStore],
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObject]? {
        guard stores.allSatisfy({ $0.traits.contains(.holdsObjectsInMemory) }),
            fetch.runsCode(orAsks: { fetch.entity.model.isDeclaredByClass($0) })
        else { return nil }
        var all = fetch.withoutPaging
        all.predicate = nil
        all.sortDescriptors = nil
        let objects = try fetchObjects(all, request, in: context)
        guard let predicate = fetch.predicate else { return fetch.sortedAndPaged(objects) }
        let evaluated = try InMemoryPredicate.make(predicate, for: fetch.entity) {
            try GroupEvaluation(fetch.entity).value(of: $0, objects)
        }
        return fetch.sortedAndPaged(try objects.filter { try evaluated.checkedEvaluate(with: $0) })
    }

    /// The objects as faults whose rows are read later: those of a request with a batch size, or without values.
    func fetchFaults(
        _ fetch: StoreFetch, _ request: AnyFetchRequest, prefetching prefetch: RelationshipPrefetch,
        in context: NSManagedObjectContext
    ) throws -> [NSManagedObject]? {
        guard let store = storeReadingAhead(fetch, request),
            let batchedFaults = BatchedFaults(for: fetch, request, prefetching: prefetch, in: context)
        else { return nil }
        let keys = try coordinator.fetchKeys(fetch, in: store, context: context)
        return context.faults(
            for: keys, below: fetch.entity.root, storeIndex: context.storeIndex(of: store), batchedFaults)
    }

    func fetchIDs(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [NSManagedObjectID]
    {
        let stores = coordinator.stores(for: fetch, affected: request.affectedStores)
        guard stores.count == 1 else { return try fetchObjects(fetch, request, in: context).map(\.objectID) }
        if let found = try objectsChosenByCode(fetch, request, stores, in: context) { return found.map(\.objectID) }
        let model = coordinator.layout
        let domain = stores[0].identityDomain(in: model)
        return try coordinator.fetchKeys(fetch, in: stores[0], context: context).map { key in
            NSManagedObjectID(layout: model.entities[Int(key.entityIndex)], handle: key.handle, in: domain)
        }
    }

    func count(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws -> Int {
        let stores = coordinator.stores(for: fetch, affected: request.affectedStores)
        if fetch.countsDictionaries, stores.count > 1 || fetch.runsCode() {
            return try fetchDictionaries(fetch, request, in: context).count
        }
        if let found = try objectsChosenByCode(fetch, request, stores, in: context) { return found.count }
        var bounded = fetch
        if stores.count > 1 {
            bounded.limit = fetch.limit == 0 ? 0 : fetch.limit + fetch.offset
            bounded.offset = 0
        }
        var found = 0
        for store in stores { found += try coordinator.count(bounded, in: store, context: context) }
        guard stores.count > 1 else { return found }
        let rest = max(0, found - fetch.offset)
        return fetch.limit == 0 ? rest : min(rest, fetch.limit)
    }

    func fetchDictionaries(_ fetch: StoreFetch, _ request: AnyFetchRequest, in context: NSManagedObjectContext) throws
        -> [[String: Any]]
    {
        let stores = coordinator.stores(for: fetch, affected: request.affectedStores)
        var fetch = fetch
        var everything = fetch.withoutPaging
        everything.sortDescriptors = nil
        if let chosen = try objectsChosenByCode(everything, request, stores, in: context) {
            fetch.predicate = NSPredicate(format: "SELF IN %@", argumentArray: [chosen.map(\.objectID)])
        }
        guard stores.count > 1 else {
            return try stores.first.map { try coordinator.fetchDictionaries(fetch, in: $0, context: context) } ?? []
        }
        let gathering = try MultiStoreDictionaryFetch(fetch)
        return try gathering.dictionaries(
            stores.flatMap { try coordinator.fetchDictionaries(gathering.parts, in: $0, context: context) })
    }

    // MARK: Rows

    func isCurrent(_ page: RowPage, in context: NSManagedObjectContext) -> Bool {
        !page.mayHaveSuccessors && !context.isStale(page)
    }

    func row(for fault: NSManagedObject, in context: NSManagedObjectContext) throws -> RowRef? {
        let identity = fault.identity
        guard let store = identity.store else { return nil }
        if let row = context.rowInMemory(of: identity, known: fault.snapshot, in: store) { return row }
        if let page = fault.snapshotPage, let plan = page.batchedFaults {
            return try context.readAhead(for: fault, from: page, plan, in: store)
        }
        if store.traits.contains(.readsManyAtOnce), let diagnostic = context.relationshipRuns.countRowRead(of: fault) {
            coordinator.diagnostics.report(diagnostic)
        }
        return try load(identity, from: store, context)
    }

    func currentRow(of object: ObjectIdentity, in context: NSManagedObjectContext) throws -> RowRef? {
        guard let store = object.store else { return nil }
        return try context.rowInMemory(of: object, known: nil, in: store) ?? load(object, from: store, context)
    }

    private func load(_ object: ObjectIdentity, from store: NSPersistentStore, _ context: NSManagedObjectContext) throws
        -> RowRef?
    {
        guard let row = try coordinator.loadRow(object.key, from: store, in: context) else { return nil }
        context.rowCache(of: store).register(row.page, root: object.layout.root)
        return row
    }

    func currentRows(of objects: [ObjectIdentity], in context: NSManagedObjectContext) throws -> [RowRef?] {
        var rows = objects.map { object in
            object.store.flatMap { context.rowInMemory(of: object, known: nil, in: $0) }
        }
        let missing = objects.indices.filter { rows[$0] == nil && objects[$0].store != nil }
        for (_, places) in Dictionary(grouping: missing, by: { ObjectIdentifier(objects[$0].store!) }) {
            guard let store = objects[places[0]].store else { continue }
            guard store.traits.contains(.readsManyAtOnce), places.count > 1 else {
                for place in places { rows[place] = try load(objects[place], from: store, context) }
                continue
            }
            let pages = try coordinator.loadRows(places.map { objects[$0].key }.uniqued(), from: store, in: context)
            var found = IdentityMap<RowRef>(coordinator.layout)
            for page in pages where page.count > 0 {
                context.rowCache(of: store).register(page, root: page.layout(0).root)
                for row in 0..<page.count { found[page.key(row)] = RowRef(page: page, row: row) }
            }
            for place in places { rows[place] = found[objects[place].key] }
        }
        return rows
    }

    func members(of property: PropertyLayout, from object: NSManagedObject, in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    { try context.storedMembers(of: property, from: object) }

    /// What is read in advance becomes the objects' own, which a merge renews.
    func forgetReadAhead(of object: NSManagedObject?) {}

    func destinations(of property: PropertyLayout, from objects: [ObjectIdentity], in context: NSManagedObjectContext)
        throws
        -> [[ObjectIdentity]]
    {
        func identities(_ keys: [ObjectKey], in store: NSPersistentStore) -> [ObjectIdentity] {
            keys.map { key in
                ObjectIdentity(store: store, key: key, layout: coordinator.layout.entities[Int(key.entityIndex)])
            }
        }
        guard let store = objects.first?.store, store.traits.contains(.readsManyAtOnce), property.kind == .toMany,
            objects.count > 1,
            objects.allSatisfy({ $0.store === store })
        else {
            return try objects.map { object in
                guard let store = object.store else { return [] }
                return identities(
                    try coordinator.loadDestinations(of: property, from: object.key, in: store, context: context),
                    in: store)
            }
        }
        let found = try coordinator.loadDestinations(
            of: property, from: objects.map(\.key), in: store, context: context)
        return objects.map { identities(found[$0.key.handle] ?? [], in: store) }
    }

    func prefetch(_ name: String, of owners: [NSManagedObject], in context: NSManagedObjectContext) throws
        -> [NSManagedObject]
    {
        // Objects of several stores can't be related, so each store is asked for its own.
        try Dictionary(grouping: owners, by: \.storeIndex).flatMap { storeIndex, owners -> [NSManagedObject] in
            guard let store = context.registry.store(at: storeIndex), store.traits.contains(.readsManyAtOnce) else {
                return []
            }
            return try PrefetchedRelationship(name: name, store: store, context: context).destinations(of: owners)
        }
    }

    // MARK: Saving

    /// An object that was saved to a coordinator never has a temporary identity.
    func obtainPermanentIDs(for objects: [NSManagedObject], in context: NSManagedObjectContext) throws {}

    func beginSave(of context: NSManagedObjectContext) throws -> any SaveOperation { try SavePlan(context) }

    func saveMetadata(in context: NSManagedObjectContext) throws {
        guard !coordinator.storesWithUnsavedMetadata.isEmpty else { return }
        var written: [NSPersistentStore] = []
        try coordinator.save([], in: context, written: &written)
    }

    func cacheRows(_ page: RowPage, of root: EntityLayout, in store: NSPersistentStore?, wereSaved: Bool) {
        store?.rowCache.register(page, root: root, wasSaved: wereSaved)
    }

    func evictRows(of objects: ContiguousArray<NSManagedObject>) {
        for (storeIndex, objects) in Dictionary(grouping: objects, by: \.storeIndex) {
            guard let cache = objects[0].registry.store(at: storeIndex)?.rowCache else { continue }
            for (rootIndex, objects) in Dictionary(grouping: objects, by: \.layout.rootIndex) {
                cache.forget(handles: objects.map(\.handle), rootIndex: rootIndex, wereDeleted: true)
            }
        }
    }

    func notifyContexts(ofSave sets: ChangeSets, by context: NSManagedObjectContext) {
        coordinator.contextDidSave(sets, in: context)
    }
}
