import CoreData
import Foundation
import Testing

@Suite("Coordinators and containers, line by line")
@MainActor
struct StackContractTests {
    /// A model whose entities are in two configurations.
    private func dividedModel() throws -> NSManagedObjectModel {
        let model = NSManagedObjectModel()
        let (note, draft) = (NSEntityDescription(), NSEntityDescription())
        for (entity, name) in [(note, "Note"), (draft, "Draft")] {
            entity.name = name
            let text = NSAttributeDescription()
            text.name = "text"
            text.attributeType = .stringAttributeType
            text.isOptional = true
            entity.properties = [text]
        }
        model.entities = [note, draft]
        model.setEntities([note], forConfigurationName: "Cloud")
        model.setEntities([draft], forConfigurationName: "Local")
        return model
    }

    private func load(_ container: NSPersistentContainer) -> [(any Error)?] {
        nonisolated(unsafe) var errors: [(any Error)?] = []
        container.loadPersistentStores { errors.append($1) }
        return errors
    }

    @Test("Objects go to the store whose configuration has their entity, and fetches gather them from there")
    func configurations() throws {
        let folder = try TemporaryFolder()
        let container = NSPersistentContainer(name: "Divided", managedObjectModel: try dividedModel())
        container.persistentStoreDescriptions = ["Cloud", "Local"].map { name in
            let description = NSPersistentStoreDescription(url: folder.url.appendingPathComponent(name))
            description.configuration = name
            return description
        }
        #expect(load(container).allSatisfy { $0 == nil })
        let context = container.viewContext
        let (note, draft) = (context.make("Note", ["text": "n"]), context.make("Draft", ["text": "d"]))
        try context.save()
        #expect(note.objectID.persistentStore?.configurationName == "Cloud")
        #expect(draft.objectID.persistentStore?.configurationName == "Local")
        #expect(try context.all("Note") == [note])
    }

    @Test("Stores in memory of several configurations can share one container, with and without the null device as URL")
    func severalInMemory() throws {
        for url in [nil, URL(fileURLWithPath: "/dev/null")] {
            for type in [NSSQLiteStoreType, NSInMemoryStoreType] {
                let container = NSPersistentContainer(name: "Divided", managedObjectModel: try dividedModel())
                container.persistentStoreDescriptions = ["Cloud", "Local"].map { name in
                    let description = NSPersistentStoreDescription()
                    description.url = url
                    description.type = type
                    description.configuration = name
                    return description
                }
                #expect(load(container).count == 2)
                #expect(
                    container.persistentStoreCoordinator.persistentStores.map(\.configurationName) == [
                        "Cloud", "Local",
                    ])
                container.viewContext.make("Note")
                container.viewContext.make("Draft")
                try container.viewContext.save()
                #expect(load(container).map { ($0 as NSError?)?.code } == [134081, 134081])
                #expect(container.persistentStoreCoordinator.persistentStores.count == 2)
            }
        }
    }

    @Test("A store of a configuration that the model doesn't have is refused")
    func unknownConfiguration() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try dividedModel())
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(
                type: .sqlite, configuration: "Nowhere", at: folder.url.appendingPathComponent("a"))
        }
        #expect(error?.localizedDescription.contains("Nowhere") == true)
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("Saving an entity that no store takes is an error that names the entity")
    func noStore() throws {
        let folder = try TemporaryFolder()
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try dividedModel())
        try coordinator.addPersistentStore(
            type: .sqlite, configuration: "Cloud", at: folder.url.appendingPathComponent("a"))
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        context.make("Draft")
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.localizedDescription.contains("Draft") == true)
        #expect(context.hasChanges)
    }

    @Test("New objects go past a read-only store to the next one that takes them")
    func readOnlyFirst() throws {
        let folder = try TemporaryFolder()
        let urls = ["first", "second"].map { folder.url.appendingPathComponent($0) }
        let model = try dividedModel()
        let maker = NSPersistentStoreCoordinator(managedObjectModel: model)
        try maker.remove(try maker.addPersistentStore(type: .sqlite, at: urls[0]))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(type: .sqlite, at: urls[0], options: [NSReadOnlyPersistentStoreOption: true])
        try coordinator.addPersistentStore(type: .sqlite, at: urls[1])
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        let note = context.make("Note")
        try context.save()
        #expect(note.objectID.persistentStore?.url == urls[1])
    }

    @Test("Metadata that was set is read at once and written with the next save; type and UUID are always there")
    func metadata() throws {
        let tree = try ContextTree()
        let coordinator = try #require(tree.root.persistentStoreCoordinator)
        let store = coordinator.persistentStores[0]
        let uuid = store.identifier
        coordinator.setMetadata(["owner": "me"], for: store)
        #expect(coordinator.metadata(for: store)["owner"] as? String == "me")
        func stored() throws -> [String: Any] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: tree.stack.storeURL)
        }
        #expect(try stored()["owner"] == nil)
        tree.root.makeBook("One")
        try tree.root.save()
        #expect(try stored()["owner"] as? String == "me")
        #expect(try stored()[NSStoreUUIDKey] as? String == uuid)
        #expect(try stored()[NSStoreTypeKey] as? String == NSSQLiteStoreType)
    }

    @Test("Adding a store twice is an error, and leaves the first as it is")
    func twice() throws {
        let tree = try ContextTree()
        let coordinator = try #require(tree.root.persistentStoreCoordinator)
        let url = tree.stack.storeURL
        let (folder, name) = (url.deletingLastPathComponent(), url.lastPathComponent)
        let link = folder.appendingPathComponent("link.sqlite")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: url)
        for place in [url, link, folder.appendingPathComponent("../\(folder.lastPathComponent)/\(name)")] {
            #expect(throws: NSError.self, "\(place)") { try coordinator.addPersistentStore(type: .sqlite, at: place) }
            #expect(coordinator.persistentStore(for: place) === coordinator.persistentStores.first, "\(place)")
        }
        #expect(coordinator.persistentStores.count == 1)
        tree.root.makeBook("One")
        try tree.root.save()
    }

    @Test("Removing a store that isn't the coordinator's is an error")
    func foreignStore() throws {
        let (tree, other) = (try ContextTree(), try ContextTree())
        let store = try #require(other.root.persistentStoreCoordinator?.persistentStores.first)
        #expect(throws: NSError.self) { try tree.root.persistentStoreCoordinator?.remove(store) }
    }

    @Test("A container whose store can't be opened says why in its handler, with the file")
    func failingStore() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("broken.sqlite")
        try Data("this is no database, and long enough to be looked at".utf8).write(to: url)
        let container = NSPersistentContainer(name: "Divided", managedObjectModel: try dividedModel())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        let errors = load(container)
        #expect(errors.count == 1)
        let error = try #require(errors[0] as NSError?)
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.localizedDescription.contains("broken.sqlite"))
    }

    @Test("performBackgroundTask's context is private, of the coordinator, and gone afterwards unless it is kept")
    nonisolated func backgroundTask() async throws {
        let stack = try TemporaryStack()
        let container = stack.container
        nonisolated(unsafe) weak var used: NSManagedObjectContext?
        try await container.performBackgroundTask { context in
            used = context
            #expect(context.concurrencyType == .privateQueueConcurrencyType)
            #expect(context.persistentStoreCoordinator === container.persistentStoreCoordinator)
            context.makeBook("One")
            try context.save()
        }
        for _ in 0..<100 where used != nil { try await Task.sleep(nanoseconds: 1_000_000) }
        #expect(used == nil)
    }

    @Test("A coordinator's execute of a save writes the objects, and a conflict is an error like a context's")
    func executeSave() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("base")
        try tree.root.save()
        let other = try tree.stored()
        try #require(try other.all("Book").first).setValue("theirs", forKey: "title")
        try other.save()
        book.setValue("mine", forKey: "title")
        let request = NSSaveChangesRequest(inserted: nil, updated: [book], deleted: nil, locked: nil)
        let error = #expect(throws: NSError.self) {
            try tree.root.persistentStoreCoordinator?.execute(request, with: tree.root)
        }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSManagedObjectMergeError)
    }
}
