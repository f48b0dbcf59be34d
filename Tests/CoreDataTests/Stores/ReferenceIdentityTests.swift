import CoreData
import Foundation
import Testing

/// Stores that know objects by texts and UUIDs: which object an ID means must not depend on the order in which a store
/// happened to name its objects.
@Suite("Identities of reference objects") struct ReferenceIdentityTests {
    private static let names = ["first", "second"]

    private func open(_ order: [Any], type: String, _ body: (NSManagedObjectContext) throws -> Void) throws {
        let entity = NSEntityDescription()
        entity.name = "Thing"
        let name = NSAttributeDescription()
        name.name = "name"
        name.attributeType = .stringAttributeType
        entity.properties = [name]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        NSPersistentStoreCoordinator.registerStoreClass(NamedAtomicStore.self, forStoreType: NamedAtomicStore.storeType)
        NSPersistentStoreCoordinator.registerStoreClass(
            NamedIncrementalStore.self, forStoreType: NamedIncrementalStore.storeType)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(
            ofType: type, configurationName: nil, at: nil, options: [namesOption: order])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
    }

    private func all(_ context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing"))
    }
    private func name(_ object: NSManagedObject?) -> String? { object?.value(forKey: "name") as? String }
    /// The name of what another context has for an object's ID.
    private func named(_ object: NSManagedObject, _ context: NSManagedObjectContext) throws -> String? {
        name(try context.existingObject(with: object.objectID))
    }
    private func object(_ name: String, _ context: NSManagedObjectContext) throws -> NSManagedObject {
        try #require(try all(context).first { self.name($0) == name })
    }

    @Test(
        "Two coordinators have one store open, and name its objects in another order: an ID means the same object",
        arguments: [NamedAtomicStore.storeType, NamedIncrementalStore.storeType])
    func twoCoordinators(type: String) throws {
        try open(["first", "second"], type: type) { one in
            let (first, second) = (try object("first", one), try object("second", one))
            try open(["second", "first"], type: type) { other in
                let same = try object("first", other)
                #expect(same.objectID == first.objectID)
                #expect(same.objectID != second.objectID)
                let names = [try named(first, other), try named(second, other)]
                #expect(names == ["first", "second"])
            }
            // This one hasn't named any object yet.
            try open(["second", "first"], type: type) { other in
                let found = try named(second, other)
                #expect(found == "second")
            }
        }
    }

    @Test(
        "An ID that outlives its store keeps its URI, and is equal to the ID of the store added again",
        arguments: [NamedAtomicStore.storeType, NamedIncrementalStore.storeType])
    func addedAgain(type: String) throws {
        var ids: [NSManagedObjectID] = []
        var uris: [URL] = []
        try open(["first", "second"], type: type) { context in
            ids = try Self.names.map { try object($0, context).objectID }
            uris = ids.map { $0.uriRepresentation() }
        }
        #expect(ids.map { $0.uriRepresentation() } == uris)
        try open(["second", "first"], type: type) { context in
            let same = try Self.names.map { try object($0, context).objectID }
            #expect(same == ids)
            let found = uris.map { context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: $0) }
            #expect(found == ids)
        }
    }

    @Test(
        "Numbers above the signed ones are references of their own, and come back from URIs",
        arguments: [NamedAtomicStore.storeType, NamedIncrementalStore.storeType])
    func unsignedNumbers(type: String) throws {
        let numbers: [UInt64] = [.max, .max - 1, 1 << 63, (1 << 63) + 1]
        var uris: [URL] = []
        try open(numbers, type: type) { context in
            let objects = try all(context)
            #expect(Set(objects.compactMap { name($0) }) == Set(numbers.map { "\($0)" }))
            uris = objects.map { $0.objectID.uriRepresentation() }
        }
        try open(numbers.reversed(), type: type) { context in
            let names = try uris.map { uri in
                let id = try #require(context.persistentStoreCoordinator?.managedObjectID(forURIRepresentation: uri))
                return name(try context.existingObject(with: id))
            }
            #expect(Set(names) == Set(numbers.map { "\($0)" }))
        }
    }
}

/// In the options: the reference objects of the store's objects, in the order in which the store names them.
private let namesOption = "Names"
private let sharedIdentifier = "0B4C2C80-6E52-4F0E-9B51-5C0F0F7B0A11"

private final class NamedAtomicStore: NSAtomicStore {
    static let storeType = "NamedAtomic"
    override var type: String { Self.storeType }
    override func loadMetadata() throws { metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: sharedIdentifier] }
    override func save() throws {}
    override func newReferenceObject(for managedObject: NSManagedObject) -> Any { UUID() }
    override func load() throws {
        guard let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Thing"] else { return }
        for name in options?[namesOption] as? [Any] ?? [] {
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity, withReferenceObject: name))
            node.propertyCache = ["name": "\(name)"]
            addCacheNodes([node])
        }
    }
}

private final class NamedIncrementalStore: NSIncrementalStore {
    static let storeType = "NamedIncremental"
    override var type: String { Self.storeType }
    override func loadMetadata() throws { metadata = [NSStoreTypeKey: type, NSStoreUUIDKey: sharedIdentifier] }

    override func execute(_ request: NSPersistentStoreRequest, with context: NSManagedObjectContext?) throws -> Any {
        guard let fetch = request as? NSFetchRequest<NSFetchRequestResult>, let entity = fetch.entity else { return [] }
        let names = options?[namesOption] as? [Any] ?? []
        return names.compactMap { context?.object(with: newObjectID(for: entity, referenceObject: $0)) }
    }

    override func newValuesForObject(with objectID: NSManagedObjectID, with context: NSManagedObjectContext) throws
        -> NSIncrementalStoreNode
    {
        let name = referenceObject(for: objectID)
        return NSIncrementalStoreNode(objectID: objectID, withValues: ["name": "\(name)"], version: 1)
    }
}
