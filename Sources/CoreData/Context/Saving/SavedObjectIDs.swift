import Foundation
import FoundationCompat

/// What a save changed, by identity, so that other contexts can merge it on their own queues.
struct SavedObjectIDs: Sendable {
    var inserted: [NSManagedObjectID] = []
    var updated: [NSManagedObjectID] = []
    var deleted: [NSManagedObjectID] = []

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty }

    init(_ sets: ChangeSets) {
        inserted = Self.ids(of: sets.inserted)
        updated = Self.ids(of: sets.updated)
        deleted = Self.ids(of: sets.deleted)
    }

    /// The IDs of saved objects. Most are of one store, whose identity domain is looked up once.
    private static func ids(of objects: Set<NSManagedObject>) -> [NSManagedObjectID] {
        var known: (storeIndex: UInt16, domain: IdentityDomain)?
        return objects.map { object in
            guard object.storeIndex != 0 else { return object.objectID }
            if let known, known.storeIndex == object.storeIndex { return object.objectID(in: known.domain) }
            let domain = object.registry.identityDomain(at: object.storeIndex)
            known = (object.storeIndex, domain)
            return object.objectID(in: domain)
        }
    }

    /// The IDs that the objects have since a store has taken another one's place.
    func following(_ exchange: StoreExchange) -> Self {
        var ids = self
        ids.inserted = inserted.map(exchange.following)
        ids.updated = updated.map(exchange.following)
        ids.deleted = deleted.map(exchange.following)
        return ids
    }

    /// Reads the user info of a notification: objects, IDs or the URIs of IDs.
    init(_ info: [AnyHashable: Any], resolvedBy coordinator: NSPersistentStoreCoordinator? = nil) {
        func ids(_ keys: NSManagedObjectContext.NotificationKey...) -> [NSManagedObjectID] {
            keys.flatMap { Self.elements(of: info[$0.rawValue]) }.compactMap { element in
                switch element {
                case let object as NSManagedObject: object.objectID
                case let id as NSManagedObjectID: id
                case let url as URL: coordinator?.managedObjectID(forURIRepresentation: url)
                default: nil
                }
            }
        }
        inserted = ids(.insertedObjects, .insertedObjectIDs)
        updated = ids(.updatedObjects, .updatedObjectIDs, .refreshedObjects, .refreshedObjectIDs)
        deleted = ids(.deletedObjects, .deletedObjectIDs)
    }

    private static func elements(of value: Any?) -> [Any] {
        value.flatMap { Elements($0)?.values } ?? []
    }
}
