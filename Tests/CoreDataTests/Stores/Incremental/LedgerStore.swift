import CoreData
import Foundation

/// An incremental store that keeps its rows as long as it lives, knows them by texts, and remembers what it was asked.
final class LedgerStore: NSIncrementalStore {
    static let storeType = "Ledger"
    /// The identifier that a new store gets need not be a text.
    static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
    /// In the options: whether it may be filled in parts.
    static let savesAheadOption = "SavesAhead"

    override var type: String { Self.storeType }
    override var savesReferencesAhead: Bool { options?[Self.savesAheadOption] as? Bool ?? false }

    private(set) var calls: [String] = []
    private var rows: [String: (entity: String, values: [String: Any], version: UInt64)] = [:]
    /// Answers requests that are neither fetches nor saves.
    var answer: ((NSPersistentStoreRequest) throws -> Any)?

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        calls.append("init")
    }

    override class func identifierForNewStore(at storeURL: URL) -> Any { identifier }
    override func loadMetadata() throws { calls.append("loadMetadata") }
    override func didAdd(to coordinator: NSPersistentStoreCoordinator) { calls.append("didAdd") }
    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        calls.append(coordinator == nil ? "willRemove(from: nil)" : "willRemove")
        super.willRemove(from: coordinator)
    }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        switch request {
        case let fetch as AnyFetchRequest:
            return try evaluate(fetch, over: rows.keys.sorted().map { node(try id($0)) }, with: context)
        case let save as NSSaveChangesRequest:
            let (inserted, updated) = (save.insertedObjects ?? [], save.updatedObjects ?? [])
            calls.append("save +\(inserted.count) ~\(updated.count) -\(save.deletedObjects?.count ?? 0)")
            for object in inserted.union(updated) {
                rows[key(object.objectID)] = (object.entity.name ?? "", values(of: object), version(of: object) + 1)
            }
            for object in save.deletedObjects ?? [] { rows[key(object.objectID)] = nil }
            return []
        default:
            guard let answer else { throw CocoaError(.persistentStoreUnsupportedRequestType) }
            return try answer(request)
        }
    }

    private func values(of object: NSManagedObject) -> [String: Any] {
        var values: [String: Any] = [:]
        for name in object.entity.attributesByName.keys { values[name] = object.value(forKey: name) }
        for name in object.entity.relationshipsByName.keys {
            values[name] = object.objectIDs(forRelationshipNamed: name)
        }
        return values
    }

    private func key(_ id: NSManagedObjectID) -> String { referenceObject(for: id) as? String ?? "" }
    private func id(_ key: String) throws -> NSManagedObjectID {
        guard let name = rows[key]?.entity,
            let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName[name]
        else { throw CocoaError(.managedObjectReferentialIntegrity) }
        return newObjectID(for: entity, referenceObject: key)
    }

    private func node(_ id: NSManagedObjectID) -> NSIncrementalStoreNode {
        let row = rows[key(id)]
        var values = row?.values ?? [:]
        for (name, relationship) in id.entity.relationshipsByName where !relationship.isToMany {
            values[name] = (values[name] as? [NSManagedObjectID])?.first ?? NSNull()
        }
        return NSIncrementalStoreNode(objectID: id, withValues: values, version: row?.version ?? 1)
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        guard rows[key(objectID)] != nil else { throw CocoaError(.managedObjectReferentialIntegrity) }
        return node(objectID)
    }

    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        rows[key(objectID)]?.values[relationship.name] ?? []
    }

    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        array.map { newObjectID(for: $0.entity, referenceObject: UUID().uuidString + "x") }
    }
}
