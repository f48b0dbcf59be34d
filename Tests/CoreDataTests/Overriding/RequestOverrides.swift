import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSPersistentStoreAsynchronousResultDouble: NSPersistentStoreAsynchronousResult {
    override func cancel() {
        super.cancel()
    }
    override var managedObjectContext: NSManagedObjectContext { super.managedObjectContext }
    override var operationError: (any Error)? { super.operationError }
    override var progress: Progress? { super.progress }
}

private final class NSPersistentStoreRequestDouble: NSPersistentStoreRequest {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var requestType: NSPersistentStoreRequestType { super.requestType }
}

private final class NSSaveChangesRequestDouble: NSSaveChangesRequest {
    override func copy(with zone: NSZone?) -> Any {
        super.copy(with: zone)
    }
    override var deletedObjects: Set<NSManagedObject>? { super.deletedObjects }
    override var insertedObjects: Set<NSManagedObject>? { super.insertedObjects }
    override var lockedObjects: Set<NSManagedObject>? { super.lockedObjects }
    override var requestType: NSPersistentStoreRequestType { super.requestType }
    override var updatedObjects: Set<NSManagedObject>? { super.updatedObjects }
}
