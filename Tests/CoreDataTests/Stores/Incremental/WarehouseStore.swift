import CoreData
import Foundation

/// An incremental store as an author outside of the package would write it, which logs what the framework asks of it.
final class WarehouseStore: NSIncrementalStore {
    static let storeType = "Warehouse"
    struct Failure: Error, Equatable {}

    static func register() {
        NSPersistentStoreCoordinator.registerStoreClass(
            WarehouseStore.self, type: NSPersistentStore.StoreType(rawValue: storeType))
    }

    private(set) var warehouse: Warehouse!

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        warehouse = Warehouse.at(url)
        warehouse.log("init")
    }

    override var type: String { Self.storeType }

    override func loadMetadata() throws {
        warehouse.log("loadMetadata")
        if let failure = warehouse.behaviour.loadFailure { throw failure }
        if let metadata = warehouse.behaviour.metadata { self.metadata = metadata }
    }

    override class func identifierForNewStore(at storeURL: URL) -> Any {
        Warehouse.at(storeURL)?.log("identifierForNewStore")
        return "0F0E0D0C-0000-0000-0000-\(storeURL.host!.suffix(12))"
    }

    override func didAdd(to coordinator: NSPersistentStoreCoordinator) { warehouse.log("didAdd") }

    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        warehouse.log(coordinator == nil ? "willRemove(from: nil)" : "willRemove")
    }

    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        warehouse.use(objectIDs, 1)
    }
    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        warehouse.use(objectIDs, -1)
    }

    // MARK: Requests

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        warehouse.log(Self.text(request))
        if let context, let answer = try warehouse.behaviour.execute?(request, self, context) { return answer }
        switch request {
        case let fetch as NSFetchRequest<NSFetchRequestResult>:
            warehouse.lastFetch = fetch
            let nodes = warehouse.records.keys.filter { covers(fetch, $0.entity) }
                .sorted { "\($0.reference)" < "\($1.reference)" }.map { node(id($0)) }
            guard !warehouse.behaviour.givesValues else { return try evaluate(fetch, over: nodes, with: context) }
            fetch.includesPropertyValues = false
            return try evaluate(fetch, over: nodes, with: context)
        case let save as NSSaveChangesRequest:
            try self.save(save)
            return []
        default:
            throw CocoaError(.persistentStoreUnsupportedRequestType)
        }
    }

    private static func text(_ request: NSPersistentStoreRequest) -> String {
        switch request {
        case let fetch as AnyFetchRequest:
            let kind = [0: "objects", 1: "IDs", 2: "dictionaries", 4: "count"][fetch.resultType.rawValue] ?? "?"
            return "fetch \(kind) of \(fetch.entity?.name ?? "?")"
        case let save as NSSaveChangesRequest:
            if [save.insertedObjects, save.updatedObjects, save.deletedObjects, save.lockedObjects].allSatisfy({
                $0 == nil
            }) {
                return "save metadata"
            }
            return "save +\(save.insertedObjects?.count ?? 0) ~\(save.updatedObjects?.count ?? 0) "
                + "-\(save.deletedObjects?.count ?? 0) =\(save.lockedObjects?.count ?? 0)"
        default: return "execute \(Swift.type(of: request))"
        }
    }

    private func covers(_ fetch: AnyFetchRequest, _ name: String) -> Bool {
        guard let wanted = fetch.entity, let entity = entity(name) else { return false }
        return fetch.includesSubentities ? entity.isKindOf(entity: wanted) : entity.name == wanted.name
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        warehouse.log("newValues \(name(objectID))")
        if let node = try warehouse.behaviour.node?(objectID, self) { return node }
        guard warehouse.records[key(objectID)] != nil else { throw CocoaError(.managedObjectReferentialIntegrity) }
        return node(objectID)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        warehouse.log("newValue \(name(objectID)).\(relationship.name)")
        if let value = try warehouse.behaviour.value?(relationship, objectID, self) { return value }
        let ids = (warehouse.records[key(objectID)]?.destinations[relationship.name] ?? []).map(id)
        return relationship.isToMany ? ids : ids.first ?? NSNull()
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        warehouse.log("obtainPermanentIDs \(array.count)")
        if let ids = try warehouse.behaviour.permanentIDs?(array, self) { return ids }
        return array.map { newObjectID(for: $0.entity, referenceObject: warehouse.makeKey().base) }
    }

    // MARK: Records

    func entity(_ name: String) -> NSEntityDescription? {
        persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
    }
    func id(_ key: Warehouse.Key) -> NSManagedObjectID {
        newObjectID(for: entity(key.entity)!, referenceObject: key.reference.base)
    }
    func key(_ id: NSManagedObjectID) -> Warehouse.Key {
        let reference = referenceObject(for: id)
        return Warehouse.Key(id.entity.name ?? "", (reference as? NSNumber)?.intValue ?? reference as! AnyHashable)
    }
    private func name(_ id: NSManagedObjectID) -> String { "\(id.entity.name ?? "")/\(referenceObject(for: id))" }

    func node(_ id: NSManagedObjectID) -> NSIncrementalStoreNode {
        let record = warehouse.records[key(id)] ?? Warehouse.Record()
        var values = record.values
        if warehouse.behaviour.givesRelationships {
            for relationship in id.entity.relationshipsByName.values {
                let ids = (record.destinations[relationship.name] ?? []).map(self.id)
                values[relationship.name] = relationship.isToMany ? ids : ids.first ?? NSNull()
            }
        }
        return NSIncrementalStoreNode(objectID: id, withValues: values, version: record.version)
    }

    private func save(_ request: NSSaveChangesRequest) throws {
        if let failure = warehouse.behaviour.saveFailure { throw failure }
        var records = warehouse.records
        let changed = (request.updatedObjects ?? []).union(request.deletedObjects ?? []).union(
            request.lockedObjects ?? [])
        let conflicts = changed.compactMap { object -> NSMergeConflict? in
            let now = records[key(object.objectID)]?.version ?? 0
            if now == version(of: object) { return nil }
            return NSMergeConflict(
                source: object, newVersion: Int(now), oldVersion: Int(version(of: object)), cachedSnapshot: nil,
                persistedSnapshot: nil)
        }
        guard conflicts.isEmpty else {
            throw CocoaError(.managedObjectMerge, userInfo: [NSPersistentStoreSaveConflictsErrorKey: conflicts])
        }
        for object in (request.insertedObjects ?? []).union(request.updatedObjects ?? []) {
            var record = Warehouse.Record(version: version(of: object) + 1)
            for name in object.entity.attributesByName.keys { record.values[name] = object.value(forKey: name) }
            for name in object.entity.relationshipsByName.keys {
                record.destinations[name] = object.objectIDs(forRelationshipNamed: name).map(key)
            }
            records[key(object.objectID)] = record
        }
        for object in request.deletedObjects ?? [] { records[key(object.objectID)] = nil }
        warehouse.records = records
        warehouse.behaviour.metadata = metadata
    }
}
