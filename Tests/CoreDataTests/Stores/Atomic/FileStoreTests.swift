import CoreData
import Foundation
import Testing

@Suite("XML and binary stores are files")
struct FileStoreTests {
    private static let types = [NSXMLStoreType, NSBinaryStoreType]
    private let folder: TemporaryFolder
    private let url: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
    }

    private var size: Int? {
        (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber)?.intValue
    }

    private func makeStore(_ type: String) throws {
        let stack = try AtomicStack(url, type: type)
        stack.context.makeBook("Tehanu", ["author": stack.context.make("Author", ["name": "Ursula"])])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
    }

    @Test("A new store reserves its place, and gives it back when it leaves unsaved", arguments: types)
    func reservation(type: String) throws {
        let stack = try AtomicStack(url, type: type)
        #expect(size == 0)
        try stack.coordinator.remove(stack.store)
        #expect(size == nil)

        try Data().write(to: url)
        do { _ = try AtomicStack(url, type: type) }
        #expect(size == nil, "a reservation of the client's goes too, with the coordinator")

        try makeStore(type)
        #expect(try #require(size) > 0)
        let again = try AtomicStack(url, type: type)
        try again.coordinator.remove(again.store)
        #expect(try #require(size) > 0)
    }

    @Test("Without a URL nothing is written", arguments: types)
    func noURL(type: String) throws {
        let stack = try AtomicStack(nil, type: type)
        stack.context.makeBook("Tehanu")
        try stack.context.save()
        #expect(try stack.context.all("Book").count == 1)
        let null = try FileManager.default.attributesOfItem(atPath: "/dev/null")[.type] as? FileAttributeType
        #expect(null == .typeCharacterSpecial)
    }

    @Test("A model whose names differ in case only is refused before an XML store is written that can't be read")
    func namesThatDifferInCase() throws {
        let entity = NSEntityDescription()
        entity.name = "Place"
        entity.properties = ["name", "Name"].map { name in
            let attribute = NSAttributeDescription()
            attribute.name = name
            attribute.attributeType = .stringAttributeType
            return attribute
        }
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let error = #expect(throws: NSError.self) {
            try coordinator.addPersistentStore(
                ofType: NSXMLStoreType, configurationName: nil, at: url, options: nil)
        }
        #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(error?.localizedDescription.contains("Place.") == true)
        #expect(size == nil)
        try coordinator.addPersistentStore(ofType: NSBinaryStoreType, configurationName: nil, at: url, options: nil)
    }

    @Test("A read-only store is read, not written, and isn't made", arguments: types)
    func readOnly(type: String) throws {
        let options = [NSReadOnlyPersistentStoreOption: true]
        #expect(throws: (any Error).self) { try AtomicStack(url, type: type, options: options) }
        #expect(size == nil)
        try makeStore(type)
        let before = try Data(contentsOf: url)
        let stack = try AtomicStack(url, type: type, options: options)
        #expect(stack.store.isReadOnly)
        let book = try #require(stack.context.all("Book").first)
        book.setValue("Changed", forKey: "title")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        #expect(error?.localizedDescription.contains("read-only") == true)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test("Metadata is read and written without opening the store, and nothing else changes", arguments: types)
    func metadata(type: String) throws {
        try makeStore(type)
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        #expect(metadata[NSStoreTypeKey] as? String == type)
        let hashes = try Library.model(for: type).entityVersionHashesByName
        #expect(metadata[NSStoreModelVersionHashesKey] as? [String: Data] == hashes)
        let additions: [String: Any] = [
            "Text": "<a & b>", "Number": 5, "Flag": true, "Real": 1.5, "Data": Data((0..<100).map { UInt8($0) }),
            "Date": Date(timeIntervalSinceReferenceDate: 1000), "List": ["x", "y"], "Empty": [String](),
            "Dictionary": ["key": ["inner": 1]],
        ]
        metadata.merge(additions) { $1 }
        try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: type, at: url)
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        #expect(read as NSDictionary == metadata as NSDictionary)
        let stack = try AtomicStack(url, type: type)
        #expect(stack.store.identifier == metadata[NSStoreUUIDKey] as? String)
        #expect(try stack.context.all("Book", "author.name == 'Ursula'").map { $0.text("title") } == ["Tehanu"])
        stack.coordinator.setMetadata(["Text": "new"], for: stack.store)
        stack.context.makeBook("Rocannon")
        try stack.context.save()
        let saved = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)
        #expect(saved["Text"] as? String == "new")
        #expect(saved[NSStoreUUIDKey] as? String == stack.store.identifier)
    }

    @Test("Another model is refused with 134100, and what differs is named", arguments: types)
    func incompatibleModel(type: String) throws {
        try makeStore(type)
        let model = try Library.model(for: type)
        let extra = NSAttributeDescription()
        extra.name = "nickname"
        extra.attributeType = .stringAttributeType
        extra.isOptional = true
        model.entitiesByName["Author"]?.properties.append(extra)
        let error = #expect(throws: NSError.self) { try AtomicStack(url, type: type, model: model) }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(error?.localizedDescription.contains("Author") == true)
    }

    @Test("Uniqueness constraints and derived attributes are refused by name", arguments: types)
    func unsupportedModels(type: String) throws {
        let unique = #expect(throws: NSError.self) { try AtomicStack(url, type: type, model: Library.model()) }
        #expect(unique?.code == NSPersistentStoreIncompatibleSchemaError)
        #expect(unique?.localizedDescription.contains("uniqueness constraints") == true)
        let model = try Library.model(for: type)
        let derived = NSDerivedAttributeDescription()
        derived.name = "upperName"
        derived.attributeType = .stringAttributeType
        derived.isOptional = true
        derived.derivationExpression = NSExpression(format: "uppercase:(name)")
        model.entitiesByName["Author"]?.properties.append(derived)
        let error = #expect(throws: NSError.self) { try AtomicStack(url, type: type, model: model) }
        #expect(error?.localizedDescription.contains("Author.upperName") == true)
        #expect(size == nil)
    }

    @Test("Every text comes back from the file, whatever it is made of", arguments: types)
    func texts(type: String) throws {
        let texts = [
            "", " ", "\n", "a\tb\r\nc", "<a href=\"x\">'&amp;'</a>", "\\", "\\\\u3c00", "\\u3c00", "\u{0}\u{1}\u{7F}",
            "\u{FFFE}\u{FFFF}", "👩‍👩‍👧e\u{301}é", "]]>", String(repeating: "long ", count: 5000),
        ]
        let stack = try AtomicStack(url, type: type)
        for (index, text) in texts.enumerated() { stack.context.makeBook(text, ["pages": index + 1]) }
        try stack.context.save()
        let read = try AtomicStack.read(url, type: type) { context in
            try context.all("Book", sort: "pages").map { $0.text("title") ?? "" }
        }
        #expect(read.map { Array($0.unicodeScalars) } == texts.map { Array($0.unicodeScalars) })
    }

    @Test("Every number and date comes back from the file to the last bit", arguments: types)
    func numbers(type: String) throws {
        let doubles: [Double] = [
            0, -0.0, 1, 0.1, -1e300, .leastNonzeroMagnitude, 1 / 3, 9_007_199_254_740_992, .greatestFiniteMagnitude,
        ]
        let decimals = ["0", "-1.5", "123456789012345678901234567890.12345678", "0.00000000000000000001"]
        let stack = try AtomicStack(url, type: type)
        for (index, double) in doubles.enumerated() {
            let price = Decimal(string: decimals[index % decimals.count])!
            stack.context.make(
                "AudioBook",
                [
                    "title": "\(index)", "identifier": UUID(), "duration": double, "rating": Float(double),
                    "price": price,
                    "published": Date(timeIntervalSinceReferenceDate: double), "copies": Int16.min + Int16(index),
                ])
        }
        try stack.context.save()
        let other = try AtomicStack(url, type: type)
        let books = try other.context.all("AudioBook", sort: "copies")
        for (index, book) in books.enumerated() {
            let double = doubles[index]
            #expect((book.value(forKey: "duration") as? Double)?.bitPattern == double.bitPattern, "\(double)")
            #expect((book.value(forKey: "rating") as? Float)?.bitPattern == Float(double).bitPattern, "\(double)")
            #expect((book.value(forKey: "published") as? Date)?.timeIntervalSinceReferenceDate == double, "\(double)")
            #expect(book.value(forKey: "price") as? Decimal == Decimal(string: decimals[index % decimals.count]))
        }
        #expect(books.count == doubles.count)
    }

    @Test("Ordered relationships keep their order", arguments: types)
    func order(type: String) throws {
        let stack = try AtomicStack(url, type: type)
        let context = stack.context
        let member = context.make("Member", ["name": "M", "card": 1])
        let book = context.makeBook("Tehanu")
        let loans = (0..<5).map { index in
            let day = Date(timeIntervalSinceReferenceDate: Double(index))
            return context.make("Loan", ["lent": day, "due": day, "book": book, "member": member])
        }
        let order = [3, 0, 4, 1, 2]
        member.setValue(NSOrderedSet(array: order.map { loans[$0] }), forKey: "loans")
        try context.save()
        let other = try AtomicStack(url, type: type)
        let read = try #require(other.context.all("Member").first)
        let lent = (read.value(forKey: "loans") as? NSOrderedSet)?.array.compactMap {
            (($0 as? NSManagedObject)?.value(forKey: "lent") as? Date)?.timeIntervalSinceReferenceDate
        }
        #expect(lent == order.map(Double.init))
    }

    @Test(
        "Nodes, which refer to each other, go with the store, and with the objects that are deleted", arguments: types)
    func memory(type: String) throws {
        try makeStore(type)
        weak var authorNode: NSAtomicStoreCacheNode?
        weak var bookNode: NSAtomicStoreCacheNode?
        do {
            let stack = try AtomicStack(url, type: type)
            let store = try #require(stack.store as? NSAtomicStore)
            let (author, book) = (try stack.context.all("Author")[0], try stack.context.all("Book")[0])
            authorNode = store.cacheNode(for: author.objectID)
            bookNode = store.cacheNode(for: book.objectID)
            #expect(authorNode != nil && bookNode != nil)
            stack.context.delete(book)
            try stack.context.save()
            #expect(bookNode == nil)
            try withExtendedLifetime(stack) { try stack.coordinator.remove(stack.store) }
        }
        #expect(authorNode == nil)
    }

    @Test("A save that can't write its file leaves everything as it was, and can be tried again", arguments: types)
    func failedSave(type: String) throws {
        try makeStore(type)
        let before = try Data(contentsOf: url)
        let stack = try AtomicStack(url, type: type)
        let context = stack.context
        try #require(context.all("Book").first).setValue("Changed", forKey: "title")
        let author = context.make("Author", ["name": "New"])
        let moved = folder.url.appendingPathExtension("moved")
        try FileManager.default.moveItem(at: folder.url, to: moved)
        let error = #expect(throws: NSError.self) { try context.save() }
        #expect(error?.code == NSPersistentStoreSaveError)
        #expect(error?.localizedDescription.contains(url.path) == true)
        #expect(context.hasChanges && author.objectID.isTemporaryID)
        #expect((stack.store as? NSAtomicStore)?.cacheNodes().count == 2)
        try FileManager.default.moveItem(at: moved, to: folder.url)
        #expect(try Data(contentsOf: url) == before)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["store"])
        try context.save()
        let titles = try AtomicStack.read(url, type: type) { try $0.all("Book").map { $0.text("title") } }
        #expect(titles == ["Changed"])
    }
}
