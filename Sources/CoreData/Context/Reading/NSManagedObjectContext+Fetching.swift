@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSPredicate
@_exported import class FoundationCompat.NSSortDescriptor

/// The methods of a context that subclasses override, seen without the generic ones of the same names.
private protocol OverridableFetching {
    func fetch(_ request: NSFetchRequest<any NSFetchRequestResult>) throws -> [Any]
    func count(for request: NSFetchRequest<any NSFetchRequestResult>) throws -> Int
}

extension NSManagedObjectContext: OverridableFetching {
    /// Asks what a subclass may have overridden. Its `super.fetch(request)` is the generic method, which doesn't ask again.
    private func askingOverride<Result>(_ body: (any OverridableFetching) throws -> Result) rethrows -> Result {
        isAskingOverride = true
        defer { isAskingOverride = false }
        return try body(self)
    }
}

extension NSManagedObjectContext {
    /// The objects, IDs, dictionaries or count that a request asks for.
    ///
    /// Unsaved changes count unless the request says otherwise. Call it on the context's queue.
    ///
    /// - Throws: an error that names the part of the request that isn't supported, or what the store throws.
    public func fetch<T>(_ request: NSFetchRequest<T>) throws -> [T] {
        guard isDouble, !isAskingOverride else { return try results(of: request) }
        return try Self.results(askingOverride { try $0.fetch(.cast(request)) }, of: request)
    }

    /// The results where no subclass overrides the fetch.
    func results<T>(of request: NSFetchRequest<T>) throws -> [T] {
        checkQueue("fetch(_:)")
        if let coordinator = coordinatorToAsk {
            return try Self.results(
                ask(coordinator, for: request) { try self.results(of: request) }, of: request)
        }
        return try followingExchanges(naming: true) { try tellingReadFailures { try currentResults(of: request) } }
    }

    private func currentResults<T>(of request: NSFetchRequest<T>) throws -> [T] {
        let results: [Any]
        switch request.resultType {
        case .countResultType: results = [NSNumber(value: try count(of: request))]
        case .dictionaryResultType: results = try fetchDictionaries(request).map { $0 as NSDictionary }
        case .managedObjectIDResultType:
            let ids = try fetchIDs(request)
            if T.self == NSManagedObjectID.self { return unsafeBitCast(ids, to: [T].self) }
            results = ids
        default:
            let objects = try fetchObjects(request)
            keepUntilEndOfBlock(objects)
            if let objects = Self.cast(objects, to: T.self) { return objects }
            results = objects
        }
        return try Self.results(results, of: request)
    }

    private static func results<T>(_ results: [Any], of request: NSFetchRequest<T>) throws -> [T] {
        try results.map { result in
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
    ///
    /// - Throws: what a fetch of them would.
    public func count<T>(for request: NSFetchRequest<T>) throws -> Int {
        guard isDouble, !isAskingOverride else { return try count(of: request) }
        return try askingOverride { try $0.count(for: .cast(request)) }
    }

    /// How many results a request has, whatever it is typed with: what a literal of generated requests holds, as
    /// `["User": User.fetchRequest(), "Habit": Habit.fetchRequest()]`, is on Apple's platforms a dictionary of one type of request.
    ///
    /// - Throws: what a fetch of them would.
    @_disfavoredOverload
    public func count(for request: AnyFetchRequest) throws -> Int {
        try count(for: NSFetchRequest<any NSFetchRequestResult>.cast(request))
    }

    /// The results of a request, whatever it is typed with. Throws as the typed fetch does.
    @_disfavoredOverload
    public func fetch(_ request: AnyFetchRequest) throws -> [any NSFetchRequestResult] {
        try fetch(NSFetchRequest<any NSFetchRequestResult>.cast(request))
    }

    func count(of request: AnyFetchRequest) throws -> Int {
        checkQueue("count(for:)")
        if let coordinator = coordinatorToAsk {
            let counting = request.erasedCopy()
            counting.resultType = .countResultType
            let answer = try ask(coordinator, for: counting) { [NSNumber(value: try count(of: request))] }
            return (answer.first as? NSNumber)?.intValue ?? answer.count
        }
        return try followingExchanges(naming: true) { try tellingReadFailures { try currentCount(of: request) } }
    }

    private func currentCount(of request: AnyFetchRequest) throws -> Int {
        let fetch = try storeFetch(for: request)
        if !fetch.countsDictionaries, hasPendingChanges(for: fetch, request) {
            guard let pending = try UndefinedKeys.throwing({ try UnsavedResults(fetch, request, in: self) }) else {
                return try fetchObjects(request, prefetches: false).count
            }
            return try pending.count { try parentStore.count($0, request, in: self) }
        }
        return try parentStore.count(fetch, request, in: self)
    }

    private func storeFetch(for request: AnyFetchRequest) throws -> StoreFetch {
        try requireParentStore()
        // What is being inserted isn't done yet, and neither is who inserts it: observers aren't shown that (seen in tests of CareKit).
        if awakenings == 0 { processPendingChanges() }
        adoptPermanentIdentities()
        return try StoreFetch(request, in: model)
    }

    // MARK: Objects

    /// - Parameter prefetches: whether the relationships that the request names are brought in, too.
    func fetchObjects(_ request: AnyFetchRequest, prefetches: Bool = true) throws -> [NSManagedObject] {
        let fetch = try storeFetch(for: request)
        let isMerging = hasPendingChanges(for: fetch, request)
        relationshipRuns.endSingles()
        let keyPaths = prefetches ? request.relationshipKeyPathsForPrefetching ?? [] : []
        let prefetch = RelationshipPrefetch(keyPaths, from: fetch.entity)
        if isMerging {
            return try UndefinedKeys.throwing { try fetchObjects(mergingChangesInto: fetch, request, prefetch) }
        }
        if let faults = try parentStore.fetchFaults(fetch, request, prefetching: prefetch, in: self) { return faults }
        let objects = try parentStore.fetchObjects(fetch, request, in: self)
        try prefetch.run(for: objects, in: self)
        return objects
    }

    /// Makes or finds the objects of a fetch's rows, in their order.
    func materialize(
        _ pages: [RowPage], of root: EntityLayout, from store: NSPersistentStore, request: AnyFetchRequest,
        into objects: inout [NSManagedObject]
    ) {
        materialize(pages, of: root, from: store, refreshes: request.shouldRefreshRefetchedObjects, into: &objects)
        if !request.returnsObjectsAsFaults { for object in objects { object.fireIfNeeded() } }
    }

    /// Makes or finds the objects of rows, in their order.
    ///
    /// - Parameter refreshes: whether clean objects that have values get the rows' instead.
    func materialize(
        _ pages: [RowPage], of root: EntityLayout, from store: NSPersistentStore, refreshes: Bool = false,
        into objects: inout [NSManagedObject]
    ) {
        let storeIndex = storeIndex(of: store)
        let cache = rowCache(of: store)
        let count = pages.reduce(0) { $0 + $1.count }
        objects.reserveCapacity(objects.count + count)
        registry.reserve(count, store: storeIndex, root: root)
        let maker = ObjectMaker(context: self, storeIndex: storeIndex)
        for page in pages {
            cache.register(page, root: root)
            registry.objects(
                store: storeIndex, rows: page, root: root,
                make: { maker.object(of: page, row: $0) },
                found: { object, row in
                    object.receive(RowRef(page: page, row: row), refreshes: refreshes)
                },
                append: { objects.append($0) })
        }
    }

    // MARK: IDs and dictionaries

    func fetchIDs(_ request: AnyFetchRequest) throws -> [NSManagedObjectID] {
        let fetch = try storeFetch(for: request)
        if hasPendingChanges(for: fetch, request) {
            return try fetchObjects(request, prefetches: false).map(\.objectID)
        }
        return try parentStore.fetchIDs(fetch, request, in: self)
    }

    /// Dictionaries show what the stores hold; unsaved changes can't count (Apple: `includesPendingChanges`).
    func fetchDictionaries(_ request: AnyFetchRequest) throws -> [[String: Any]] {
        try parentStore.fetchDictionaries(try storeFetch(for: request), request, in: self)
    }
}
