import CoreData
import Foundation
import Testing

/// As sources for Apple's platforms write it: the initialiser is overridden, and not declared as required.
private final class AppleShapedStore: NSAtomicStore {
    static let storeType = "AppleShaped"
    private let greeting: String

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        greeting = "made at \(url.lastPathComponent)"
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        metadata = [NSStoreUUIDKey: "A UUID", NSStoreTypeKey: Self.storeType, "Greeting": greeting]
    }

    override var type: String { Self.storeType }
    override func load() throws {}
    override func save() throws {}
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID() }
}

/// One with an initialiser of its own besides, and one below it that overrides neither.
private class AppleShapedRemoteStore: NSIncrementalStore {
    let page: Int

    init(page: Int, coordinator: NSPersistentStoreCoordinator) {
        self.page = page
        super.init(
            persistentStoreCoordinator: coordinator, configurationName: nil, at: URL(fileURLWithPath: "/dev/null"))
    }

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]?
    ) {
        page = options?["page"] as? Int ?? 0
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
    }

    override var type: String { "AppleShapedRemote" }
}

private final class Descendant: AppleShapedRemoteStore {}

/// As many a public store has it: the type is the class's, and the instance's isn't overridden.
private final class SelfNamedStore: NSIncrementalStore {
    class var storeType: String { "SelfNamed" }

    override func loadMetadata() throws {
        metadata = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: "One"]
    }
}

@Suite("Store classes are declared as for Apple's platforms")
struct StoreClassShapeTests {
    @Test("`override init` is run when a store of the class is added")
    func atomic() throws {
        NSPersistentStoreCoordinator.registerStoreClass(
            AppleShapedStore.self, forStoreType: AppleShapedStore.storeType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        let store = try coordinator.addPersistentStore(
            ofType: AppleShapedStore.storeType, configurationName: nil, at: URL(fileURLWithPath: "/tmp/greetings"))
        #expect(coordinator.metadata(for: store)["Greeting"] as? String == "made at greetings")
        #expect(store.identifier == "A UUID")
    }

    @Test("So it is when it is inherited, and a class may have other initialisers")
    func incremental() throws {
        let type = "AppleShapedRemote"
        NSPersistentStoreCoordinator.registerStoreClass(Descendant.self, forStoreType: type)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        let store = try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: nil, options: ["page": 7])
        #expect((store as? Descendant)?.page == 7)
        #expect(AppleShapedRemoteStore(page: 3, coordinator: coordinator).page == 3)
    }

    @Test("A class that doesn't say its type is of the one that it is registered under")
    func typeless() throws {
        NSPersistentStoreCoordinator.registerStoreClass(SelfNamedStore.self, forStoreType: SelfNamedStore.storeType)
        NSPersistentStoreCoordinator.registerStoreClass(SelfNamedStore.self, forStoreType: "AnotherName")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
        let store = try coordinator.addPersistentStore(
            ofType: SelfNamedStore.storeType, configurationName: nil, at: URL(fileURLWithPath: "/tmp/self-named"))
        #expect(store.type == SelfNamedStore.storeType)
        #expect(coordinator.metadata(for: store)[NSStoreTypeKey] as? String == SelfNamedStore.storeType)
        NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: "AnotherName")
    }
}
