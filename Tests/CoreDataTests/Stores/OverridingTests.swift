import CoreData
import Foundation
import Testing

/// An outside class may override whatever Apple's headers let it: this one counts what it is asked.
private final class CountingStore: NSAtomicStore {
    private(set) var added: [Int] = []
    private(set) var referencesAsked = 0

    override var type: String { "Counting" }
    override var configurationName: String { super.configurationName + "!" }
    override var options: [AnyHashable: Any]? { (super.options ?? [:]).merging(["always": true]) { $1 } }

    override func load() throws {
        guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Genre"] else { return }
        let node = CountingNode(objectID: objectID(for: entity, withReferenceObject: "SF"))
        node.setValue("SF", forKey: "name")
        addCacheNodes([node])
    }

    override func save() throws {}
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID().uuidString }

    override func newCacheNode(for managedObject: NSManagedObject) -> NSAtomicStoreCacheNode {
        let node = CountingNode(objectID: managedObject.objectID)
        updateCacheNode(node, from: managedObject)
        return node
    }

    override func addCacheNodes(_ cacheNodes: Set<NSAtomicStoreCacheNode>) {
        added.append(cacheNodes.count)
        super.addCacheNodes(cacheNodes)
    }

    override func objectID(for entity: NSEntityDescription, withReferenceObject data: Any) -> NSManagedObjectID {
        referencesAsked += 1
        return super.objectID(for: entity, withReferenceObject: data)
    }
}

private final class CountingNode: NSAtomicStoreCacheNode {
    private(set) var identitiesAsked = 0

    override var objectID: NSManagedObjectID {
        identitiesAsked += 1
        return super.objectID
    }
}

@Suite("What Apple's store classes let a subclass override can be overridden")
struct OverridingTests {
    @Test("A store that counts what it is asked is a store like any other, and counts only what is its own")
    func atomic() throws {
        NSPersistentStoreCoordinator.registerStoreClass(CountingStore.self, forStoreType: "Counting")
        let stack = try AtomicStack(nil, type: "Counting")
        let store = try #require(stack.store as? CountingStore)
        stack.context.make("Genre", ["name": "Fantasy"])
        try stack.context.save()
        #expect(try stack.context.all("Genre", sort: "name").map { $0.text("name") } == ["Fantasy", "SF"])
        #expect(store.added == [1], "nodes of new objects are the framework's to add where the store doesn't")
        #expect(store.referencesAsked == 1)
        #expect(store.configurationName.hasSuffix("!") && store.options?["always"] as? Bool == true)
        #expect(store.cacheNodes().allSatisfy { ($0 as? CountingNode)?.identitiesAsked ?? 0 > 0 })
    }
}
