import CoreData
import Foundation
import Testing

@Suite("The store that Apple's guide to loading data builds works as it stands there")
struct GuideStoreTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("people")
        NSPersistentStoreCoordinator.registerStoreClass(GuideStore.self, forStoreType: GuideStore.storeType)
        let lines = [
            "Person,Robert,Tibbot,86349382003", "Person,Jeff,Hancock,5987749473", "Person,Derek,Benson,7987082467",
            "Person,George,Andronov,3492475026",
        ]
        try lines.joined(separator: "\n").write(to: url, atomically: true, encoding: .utf8)
    }

    private static func model() -> NSManagedObjectModel {
        let person = NSEntityDescription()
        person.name = "Person"
        person.properties = ["firstName", "lastName"].map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            attribute.isOptional = true
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [person]
        return model
    }

    private func open(_ url: URL?) throws -> AtomicStack {
        try AtomicStack(url, type: GuideStore.storeType, model: Self.model())
    }

    @Test("Its people are there, known by their numbers; metadata is made for it")
    func loading() throws {
        let stack = try open(url)
        let people = try stack.context.all("Person", "lastName CONTAINS 'o'", sort: "lastName")
        #expect(people.map { $0.text("firstName") } == ["George", "Derek", "Jeff", "Robert"])
        let robert = try #require(people.last)
        #expect(robert.objectID.uriRepresentation().lastPathComponent == "p86349382003")
        #expect(stack.store.metadata[NSStoreTypeKey] as? String == GuideStore.storeType)
        #expect(stack.store.metadata[NSStoreUUIDKey] as? String == stack.store.identifier)
    }

    @Test("Nodes of new objects that the store adds itself are there once, and go with a save that fails")
    func ownNodes() throws {
        let stack = try open(url)
        let ursula = stack.context.make("Person", ["firstName": "Ursula", "lastName": "Le Guin"])
        try stack.context.save()
        #expect(try stack.context.all("Person").count == 5)
        #expect(ursula.objectID.uriRepresentation().lastPathComponent == "p86349382004")
        #expect(try String(contentsOf: url, encoding: .utf8).hasSuffix("Person,Ursula,Le Guin,86349382004\n"))

        let store = try #require(stack.store as? NSAtomicStore)
        stack.context.make("Person", ["firstName": "Jane"])
        try FileManager.default.removeItem(at: folder.url)
        #expect(throws: (any Error).self) { try stack.context.save() }
        #expect(store.cacheNodes().count == 5)
        #expect(try open(nil).context.all("Person").isEmpty)
        stack.context.rollback()
        #expect(try stack.context.all("Person").count == 5)
    }

    @Test("With a nil URL it is empty, and works")
    func noURL() throws {
        let stack = try open(nil)
        stack.context.make("Person", ["firstName": "Ursula"])
        try stack.context.save()
        #expect(try stack.context.all("Person").map { $0.text("firstName") } == ["Ursula"])
        #expect(stack.store.url?.path == "/dev/null")
    }

    @Test("Two people with one number, as the guide's own lines have them, are an error that names the object")
    func repeatedNumber() throws {
        let text = try String(contentsOf: url, encoding: .utf8)
        try text.replacingOccurrences(of: "3492475026", with: "7987082467")
            .write(to: url, atomically: true, encoding: .utf8)
        let error = #expect(throws: NSError.self) { try open(url) }
        #expect(error?.localizedDescription.contains("7987082467") == true)
        #expect(error?.localizedDescription.contains(url.path) == true)
    }

    @Test("A container loads it by its description, in the background if that is asked for", arguments: [true, false])
    func container(isInBackground: Bool) async throws {
        let container = NSPersistentContainer(name: "People", managedObjectModel: Self.model())
        let description = NSPersistentStoreDescription(url: url)
        description.type = GuideStore.storeType
        description.shouldAddStoreAsynchronously = isInBackground
        container.persistentStoreDescriptions = [description]
        let failure = await withCheckedContinuation { done in
            container.loadPersistentStores { _, error in done.resume(returning: error.map { "\($0)" }) }
        }
        #expect(failure == nil)
        let names = try await container.performBackgroundTask { context in
            try context.all("Person", sort: "firstName").map { $0.text("firstName") }
        }
        #expect(names == ["Derek", "George", "Jeff", "Robert"])
    }

    @Test("An unregistered type can't be added, whichever spelling registered it")
    func registration() throws {
        let (first, second) = ("Guide \(UUID().uuidString)", "Guide \(UUID().uuidString)")
        let type = NSPersistentStore.StoreType(rawValue: second)
        NSPersistentStoreCoordinator.registerStoreClass(GuideStore.self, forStoreType: first)
        NSPersistentStoreCoordinator.registerStoreClass(GuideStore.self, type: type)
        let known = NSPersistentStoreCoordinator.registeredStoreTypes
        #expect([first, second].allSatisfy { known[$0] != nil })
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
        let store = try coordinator.addPersistentStore(type: type, at: url)
        #expect(store is GuideStore)
        for name in [first, second] { NSPersistentStoreCoordinator.registerStoreClass(nil, forStoreType: name) }
        for name in [first, second] {
            let error = #expect(throws: NSError.self) {
                try coordinator.addPersistentStore(ofType: name, configurationName: nil, at: nil)
            }
            #expect(error?.code == NSPersistentStoreInvalidTypeError)
        }
    }
}
