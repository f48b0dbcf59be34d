import CoreData
import Foundation

/// A store in the shape of AFIncrementalStore, after its public documentation: the truth is remote and slow, a store of the
/// framework's own, in a coordinator of its own, is its cache. A fetch is answered from the cache at once; what the remote side
/// then says goes into the cache, and from there into the context that has fetched, which a notification tells of.
final class RemoteCacheStore: NSIncrementalStore, @unchecked Sendable {
    static let storeType = "RemoteCache"
    /// The option with the place of the cache, a SQLite store; without it the cache is in memory.
    static let cacheURLKey = "RemoteCacheStoreCacheURL"
    /// Posted for a context that has taken over what the remote side says.
    static let didImport = Notification.Name("RemoteCacheStoreDidImport")
    private static let keyAttribute = "remoteKey"

    override var type: String { Self.storeType }
    private var remote: RemoteSide!
    private(set) var cache: NSPersistentStoreCoordinator!
    private var cacheContext: NSManagedObjectContext!
    private let queue = DispatchQueue(label: "remote")

    override func loadMetadata() throws {
        guard let model = persistentStoreCoordinator?.managedObjectModel, let remote = RemoteSide.at(url) else {
            throw CocoaError(.persistentStoreOpen)
        }
        self.remote = remote
        let cached = model.copy() as! NSManagedObjectModel
        for entity in cached.entities where entity.superentity == nil {
            let key = NSAttributeDescription()
            key.name = Self.keyAttribute
            key.attributeType = .stringAttributeType
            key.isOptional = true
            entity.properties.append(key)
        }
        cache = NSPersistentStoreCoordinator(managedObjectModel: cached)
        let file = options?[Self.cacheURLKey] as? URL
        try cache.addPersistentStore(
            ofType: file == nil ? NSInMemoryStoreType : NSSQLiteStoreType, configurationName: nil, at: file)
        cacheContext = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        cacheContext.persistentStoreCoordinator = cache
        metadata = [NSStoreUUIDKey: "REMOTE-\(remote.name)", NSStoreTypeKey: Self.storeType]
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let fetch as NSFetchRequest<NSFetchRequestResult>:
            // Asked for once the answer is there, so that it is the cache's.
            let results = try cacheContext.performAndWait { try answer(fetch, with: context) }
            if let context { refresh(fetch.entity?.name ?? "", for: context) }
            return results
        case let save as NSSaveChangesRequest:
            try self.save(save)
            return []
        default: throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    /// The same request to the cache; its objects stand for those of this store by their keys.
    private func answer(_ fetch: NSFetchRequest<NSFetchRequestResult>, with context: NSManagedObjectContext?) throws
        -> [Any]
    {
        let cached = NSFetchRequest<NSFetchRequestResult>(entityName: fetch.entity?.name ?? "")
        cached.predicate = fetch.predicate
        cached.sortDescriptors = fetch.sortDescriptors
        cached.fetchLimit = fetch.fetchLimit
        cached.fetchOffset = fetch.fetchOffset
        cached.includesSubentities = fetch.includesSubentities
        switch fetch.resultType {
        case .countResultType: return [NSNumber(value: try cacheContext.count(for: cached))]
        case .dictionaryResultType:
            cached.resultType = .dictionaryResultType
            cached.propertiesToFetch = fetch.propertiesToFetch
            return try cacheContext.fetch(cached)
        case .managedObjectIDResultType:
            return try cacheContext.fetch(cached).compactMap { ($0 as? NSManagedObject).flatMap(id) }
        default:
            return try cacheContext.fetch(cached).compactMap { ($0 as? NSManagedObject).flatMap(id) }
                .compactMap { context?.object(with: $0) }
        }
    }

    private func id(_ cached: NSManagedObject) -> NSManagedObjectID? {
        guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[cached.entity.name ?? ""],
            let key = cached.value(forKey: Self.keyAttribute) as? String
        else { return nil }
        return newObjectID(for: entity, referenceObject: key)
    }

    private func cached(_ name: String, _ key: String) throws -> NSManagedObject? {
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.predicate = NSPredicate(format: "%K == %@", Self.keyAttribute, key)
        return try cacheContext.fetch(request).first
    }

    private func key(_ id: NSManagedObjectID) -> String { referenceObject(for: id) as? String ?? "" }

    // MARK: What the remote side says

    private func refresh(_ entity: String, for context: NSManagedObjectContext) {
        let box = Box(context)
        queue.async { [weak self] in
            guard let self, let records = self.remote.fetch(entity) else { return }
            let changed = self.cacheContext.performAndWait { self.update(entity, records) }
            NSManagedObjectContext.mergeChanges(
                fromRemoteContextSave: [NSInsertedObjectsKey: changed.inserted, NSUpdatedObjectsKey: changed.updated],
                into: [box.context])
            NotificationCenter.default.post(name: Self.didImport, object: box.context, userInfo: ["entity": entity])
        }
    }

    private func update(_ entity: String, _ records: [String: [String: Any]]) -> (
        inserted: [NSManagedObjectID], updated: [NSManagedObjectID]
    ) {
        var (inserted, updated): ([NSManagedObject], [NSManagedObject]) = ([], [])
        for (key, values) in records {
            let present = (try? cached(entity, key)) ?? nil
            let object = present ?? NSEntityDescription.insertNewObject(forEntityName: entity, into: cacheContext)
            object.setValue(key, forKey: Self.keyAttribute)
            for (name, value) in values { object.setValue(value, forKey: name) }
            if present == nil { inserted.append(object) } else { updated.append(object) }
        }
        try? cacheContext.save()
        return (inserted.compactMap(id), updated.compactMap(id))
    }

    /// Waits until the remote side has answered what was asked so far.
    func waitForRemote() { queue.sync {} }

    // MARK: Faults and saves

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        let key = key(objectID)
        return try cacheContext.performAndWait {
            guard let object = try cached(objectID.entity.name ?? "", key) else {
                throw CocoaError(.managedObjectReferentialIntegrity)
            }
            var values = object.committedValues(forKeys: Array(objectID.entity.attributesByName.keys))
            for (name, relationship) in objectID.entity.relationshipsByName where !relationship.isToMany {
                let destination = object.value(forKey: name) as? NSManagedObject
                values[name] = destination.flatMap(id) ?? NSNull()
            }
            return NSIncrementalStoreNode(objectID: objectID, withValues: values, version: 1)
        }
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        let key = key(objectID)
        return try cacheContext.performAndWait {
            let object = try cached(objectID.entity.name ?? "", key)
            let members = object?.value(forKey: relationship.name) as? Set<NSManagedObject> ?? []
            return members.compactMap(id)
        }
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: remote.makeKey()) }
    }

    private func save(_ request: NSSaveChangesRequest) throws {
        let changed = (request.insertedObjects ?? []).union(request.updatedObjects ?? [])
        var records: [(name: String, key: String, values: [String: Any], toOnes: [String: NSManagedObjectID])] = []
        for object in changed {
            var values: [String: Any] = [:]
            var toOnes: [String: NSManagedObjectID] = [:]
            for name in object.entity.attributesByName.keys { values[name] = object.value(forKey: name) }
            for (name, relationship) in object.entity.relationshipsByName where !relationship.isToMany {
                toOnes[name] = (object.value(forKey: name) as? NSManagedObject)?.objectID
            }
            records.append((object.entity.name ?? "", key(object.objectID), values, toOnes))
        }
        for record in records { try remote.put(record.name, record.key, record.values) }
        for object in request.deletedObjects ?? [] { try remote.delete(object.entity.name ?? "", key(object.objectID)) }
        try cacheContext.performAndWait {
            for record in records {
                _ = update(record.name, [record.key: record.values])
            }
            for record in records {
                let object = try cached(record.name, record.key)
                for (name, id) in record.toOnes {
                    object?.setValue(try cached(id.entity.name ?? "", key(id)), forKey: name)
                }
            }
            for object in request.deletedObjects ?? [] {
                if let gone = try cached(object.entity.name ?? "", key(object.objectID)) { cacheContext.delete(gone) }
            }
            try cacheContext.save()
        }
    }

    private struct Box: @unchecked Sendable {
        let context: NSManagedObjectContext
        init(_ context: NSManagedObjectContext) { self.context = context }
    }
}
