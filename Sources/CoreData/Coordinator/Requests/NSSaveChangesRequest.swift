import Foundation
import ManagedObjectModel

/// What a context saves, as it is handed to a store (Apple: NSSaveChangesRequest).
open class NSSaveChangesRequest: NSPersistentStoreRequest {
    /// The objects to write for the first time.
    open private(set) var insertedObjects: Set<NSManagedObject>?
    /// The objects to write again.
    open private(set) var updatedObjects: Set<NSManagedObject>?
    /// The objects to delete.
    open private(set) var deletedObjects: Set<NSManagedObject>?
    /// The unchanged objects whose versions are to be checked.
    open private(set) var lockedObjects: Set<NSManagedObject>?

    /// Makes a request to save the metadata.
    public convenience override init() { self.init(inserted: nil, updated: nil, deleted: nil, locked: nil) }

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

    /// What the request wants of the stores.
    open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

    /// The request itself.
    open override func copy(with zone: NSZone? = nil) -> Any { self }
}

extension NSPersistentStoreRequest {
    /// The stores that the request is for; nil for all.
    public var affectedStores: [NSPersistentStore]? {
        get { affectedStoreObjects as? [NSPersistentStore] }
        set { affectedStoreObjects = newValue }
    }
}
