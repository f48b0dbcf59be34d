import CoreData
import Foundation
import Synchronization
import Testing

/// A store that is one property list, carries its model, and has managers of its own migrate it.
private final class SelfDescribingStore: NSAtomicStore {
    static let storeType = "SelfDescribing"
    override var type: String { Self.storeType }

    private static func contents(of url: URL) throws -> [String: Any] {
        try PropertyListSerialization.propertyList(from: Data(contentsOf: url), format: nil) as? [String: Any] ?? [:]
    }

    override init(
        persistentStoreCoordinator root: NSPersistentStoreCoordinator?, configurationName name: String?, at url: URL,
        options: [AnyHashable: Any]? = nil
    ) {
        super.init(persistentStoreCoordinator: root, configurationName: name, at: url, options: options)
        metadata = (try? Self.contents(of: url)["metadata"] as? [String: Any]) ?? [NSStoreUUIDKey: UUID().uuidString]
    }

    override func load() throws {
        guard let url, FileManager.default.fileExists(atPath: url.path) else { return }
        let entity = persistentStoreCoordinator?.managedObjectModel.entitiesByName["Note"]
        for (text, number) in try Self.contents(of: url)["notes"] as? [String: Int] ?? [:] {
            let node = NSAtomicStoreCacheNode(objectID: objectID(for: entity!, withReferenceObject: number))
            node.propertyCache = ["text": text]
            addCacheNodes([node])
        }
    }

    override func newReferenceObject(for managedObject: NSManagedObject) -> Any {
        last += 1
        return last
    }
    private var last = 0

    override func save() throws {
        guard let url, let model = persistentStoreCoordinator?.managedObjectModel else { return }
        var notes: [String: Int] = [:]
        for node in cacheNodes() {
            notes[node.value(forKey: "text") as? String ?? ""] = referenceObject(for: node.objectID) as? Int
        }
        let names = model.entities.flatMap(\.attributesByName.keys)
        let list: [String: Any] = ["metadata": metadata ?? [:], "notes": notes, "attributes": names]
        try PropertyListSerialization.data(fromPropertyList: list, format: .xml, options: 0).write(to: url)
    }

    override class func modelCarried(byStoreAt url: URL) throws -> NSManagedObjectModel? {
        CustomStoreMigrationTests.model(with: try contents(of: url)["attributes"] as? [String] ?? [])
    }

    override class func migrationManagerClass() -> AnyClass { CountingManager.self }

    final class CountingManager: NSMigrationManager {
        static let places = Mutex<[String]>([])

        override func migrateStore(
            from sourceURL: URL, sourceType sStoreType: String, options sOptions: [AnyHashable: Any]? = nil,
            with mappings: NSMappingModel?, toDestinationURL dURL: URL, destinationType dStoreType: String,
            destinationOptions dOptions: [AnyHashable: Any]? = nil
        ) throws {
            Self.places.withLock { $0.append(sourceURL.path) }
            try super.migrateStore(
                from: sourceURL, sourceType: sStoreType, options: sOptions, with: mappings, toDestinationURL: dURL,
                destinationType: dStoreType, destinationOptions: dOptions)
        }
    }
}

@Suite("A custom store of another model is migrated when it is opened")
struct CustomStoreMigrationTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("notes") }

    init() throws {
        folder = try TemporaryFolder()
        NSPersistentStoreCoordinator.registerStoreClass(
            SelfDescribingStore.self, forStoreType: SelfDescribingStore.storeType)
    }

    fileprivate static func model(with attributes: [String]) -> NSManagedObjectModel {
        let note = NSEntityDescription()
        note.name = "Note"
        note.properties = attributes.sorted().map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    private func open(_ attributes: [String], _ options: [String: Any] = [:]) throws -> AtomicStack {
        try AtomicStack(
            url, type: SelfDescribingStore.storeType, model: Self.model(with: attributes), options: options)
    }

    private func makeStore() throws {
        let stack = try open(["text"])
        for text in ["one", "two"] { stack.context.make("Note", ["text": text]) }
        try stack.context.save()
        try stack.close()
    }

    @Test("by the model that it carries and a manager of the class that it names; without the options it is refused")
    func migration() throws {
        try makeStore()
        let before = try Data(contentsOf: url)
        var options: [String: Any] = [NSMigratePersistentStoresAutomaticallyOption: true]
        for (options, code) in [
            ([:], NSPersistentStoreIncompatibleVersionHashError), (options, NSMigrationMissingMappingModelError),
        ] {
            let error = #expect(throws: NSError.self) { try open(["text", "colour"], options) }
            #expect(error?.code == code)
            #expect(try Data(contentsOf: url) == before)
        }
        options[NSInferMappingModelAutomaticallyOption] = true
        let stack = try open(["text", "colour"], options)
        #expect(try stack.context.all("Note", sort: "text").map { $0.text("text") } == ["one", "two"])
        #expect(SelfDescribingStore.CountingManager.places.withLock { $0.filter { $0 == url.path }.count } == 1)
        try stack.close()
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(names == ["notes"])
        let again = try open(["text", "colour"])
        #expect(try again.context.all("Note").count == 2)
    }

    @Test("or stays as it was, where the change can't be inferred")
    func failure() throws {
        try makeStore()
        let before = try Data(contentsOf: url)
        let model = Self.model(with: ["text"])
        model.entitiesByName["Note"]?.attributesByName["text"]?.attributeType = .dateAttributeType
        let options = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        #expect(throws: NSError.self) {
            try AtomicStack(url, type: SelfDescribingStore.storeType, model: model, options: options)
        }
        #expect(try Data(contentsOf: url) == before)
        #expect(try open(["text"]).context.all("Note").count == 2)
    }
}
