@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

/// The errors of the object graph.
extension CoreDataError {
    static func missingObject(_ id: NSManagedObjectID) -> NSError {
        make(
            NSManagedObjectReferentialIntegrityError,
            "The object \(id.uriRepresentation().absoluteString) isn't in its store: it was deleted, or never saved.",
            [NSAffectedObjectsErrorKey: [id]])
    }

    /// `NSManagedObjectReferentialIntegrityError` is for an object that its store doesn't have; here there is no store
    /// (CoreDataErrors.h).
    static func unreachableObject(_ id: NSManagedObjectID, in coordinator: NSPersistentStoreCoordinator) -> NSError {
        let stores = coordinator.persistentStores.map { "\($0.place) (\($0.identifier ?? "?"))" }
        let known = stores.isEmpty ? "there is none" : "there are: \(stores.joined(separator: ", "))"
        let store = id.persistentStore
        var info: [String: Any] = [NSAffectedObjectsErrorKey: [id]]
        info[NSAffectedStoresErrorKey] = store.map { [$0] }
        return make(
            NSCoreDataError,
            "The object \(id.uriRepresentation().absoluteString) can't be looked up, as its store "
                + "\(store?.place ?? id.storeIdentifier ?? "?") isn't one of the coordinator's, or was removed; \(known).",
            info)
    }

    static func wrongResultType(_ result: Any, wanted: Any.Type, entity: String?) -> NSError {
        make(
            NSCoreDataError,
            "The fetch for '\(entity ?? "?")' gave a \(type(of: result)), and the request is for \(wanted). "
                + "Check the request's resultType and the class that the model names for the entity.")
    }

    static func endlessWillSave(_ limit: Int) -> NSError {
        make(
            NSCoreDataError,
            "Failed to process pending changes before save. The context is still dirty after \(limit) attempts. "
                + "Typically this recursive dirtying is caused by a bad validation method, willSave, or notification handler."
        )
    }

    static func noStore(for entity: EntityLayout) -> NSError {
        make(
            NSPersistentStoreOperationError,
            "No writable store of the coordinator takes objects of the entity '\(entity.name)'. Add a store whose "
                + "configuration has the entity.")
    }

    /// Apple's code for it has no name (seen in reports about apps, with this text as `NSUnderlyingException`).
    static func addedTwice(_ store: NSPersistentStore, at url: URL) -> NSError {
        make(
            134081, "The store at \(url.path) has already been added (\(store.type)).",
            ["NSUnderlyingException": "Can't add the same store twice", NSAffectedStoresErrorKey: [store]])
    }

    static func relationshipAcrossStores(
        _ property: PropertyLayout, from object: NSManagedObject, to destination: NSManagedObject
    ) -> NSError {
        make(
            NSManagedObjectExternalRelationshipError,
            "The relationship '\(property.name)' of \(object.layout.name) leads to an object in another store: from "
                + "\(object.savedStore?.place ?? "?") to \(destination.savedStore?.place ?? "?"). Assign both objects to one store.",
            [NSAffectedObjectsErrorKey: [object, destination]])
    }

    static func readOnly(_ store: NSPersistentStore) -> NSError {
        make(
            CocoaError.Code.fileWriteNoPermission.rawValue,
            "The store \(store.place) was opened read-only; its objects can't be saved.",
            [NSAffectedStoresErrorKey: [store]])
    }
}
