import CoreData
import Foundation
import Testing

@Suite("A custom atomic store is called as Apple's \"Atomic Store Life-cycle\" says")
struct AtomicStoreLifeCycleTests {
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
        NSPersistentStoreCoordinator.registerStoreClass(
            RecordingStore.self, type: NSPersistentStore.StoreType(rawValue: RecordingStore.storeType))
    }

    /// The store keeps one text of an object and nothing else.
    private func model() throws -> NSManagedObjectModel {
        let model = try Library.model(for: RecordingStore.storeType)
        for property in model.entities.flatMap(\.properties) { property.isOptional = true }
        return model
    }

    private func open() throws -> AtomicStack {
        try AtomicStack(url, type: RecordingStore.storeType, model: model())
    }
    private func titles() throws -> [String?] {
        let stack = try open()
        return try withExtendedLifetime(stack) { try stack.context.all("Book").map { $0.text("title") } }
    }
    private func takeLog() -> [String] { RecordingStore.takeLog(of: url) }

    /// A store on disk with an author and two books, and the log of the save.
    private func makeStore() throws {
        let stack = try open()
        let author = stack.context.make("Author", ["name": "Ursula"])
        stack.context.makeBook("Tehanu", ["author": author])
        stack.context.makeBook("Rocannon", ["author": author])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        _ = takeLog()
    }

    @Test("A new store: made, asked for its metadata, told that it was added, loaded")
    func newStore() throws {
        let stack = try open()
        #expect(takeLog() == ["init", "metadata", "didAdd", "load"])
        #expect(stack.store.metadata[NSStoreModelVersionHashesKey] as? [String: Data] != nil)
    }

    @Test("An existing store: the same, and its objects are there")
    func existingStore() throws {
        try makeStore()
        let stack = try open()
        #expect(takeLog() == ["init", "metadata", "didAdd", "load"])
        let author = try #require(stack.context.all("Author").first)
        #expect(author.titles("books") == ["Tehanu", "Rocannon"])
        #expect(try stack.context.all("Book", "author.name == 'Ursula' AND title BEGINSWITH 'T'").count == 1)
    }

    @Test("A file of zero length: the same as a new store")
    func zeroLengthFile() throws {
        try Data().write(to: url)
        let stack = try open()
        #expect(takeLog() == ["init", "metadata", "didAdd", "load"])
        stack.context.make("Author", ["name": "Ursula"])
        try stack.context.save()
        #expect(try open().context.all("Author").count == 1)
    }

    @Test("A failed load: the store hears that it goes, without a coordinator, and isn't added")
    func failedLoad() throws {
        try RecordingStore.damaged.write(to: url)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model())
        #expect(throws: RecordingStore.Failure.self) {
            try coordinator.addPersistentStore(ofType: RecordingStore.storeType, configurationName: nil, at: url)
        }
        #expect(takeLog() == ["init", "metadata", "didAdd", "load", "willRemove(from: nil)"])
        #expect(coordinator.persistentStores.isEmpty)
    }

    @Test("A store of another model: not loaded, and it hears that it goes, without a coordinator")
    func otherModel() throws {
        try makeStore()
        let other = try model()
        other.entitiesByName["Genre"]?.properties.removeAll { $0.name == "shelf" }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: other)
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(ofType: RecordingStore.storeType, configurationName: nil, at: url)
        }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(takeLog() == ["init", "metadata", "willRemove(from: nil)"])
    }

    @Test("A save: references and nodes of new objects, then changed ones, then removed ones, then the file")
    func save() throws {
        try makeStore()
        let stack = try open()
        _ = takeLog()
        let context = stack.context
        let books = try context.all("Book", sort: "title")
        books[0].setValue("Rocannon's World", forKey: "title")
        context.make("Genre", ["name": "SF"])
        context.make("Genre", ["name": "Fantasy"])
        try context.save()
        #expect(
            takeLog() == [
                "newReferenceObject", "newReferenceObject", "newCacheNode", "newCacheNode", "updateCacheNode", "save",
            ])
        // The author loses a book, so it is among the changed ones.
        context.delete(books[0])
        try context.save()
        #expect(takeLog() == ["updateCacheNode", "willRemoveCacheNodes", "save"])
        let atomic = try #require(stack.store as? NSAtomicStore)
        #expect(atomic.cacheNodes().count == 4)
        #expect(try titles() == ["Tehanu"])
    }

    @Test("A node of a new object leads to the nodes of the other new objects")
    func newRelationships() throws {
        let stack = try open()
        let author = stack.context.make("Author", ["name": "Ursula"])
        let book = stack.context.makeBook("Tehanu", ["author": author])
        try stack.context.save()
        let store = try #require(stack.store as? NSAtomicStore)
        let node = try #require(store.cacheNode(for: book.objectID))
        #expect(node.value(forKey: "author") as? NSAtomicStoreCacheNode === store.cacheNode(for: author.objectID))
        #expect(store.referenceObject(for: author.objectID) as? NSNumber == 1)
        #expect(store.objectID(for: author.entity, withReferenceObject: 1) == author.objectID)
    }

    @Test("A failed save leaves context, nodes and file as they were, and can be tried again")
    func failedSave() throws {
        try makeStore()
        let stack = try open()
        _ = takeLog()
        let (context, before) = (stack.context, try Data(contentsOf: url))
        let store = try #require(stack.store as? NSAtomicStore)
        let books = try context.all("Book", sort: "title")
        books[0].setValue("Changed", forKey: "title")
        context.delete(books[1])
        let genre = context.make("Genre", ["name": "SF"])
        RecordingStore.failing.withLock { _ = $0.insert(url) }
        #expect(throws: RecordingStore.Failure.self) { try context.save() }
        // The author loses a book, so it is among the changed ones.
        #expect(
            takeLog() == [
                "newReferenceObject", "newCacheNode", "updateCacheNode", "updateCacheNode", "willRemoveCacheNodes",
                "save",
            ])
        #expect(context.insertedObjects == [genre] && context.deletedObjects == [books[1]])
        #expect(genre.objectID.isTemporaryID)
        #expect(store.cacheNodes().count == 3)
        #expect(store.cacheNode(for: books[0].objectID)?.value(forKey: "title") as? String == "Rocannon")
        #expect(store.cacheNode(for: books[1].objectID)?.value(forKey: "author") is NSAtomicStoreCacheNode)
        #expect(try Data(contentsOf: url) == before)
        let second = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        second.persistentStoreCoordinator = stack.coordinator
        #expect(try second.all("Book", sort: "title").map { $0.text("title") } == ["Rocannon", "Tehanu"])

        RecordingStore.failing.withLock { _ = $0.remove(url) }
        try context.save()
        #expect(try titles() == ["Changed"])
        #expect(try open().context.all("Genre").count == 1)
    }

    @Test("Removal: the store hears it with its coordinator, once")
    func removal() throws {
        let stack = try open()
        _ = takeLog()
        try stack.coordinator.remove(stack.store)
        #expect(takeLog() == ["willRemove"])
        #expect(stack.coordinator.persistentStores.isEmpty)
    }

    @Test("The end of the coordinator: the store hears it without one")
    func deallocation() throws {
        do {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model())
            try coordinator.addPersistentStore(ofType: RecordingStore.storeType, configurationName: nil, at: url)
            _ = takeLog()
        }
        #expect(takeLog() == ["willRemove(from: nil)"])
    }

    @Test("Metadata that was set is in the file with the next save")
    func metadata() throws {
        let stack = try open()
        stack.coordinator.setMetadata(["Owner": "me"], for: stack.store)
        stack.context.make("Author", ["name": "Ursula"])
        try stack.context.save()
        let again = try open()
        #expect(again.coordinator.metadata(for: again.store)["Owner"] as? String == "me")
        #expect(again.store.identifier == stack.store.identifier)
    }

    @Test("Save As: a new store is opened and saved like any other, then the old one hears that it goes")
    func saveAs() throws {
        try makeStore()
        let stack = try open()
        _ = takeLog()
        let target = folder.url.appendingPathComponent("new")
        let new = try stack.coordinator.migratePersistentStore(
            stack.store, to: target, withType: RecordingStore.storeType)
        #expect(
            RecordingStore.takeLog(of: target) == ["init", "metadata", "didAdd", "load"]
                + Array(repeating: "newReferenceObject", count: 3) + Array(repeating: "newCacheNode", count: 3) + [
                    "save"
                ])
        #expect(takeLog() == ["willRemove"])
        try stack.coordinator.remove(new)
        #expect(RecordingStore.takeLog(of: target) == ["willRemove"])
    }

    @Test("A failed Save As: the new store hears that it goes, without a coordinator, and the old one hears nothing")
    func failedSaveAs() throws {
        try makeStore()
        let stack = try open()
        _ = takeLog()
        let target = folder.url.appendingPathComponent("new")
        RecordingStore.failing.withLock { _ = $0.insert(target) }
        #expect(throws: RecordingStore.Failure.self) {
            try stack.coordinator.migratePersistentStore(stack.store, to: target, withType: RecordingStore.storeType)
        }
        #expect(RecordingStore.takeLog(of: target).suffix(2) == ["save", "willRemove(from: nil)"])
        #expect(takeLog() == [])
        #expect(try stack.context.all("Book").count == 2)
    }

    @Test("The coordinator's class reads and writes metadata by the store's class alone")
    func metadataWithoutStack() throws {
        let type = NSPersistentStore.StoreType(rawValue: RecordingStore.storeType)
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(type: type, at: url)
        }
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.setMetadata([:], type: type, at: url)
        }
        #expect(takeLog() == [])
    }
}
