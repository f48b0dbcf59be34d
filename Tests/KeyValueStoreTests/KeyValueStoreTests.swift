import CoreData
import Foundation
import KeyValueStore
import Testing

@MainActor @Suite("KeyValueStore: an incremental store over a directory of JSON files")
final class KeyValueStoreTests {
    private let directory: URL

    init() {
        NSPersistentStoreCoordinator.registerStoreClass(
            KeyValueStore.self, type: NSPersistentStore.StoreType(rawValue: KeyValueStore.storeType))
        directory = FileManager.default.temporaryDirectory.appendingPathComponent("coredata-\(UUID().uuidString)")
    }

    deinit { try? FileManager.default.removeItem(at: directory) }

    private func open() throws -> NSManagedObjectContext {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let model = try ModelFile.read(root.appendingPathComponent("Examples/Library/Library.xcdatamodeld"))
        for entity in model.entities { entity.uniquenessConstraints = [] }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        try coordinator.addPersistentStore(ofType: KeyValueStore.storeType, configurationName: nil, at: directory)
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    private func make(_ entity: String, _ values: [String: Any], in context: NSManagedObjectContext) -> NSManagedObject
    {
        let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        for (key, value) in values { object.setValue(value, forKey: key) }
        return object
    }

    private func books(_ format: String? = nil, in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.predicate = format.map { NSPredicate(format: $0) }
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        return try context.fetch(request)
    }

    /// Two books by one author, one of them for listening.
    private func makeLibrary() throws {
        let context = try open()
        let author = make("Author", ["name": "Ursula", "portrait": Data([1, 2, 3])], in: context)
        let genre = make("Genre", ["name": "SF", "shelf": 7], in: context)
        _ = make(
            "Book",
            [
                "title": "Tehanu", "identifier": UUID(), "pages": 226, "price": Decimal(string: "12.50")!,
                "published": Date(timeIntervalSinceReferenceDate: 0.1), "author": author, "genres": Set([genre]),
            ], in: context)
        _ = make(
            "AudioBook",
            ["title": "Rocannon", "identifier": UUID(), "duration": 3.25, "author": author, "inPrint": false],
            in: context)
        try context.save()
    }

    @Test("What was saved is there for the next program, to the last digit")
    func roundTrip() throws {
        try makeLibrary()
        let context = try open()
        let found = try books(in: context)
        #expect(found.map { $0.value(forKey: "title") as? String } == ["Rocannon", "Tehanu"])
        #expect(found.map { $0.entity.name } == ["AudioBook", "Book"])
        #expect(found[0].value(forKey: "duration") as? Double == 3.25)
        #expect(found[0].value(forKey: "inPrint") as? Bool == false)
        #expect((found[1].value(forKey: "price") as? NSDecimalNumber)?.decimalValue == Decimal(string: "12.5"))
        #expect(found[1].value(forKey: "published") as? Date == Date(timeIntervalSinceReferenceDate: 0.1))
        let author = try #require(found[1].value(forKey: "author") as? NSManagedObject)
        #expect(author.value(forKey: "portrait") as? Data == Data([1, 2, 3]))
        #expect(author.value(forKey: "books") as? Set<NSManagedObject> == Set(found))
        #expect((found[1].value(forKey: "genres") as? Set<NSManagedObject>)?.first?.value(forKey: "shelf") as? Int == 7)
    }

    @Test("An object is one file in its entity's folder")
    func files() throws {
        try makeLibrary()
        let folders = try FileManager.default.contentsOfDirectory(atPath: directory.path).sorted()
        #expect(folders == ["AudioBook", "Author", "Book", "Genre", "metadata.plist"])
        let context = try open()
        for book in try books(in: context) { context.delete(book) }
        try context.save()
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: directory.appendingPathComponent("Book").path).isEmpty)
        #expect(try books(in: open()).isEmpty)
    }

    @Test("Predicates reach over relationships")
    func predicates() throws {
        try makeLibrary()
        let context = try open()
        #expect(try books("author.name == 'Ursula' AND pages > 200", in: context).count == 1)
        #expect(try books("ANY genres.name == 'SF'", in: context).count == 1)
        #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "AudioBook")) == 1)
    }

    @Test("Two programs that change the same object: a merge conflict")
    func conflicts() throws {
        try makeLibrary()
        let (mine, theirs) = (try open(), try open())
        try books(in: mine)[1].setValue("Mine", forKey: "title")
        try books(in: theirs)[1].setValue("Theirs", forKey: "title")
        try books(in: theirs)[1].setValue(9, forKey: "copies")
        try theirs.save()
        let error = #expect(throws: NSError.self) { try mine.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        mine.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try mine.save()
        let reader = try open()
        #expect(try books("title == 'Mine'", in: reader).first?.value(forKey: "copies") as? Int == 9)
        withExtendedLifetime(reader) {}
    }

    @Test("A reserved file of zero length becomes the store; any other file is refused")
    func reservation() throws {
        try Data().write(to: directory)
        try makeLibrary()
        #expect(try books(in: open()).count == 2)
        try FileManager.default.removeItem(at: directory)
        try Data("text".utf8).write(to: directory)
        #expect(throws: (any Error).self) { try self.open() }
    }

    @Test("Metadata without a stack")
    func metadata() throws {
        try makeLibrary()
        let type = KeyValueStore.storeType
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: directory)
        metadata["Owner"] = "me"
        try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: type, at: directory)
        let coordinator = try #require(open().persistentStoreCoordinator)
        #expect(coordinator.metadata(for: coordinator.persistentStores[0])["Owner"] as? String == "me")
    }

    @Test("Damaged files are errors that name them")
    func damage() throws {
        try makeLibrary()
        let folder = directory.appendingPathComponent("Book")
        let name = try #require(FileManager.default.contentsOfDirectory(atPath: folder.path).first)
        let file = folder.appendingPathComponent(name)
        let texts = [
            "", "[]", "{}", #"{"version": 0, "values": {}}"#, #"{"version": 1, "values": {"title": 5}}"#,
            #"{"version": 1, "values": {"author": "Cat/1"}}"#, #"{"version": 1, "values": {"genres": ["Genre"]}}"#,
            #"{"version": 1, "values": {"price": true}}"#,
        ]
        for text in texts {
            try Data(text.utf8).write(to: file)
            #expect(throws: (any Error).self) { try books(in: open()) }
        }
    }
}
