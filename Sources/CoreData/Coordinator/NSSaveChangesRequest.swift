import Foundation
import ManagedObjectModel

/// What a context saves, as it is handed to a store (Apple: NSSaveChangesRequest).
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// The objects to write for the first time.
    public let insertedObjects: Set<NSManagedObject>?
    /// The objects to write again.
    public let updatedObjects: Set<NSManagedObject>?
    /// The objects to delete.
    public let deletedObjects: Set<NSManagedObject>?
    /// The unchanged objects whose versions are to be checked.
    public let lockedObjects: Set<NSManagedObject>?

    /// Makes a request of what is to be saved. One with nothing in it asks to save the metadata.
    public init(
        inserted insertedObjects: Set<NSManagedObject>?, updated updatedObjects: Set<NSManagedObject>?,
        deleted deletedObjects: Set<NSManagedObject>?, locked lockedObjects: Set<NSManagedObject>?
    ) {
        self.insertedObjects = insertedObjects
        self.updatedObjects = updatedObjects
        self.deletedObjects = deletedObjects
        self.lockedObjects = lockedObjects
        super.init()
    }

    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    open override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSPersistentStoreRequest {
    /// The stores that the request is for; nil for all.
    public var affectedStores: [NSPersistentStore]? {
        get { affectedStoreObjects as? [NSPersistentStore] }
        set { affectedStoreObjects = newValue }
    }
}
