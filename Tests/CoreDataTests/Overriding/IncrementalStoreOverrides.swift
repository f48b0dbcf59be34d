import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSIncrementalStoreDouble: NSIncrementalStore {
    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        try super.execute(request, with: context)
    }
    override class func identifierForNewStore(at storeURL: URL) -> Any {
        super.identifierForNewStore(at: storeURL)
    }
    override func loadMetadata() throws {
        try super.loadMetadata()
    }
    override func managedObjectContextDidRegisterObjects(with objectIDs: [NSManagedObjectID]) {
        super.managedObjectContextDidRegisterObjects(with: objectIDs)
    }
    override func managedObjectContextDidUnregisterObjects(with objectIDs: [NSManagedObjectID]) {
        super.managedObjectContextDidUnregisterObjects(with: objectIDs)
    }
    override func newObjectID(for entity: NSEntityDescription, referenceObject data: Any) -> NSManagedObjectID {
        super.newObjectID(for: entity, referenceObject: data)
    }
    override func newValue(
        forRelationship relationship: NSRelationshipDescription, forObjectWith objectID: NSManagedObjectID,
        with context: NSManagedObjectContext?
    ) throws -> Any {
        try super.newValue(forRelationship: relationship, forObjectWith: objectID, with: context)
    }
    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        try super.newValuesForObject(with: objectID, with: context)
    }
    override func newValuesForObjects(with objectIDs: [NSManagedObjectID], with context: NSManagedObjectContext) throws
        -> [NSIncrementalStoreNode]
    {
        try super.newValuesForObjects(with: objectIDs, with: context)
    }
    override func obtainPermanentIDs(for array: [NSManagedObject]) throws -> [NSManagedObjectID] {
        try super.obtainPermanentIDs(for: array)
    }
    override func referenceObject(for objectID: NSManagedObjectID) -> Any {
        super.referenceObject(for: objectID)
    }
}

private final class NSIncrementalStoreNodeDouble: NSIncrementalStoreNode {
    override var objectID: NSManagedObjectID { super.objectID }
    override func update(withValues values: [String: Any], version: UInt64) {
        super.update(withValues: values, version: version)
    }
    override func value(for prop: NSPropertyDescription) -> Any? {
        super.value(for: prop)
    }
    override var version: UInt64 { super.version }
}
