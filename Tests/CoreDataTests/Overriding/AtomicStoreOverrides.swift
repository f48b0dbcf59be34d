import CoreData
import Foundation

// That this compiles is the test: a subclass overrides every member that is open on Apple's platforms.

private final class NSAtomicStoreDouble: NSAtomicStore {
    override func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        super.addCacheNodes(cacheNodes)
    }
    override func cacheNode(for objectID: NSManagedObjectID) -> NSAtomicStoreCacheNode? {
        super.cacheNode(for: objectID)
    }
    override func cacheNodes() -> Set<NSAtomicStoreCacheNode> {
        super.cacheNodes()
    }
    override func load() throws {
        try super.load()
    }
    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        super.newCacheNode(for: managedObject)
    }
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        super.newReferenceObject(for: managedObject)
    }
    override func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        super.objectID(for: entity, withReferenceObject: data)
    }
    override func referenceObject(for objectID: NSManagedObjectID) -> Any {
        super.referenceObject(for: objectID)
    }
    override func save() throws {
        try super.save()
    }
    override func updateCacheNode(_ node: NSAtomicStoreCacheNode, from managedObject: NSManagedObject) {
        super.updateCacheNode(node, from: managedObject)
    }
    override func willRemove(from coordinator: NSPersistentStoreCoordinator?) {
        super.willRemove(from: coordinator)
    }
    override func willRemoveCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        super.willRemoveCacheNodes(cacheNodes)
    }
}

private final class NSAtomicStoreCacheNodeDouble: NSAtomicStoreCacheNode {
    override var objectID: NSManagedObjectID { super.objectID }
    override var propertyCache: NSMutableDictionary? {
        get { super.propertyCache }
        set { super.propertyCache = newValue }
    }
    override func setValue(_ value: Any?, forKey key: String) {
        super.setValue(value, forKey: key)
    }
    override func value(forKey key: String) -> Any? {
        super.value(forKey: key)
    }
}
