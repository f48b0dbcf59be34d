import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate
@_exported import class FoundationCompat.NSSortDescriptor

extension NSManagedObjectContext {
    /// The objects, IDs, dictionaries or count that a request asks for.
    ///
    /// Unsaved changes count unless the request says otherwise. Call it on the context's queue.
    ///
    /// - Throws: an error that names the part of the request that can't be had, or what the store throws.
    public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        let results: [Any]
        switch request.resultType {
        case .countResultType: results = [NSNumber(value: try count(for: request))]
        case .dictionaryResultType: results = try fetchDictionaries(request)
        case .managedObjectIDResultType:
            let ids = try fetchIDs(request)
            if T.self == NSManagedObjectID.self { return unsafeBitCast(ids, to: [T].self) }
            results = ids
        default:
            let objects = try fetchObjects(request)
            if let objects = Self.cast(objects, to: T.self) { return objects }
            results = objects
        }
        return try results.map { result in
            guard let result = result as? T else {
                throw CoreDataError.wrongResultType(result, wanted: T.self, entity: request.entityName)
            }
            return result
        }
    }

    /// The objects as those of a subclass; nil where one of them isn't. Each class that occurs is checked once in a row.
    private static func cast<T>(_ objects: [NSManagedObject], to type: T.Type) -> [T]? {
        guard let wanted = T.self as? NSManagedObject.Type else { return objects as? [T] }
        var checked: AnyClass = NSManagedObject.self
        var isCast = wanted == NSManagedObject.self
        for object in objects where !isCast || Swift.type(of: object) != checked {
            guard object is T else { return nil }
            checked = Swift.type(of: object)
            isCast = true
        }
        return unsafeBitCast(objects, to: [T].self)
    }

    /// How many results a request has, unsaved changes included.
    public func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        let fetch = try storeFetch(for: request)
        if hasPendingChanges(for: fetch, request) {
            return try fetchObjects(request, prefetches: false).count
        }
        var fetches = 0
        let stores = coordinator.stores(for: fetch, affected: request.affectedStores)
        var bounded = fetch
        if stores.count > 1 {
            bounded.limit = fetch.limit == 0 ? 0 : fetch.limit + fetch.offset
            bounded.offset = 0
        }
        for store in stores { fetches += try coordinator.count(bounded, in: store, context: self) }
        guard stores.count > 1 else { return fetches }
        let rest = max(0, fetches - fetch.offset)
        return fetch.limit == 0 ? rest : min(rest, fetch.limit)
    }

    private func storeFetch(for request: AnyFetchRequest) throws -> StoreFetch {
        processPendingChanges()
        return try StoreFetch(request, in: model)
    }

    // MARK: Objects

    /// - Parameter prefetches: whether the relationships that the request names are brought in, too.
    func fetchObjects(_ request: AnyFetchRequest, prefetches: Bool = true) throws -> [NSManagedObject] {
        let fetch = try storeFetch(for: request)
        let stores = coordinator.stores(for: fetch, affected: request.affectedStores)
        let isMerging = hasPendingChanges(for: fetch, request)
        relationshipRuns.endSingles()
        let keyPaths = prefetches ? request.relationshipKeyPathsForPrefetching ?? [] : []
        let prefetch = try RelationshipPrefetch(keyPaths, from: fetch.entity)
        if stores.count == 1, !isMerging,
            let faults = try fetchFaults(fetch, request, from: stores[0], prefetching: prefetch)
        {
            return faults
        }
        var objects = try fetchWithValues(fetch, request, from: stores, isMerging: isMerging)
        if isMerging || stores.count > 1 {
            if isMerging { try merge(pendingChangesInto: &objects, fetch) }
            if let descriptors = fetch.sortDescriptors, !descriptors.isEmpty {
                objects = objects.sorted(using: descriptors)
            }
            objects = Array(objects.dropFirst(fetch.offset).prefix(fetch.limit == 0 ? .max : fetch.limit))
        }
        try prefetch.run(for: objects, in: self)
        return objects
    }

    /// The objects as faults whose rows are read later: those of a request with a batch size, or without values.
    ///
    /// Nil where the values have to come at once. A request that refreshes what the context has is one of those.
    private func fetchFaults(
        _ fetch: StoreFetch, _ request: AnyFetchRequest, from store: NSPersistentStore,
        prefetching prefetch: RelationshipPrefetch
    ) throws -> [NSManagedObject]? {
        guard store.readsManyAtOnce, !request.shouldRefreshRefetchedObjects else { return nil }
        let realizes = !request.returnsObjectsAsFaults
        let pace: ReadAhead.Pace
        if fetch.batchSize > 0 {
            pace = .batches(fetch.batchSize)
        } else if !request.includesPropertyValues, !realizes, prefetch.isEmpty {
            pace = .growing
        } else {
            return nil
        }
        let keys = try coordinator.fetchKeys(fetch, in: store, context: self)
        let needsMore = realizes || !prefetch.isEmpty
        let readAhead = ReadAhead(
            pace,
            afterReading: !needsMore
                ? nil
                : { [unowned self] objects in
                    try prefetch.run(for: objects, in: self)
                    if realizes { for object in objects { object.fireIfNeeded() } }
                })
        return faults(for: keys, below: fetch.entity.root, storeIndex: registry.index(of: store), readAhead)
    }

    private func fetchWithValues(
        _ fetch: StoreFetch, _ request: AnyFetchRequest, from stores: [NSPersistentStore], isMerging: Bool
    ) throws -> [NSManagedObject] {
        var wide = fetch
        if isMerging || stores.count > 1 {
            wide.limit = 0
            wide.offset = 0
        }
        var objects: [NSManagedObject] = []
        for store in stores {
            switch try coordinator.fetchObjects(wide, in: store, context: self) {
            case .rows(let pages): take(pages, of: fetch.entity.root, from: store, request: request, into: &objects)
            case .objects(let found):
                objects += found
                if !request.returnsObjectsAsFaults { for object in found { try object.fulfillFault() } }
            }
        }
        return objects
    }

    /// Makes or finds the objects of a fetch's rows, in their order.
    private func take(
        _ pages: [RowPage], of root: EntityLayout, from store: NSPersistentStore, request: AnyFetchRequest,
        into objects: inout [NSManagedObject]
    ) {
        take(pages, of: root, from: store, refreshes: request.shouldRefreshRefetchedObjects, into: &objects)
        if !request.returnsObjectsAsFaults { for object in objects { object.fireIfNeeded() } }
    }

    /// Makes or finds the objects of rows, in their order.
    ///
    /// - Parameter refreshes: whether clean objects that have values get the rows' instead.
    func take(
        _ pages: [RowPage], of root: EntityLayout, from store: NSPersistentStore, refreshes: Bool = false,
        into objects: inout [NSManagedObject]
    ) {
        let storeIndex = registry.index(of: store)
        let cache = rowCache(of: store)
        objects.reserveCapacity(objects.count + pages.reduce(0) { $0 + $1.count })
        let maker = ObjectMaker(context: self, storeIndex: storeIndex)
        for page in pages {
            cache.register(page, root: root)
            registry.objects(
                store: storeIndex, rows: page, root: root,
                make: { maker.object(of: page, row: $0, withValues: true) },
                found: { object, row in
                    guard object.canBeRead(from: RowRef(page: page, row: row)) else { return }
                    if object.flags.contains(.fault) || refreshes && !object.hasChanges {
                        object.takeOver(RowRef(page: page, row: row))
                    }
                },
                append: { objects.append($0) })
        }
    }

    // MARK: Pending changes

    private func hasPendingChanges(for fetch: StoreFetch, _ request: AnyFetchRequest) -> Bool {
        guard request.includesPendingChanges, hasChanges else { return false }
        return [inserted, updated, deleted].contains { list in list.objects.contains { fetch.covers($0.layout) } }
    }

    /// Takes out what was deleted or no longer fits, and adds what was inserted or now does.
    private func merge(pendingChangesInto objects: inout [NSManagedObject], _ fetch: StoreFetch) throws {
        func fits(_ object: NSManagedObject) -> Bool {
            fetch.covers(object.layout) && (fetch.predicate?.evaluate(with: object) ?? true)
        }
        objects.removeAll { $0.isDeleted || $0.isUpdated && !fits($0) }
        let present = Set(objects)
        for object in updated.objects where !present.contains(object) && fits(object) { objects.append(object) }
        for object in inserted.objects where fits(object) { objects.append(object) }
    }

    // MARK: IDs and dictionaries

    private func fetchIDs(_ request: AnyFetchRequest) throws -> [NSManagedObjectID] {
        let fetch = try storeFetch(for: request)
        let stores = coordinator.stores(for: fetch, affected: request.affectedStores)
        guard stores.count == 1, !hasPendingChanges(for: fetch, request) else {
            return try fetchObjects(request, prefetches: false).map(\.objectID)
        }
        let domain = stores[0].identityDomain(in: model)
        return try coordinator.fetchKeys(fetch, in: stores[0], context: self).map { key in
            NSManagedObjectID(layout: model.entities[Int(key.entityIndex)], handle: key.handle, in: domain)
        }
    }

    /// Dictionaries show what the stores hold; unsaved changes can't count (Apple: `includesPendingChanges`).
    private func fetchDictionaries(_ request: AnyFetchRequest) throws -> [Any] {
        let fetch = try storeFetch(for: request)
        let stores = coordinator.stores(for: fetch, affected: request.affectedStores)
        guard stores.count <= 1 else {
            throw CoreDataError.unsupportedRequest(
                "Dictionary results can't be gathered from \(stores.count) stores; set affectedStores to one of them.")
        }
        guard let store = stores.first else { return [] }
        return try coordinator.fetchDictionaries(fetch, in: store, context: self).map { $0 as NSDictionary }
    }
}
