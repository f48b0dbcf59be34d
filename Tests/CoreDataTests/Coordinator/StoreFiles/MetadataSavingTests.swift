import CoreData
import Foundation
import Testing

@Suite("Metadata is saved with the rows, or not at all")
struct MetadataSavingTests {
    private let folder: TemporaryFolder
    private let url: URL
    private static let types = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("store")
    }

    private func saved(_ type: String, _ key: String) throws -> String? {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)[key] as? String
    }

    private func set(_ value: Any, in stack: AtomicStack) {
        var metadata = stack.coordinator.metadata(for: stack.store)
        metadata["mine"] = value
        stack.coordinator.setMetadata(metadata, for: stack.store)
    }

    @Test("A save that fails leaves the file's metadata as it was, and the next one writes them", arguments: types)
    func failedSave(type: String) throws {
        let stack = try AtomicStack(url, type: type)
        stack.context.make("Author", ["name": "A"])
        set("old", in: stack)
        try stack.context.save()
        #expect(try saved(type, "mine") == "old")

        // A value that no property list holds makes the write itself fail.
        stack.context.make("Author", ["name": "B"])
        set(NSObject(), in: stack)
        #expect(throws: NSError.self) { try stack.context.save() }
        #expect(stack.context.hasChanges)
        #expect(try saved(type, "mine") == "old")

        set("new", in: stack)
        try stack.context.save()
        #expect(try saved(type, "mine") == "new")
        try stack.close()
        #expect(try AtomicStack.read(url, type: type) { try $0.all("Author").count } == 2)
    }

    @Test("Values that a property list holds come back as they were, others are refused", arguments: types)
    func values(type: String) throws {
        let values: [String: Any] = [
            "largest": UInt64.max, "large": UInt64(1) << 63, "smallest": Int64.min, "byte": UInt8(200), "real": 0.1,
            "reference": ["CF$UID": 3], "nested": [["data": Data(), "yes": true] as [String: Any]],
        ]
        let stack = try AtomicStack(url, type: type)
        set(values, in: stack)
        try stack.context.save()
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)["mine"]
        #expect(read as? NSDictionary == values as NSDictionary)

        // The archive of a binary store has classes of Foundation's that a property list hasn't.
        let identifier = UUID()
        set(identifier, in: stack)
        if type == NSBinaryStoreType {
            try stack.context.save()
            let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)["mine"]
            #expect(read as? UUID == identifier)
        } else {
            #expect(throws: NSError.self) { try stack.context.save() }
        }
    }

    @Test("What wouldn't come back is refused, and the store can be opened", arguments: types)
    func refusedValues(type: String) throws {
        let year = 31_557_600.0
        let dates = [-70e9, -year * 2001, .nan, .infinity, 1e300, 1e15].map(Date.init(timeIntervalSinceReferenceDate:))
        var deep: Any = "end"
        for _ in 0..<200 { deep = [deep] }
        let stack = try AtomicStack(url, type: type)
        stack.context.make("Author", ["name": "A"])
        for value in dates as [Any] + [deep, [1: 2], ["a": [[7: "x"]]]] {
            set(value, in: stack)
            // One that is saved has to be read back as it was; an error is the other right answer.
            guard (try? stack.context.save()) != nil else { continue }
            let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)["mine"]
            let (seconds, wanted) = (read as? Date, value as? Date)
            let isSame = seconds?.timeIntervalSinceReferenceDate == wanted?.timeIntervalSinceReferenceDate
            #expect(wanted != nil && (isSame || wanted?.timeIntervalSinceReferenceDate.isNaN == true))
        }
        for value in [-3, -128, 0, 1, 127] as [Int8] {
            set([NSNumber(value: value), NSNumber(value: value != 0)], in: stack)
            try stack.context.save()
            let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url)["mine"]
            #expect((read as? [NSNumber])?.map(\.intValue) == [Int(value), value == 0 ? 0 : 1])
        }
        try stack.close()
        #expect(try AtomicStack.read(url, type: type) { try $0.all("Author").count } == 1)
    }

    @Test("A conflict keeps metadata and reserved keys out of a SQLite file")
    func conflict() throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType)
        let author = stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        let before = try PlainSQLite.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", in: url)
        let other = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        other.persistentStoreCoordinator = stack.coordinator
        let same = try other.existingObject(with: author.objectID)
        same.setValue("B", forKey: "name")
        try other.save()

        author.setValue("C", forKey: "name")
        let new = stack.context.make("Author", ["name": "D"])
        set("lost", in: stack)
        #expect(thrownCode { try stack.context.save() } == NSManagedObjectMergeError)
        #expect(try saved(NSSQLiteStoreType, "mine") == nil)
        #expect(try PlainSQLite.rows("SELECT Z_NAME, Z_MAX FROM Z_PRIMARYKEY ORDER BY 1", in: url) == before)
        #expect(new.objectID.isTemporaryID)

        stack.context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stack.context.save()
        #expect(try saved(NSSQLiteStoreType, "mine") == "lost")
        #expect(!new.objectID.isTemporaryID)
        #expect(
            try PlainSQLite.rows("SELECT ZNAME FROM ZAUTHOR ORDER BY Z_PK", in: url) == [["C"], ["D"]])
    }

    @Test("Metadata that can't be written fails the save before anybody is told that it is done", arguments: types)
    func didSave(type: String) throws {
        let stack = try AtomicStack(url, type: type)
        stack.context.make("Author", ["name": "A"])
        try stack.context.save()
        let posts = Counter()
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: stack.context, queue: nil
        ) { _ in posts.count += 1 }
        defer { NotificationCenter.default.removeObserver(token) }
        stack.context.make("Author", ["name": "B"])
        set(NSObject(), in: stack)
        #expect(throws: NSError.self) { try stack.context.save() }
        #expect(posts.count == 0)
        // It isn't forgotten either: the same again, also where nothing else is to be saved.
        stack.context.rollback()
        #expect(throws: NSError.self) { try stack.context.save() }
    }

    @Test("Threads that read the metadata while others set it get one or the other")
    func threads() throws {
        let stack = try AtomicStack(url, type: NSSQLiteStoreType)
        let (coordinator, store) = (stack.coordinator, UncheckedBox(stack.store))
        DispatchQueue.concurrentPerform(iterations: 4) { thread in
            for number in 0..<500 {
                if thread == 0 {
                    var metadata = coordinator.metadata(for: store.value)
                    metadata["mine"] = "\(number)"
                    coordinator.setMetadata(metadata, for: store.value)
                } else {
                    _ = coordinator.metadata(for: store.value)["mine"] as? String
                }
            }
        }
        #expect(coordinator.metadata(for: stack.store)["mine"] as? String == "499")
    }

    private final class Counter: @unchecked Sendable {
        var count = 0
    }

    private struct UncheckedBox: @unchecked Sendable {
        let value: NSPersistentStore
        init(_ value: NSPersistentStore) { self.value = value }
    }

    @Test(
        "Values that are empty are read as what they were",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType])
    func emptyValues(type: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("store")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HostileStore.model())
        let store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
        var metadata = coordinator.metadata(for: store)
        let empty: [String: Any] = ["data": Data(), "text": "", "list": [Any](), "lines": "\n\t "]
        metadata.merge(empty) { $1 }
        metadata["nested"] = [["data": Data()]]
        coordinator.setMetadata(metadata, for: store)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try context.save() }
        try coordinator.remove(store)
        let read = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url, options: nil)
        #expect(read["data"] as? Data == Data())
        #expect(read["text"] as? String == "" && read["lines"] as? String == "\n\t ")
        #expect((read["list"] as? [Any])?.isEmpty == true)
        #expect((read["nested"] as? [[String: Data]]) == [["data": Data()]])
        try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url)
    }
}
