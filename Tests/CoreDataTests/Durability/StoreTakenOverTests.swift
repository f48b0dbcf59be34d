import CoreData
import Foundation
import Testing

/// What one coordinator does to a SQLite file may surprise another one that has it open, in this process or in another.
@Suite("A store that another coordinator changes as a whole")
struct StoreTakenOverTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let other: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Library.sqlite")
        other = folder.url.appendingPathComponent("Other.sqlite")
    }

    private func open(_ url: URL, tracksHistory: Bool = false) throws -> AtomicStack {
        try AtomicStack(
            url, type: NSSQLiteStoreType,
            options: [NSPersistentHistoryTrackingKey: NSNumber(value: tracksHistory)])
    }

    private func makeStore(_ url: URL, authors: [String], tracksHistory: Bool) throws {
        let stack = try open(url, tracksHistory: tracksHistory)
        for name in authors { stack.context.make("Author", ["name": name]) }
        try stack.context.save()
        try stack.close()
    }

    private func authors() throws -> [[String?]] {
        try PlainSQLite.rows("SELECT ZNAME, Z_OPT FROM ZAUTHOR ORDER BY ZNAME", in: url)
    }

    @Test(
        "isn't written to under another store's identity, by no kind of save", arguments: [true, false], [true, false])
    func identity(tracksHistory: Bool, isReplaced: Bool) throws {
        let stack = try open(url, tracksHistory: tracksHistory)
        let changed = stack.context.make("Author", ["name": "Old"])
        let deleted = stack.context.make("Author", ["name": "Older"])
        try stack.context.save()

        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Library.model())
        let names = ["New 1", "New 2", "New 3"]
        if isReplaced {
            try makeStore(other, authors: names, tracksHistory: tracksHistory)
            try coordinator.replacePersistentStore(
                at: url, withPersistentStoreFrom: other, ofType: NSSQLiteStoreType)
        } else {
            try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType)
            try makeStore(url, authors: names, tracksHistory: tracksHistory)
        }
        let identifier = try PlainSQLite.rows("SELECT Z_UUID FROM Z_METADATA", in: url)

        let update = NSBatchUpdateRequest(entityName: "Author")
        update.propertiesToUpdate = ["name": "by a batch"]
        let work: [(String, () throws -> Void)] = [
            ("change", { changed.setValue("Mine", forKey: "name") }),
            ("deletion", { stack.context.delete(deleted) }),
            ("insertion", { stack.context.make("Author", ["name": "Mine"]) }),
            (
                "metadata",
                {
                    stack.coordinator.setMetadata(
                        stack.coordinator.metadata(for: stack.store).merging(["mine": 1]) { $1 }, for: stack.store)
                    stack.context.make("Author", ["name": "Mine"])
                }
            ),
            ("batch update", { try stack.context.execute(update) }),
            ("batch deletion", { try stack.context.execute(NSBatchDeleteRequest(objectIDs: [deleted.objectID])) }),
            (
                "batch insertion",
                { try stack.context.execute(NSBatchInsertRequest(entityName: "Author", objects: [["name": "Mine"]])) }
            ),
        ]
        for (kind, change) in work {
            let error = #expect(throws: NSError.self, "\(kind)") {
                try change()
                try stack.context.save()
            }
            #expect(error?.code == NSPersistentStoreOperationError, "\(kind): \(error!)")
            #expect(error?.localizedDescription.contains("replaced") == true, "\(kind): \(error!)")
            stack.context.rollback()
        }
        #expect(try authors() == names.map { [$0, "1"] })
        #expect(try PlainSQLite.rows("SELECT Z_UUID FROM Z_METADATA", in: url) == identifier)

        // Opened again, it is the new store.
        try stack.coordinator.remove(stack.store)
        let again = try open(url, tracksHistory: tracksHistory)
        again.context.make("Author", ["name": "New 4"])
        try again.context.save()
        #expect(try authors().count == 4)
    }

    @Test("keeps the metadata of both, where each has changed entries of its own")
    func metadata() throws {
        let (first, second) = (try open(url), try open(url))
        func change(_ stack: AtomicStack, _ key: String, to value: String?) throws {
            var metadata = stack.coordinator.metadata(for: stack.store)
            metadata[key] = value
            stack.coordinator.setMetadata(metadata, for: stack.store)
            try stack.context.save()
        }
        func saved() throws -> [String: String] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
                .filter { ["one", "two"].contains($0.key) }.compactMapValues { $0 as? String }
        }
        try change(first, "one", to: "1")
        try change(second, "two", to: "2")
        #expect(try saved() == ["one": "1", "two": "2"])
        try change(first, "one", to: "3")
        #expect(try saved() == ["one": "3", "two": "2"])
        try change(first, "one", to: nil)
        #expect(try saved() == ["two": "2"])
        try change(second, "two", to: "4")
        #expect(try saved() == ["two": "4"])
    }

    @Test("stays one that its new model opens, where it was migrated meanwhile")
    func migrated() throws {
        func model(isNext: Bool) -> NSManagedObjectModel {
            let note = NSEntityDescription()
            note.name = "Note"
            let names = isNext ? ["added", "text"] : ["text"]
            note.properties = names.map { MigrationLibrary.attribute($0, .stringAttributeType) }
            let model = NSManagedObjectModel()
            model.entities = [note]
            return model
        }
        let old = try StoreStack(url, model: model(isNext: false))
        old.context.make("Note", ["text": "first"])
        try old.context.save()
        try StoreStack(url, model: model(isNext: true)).close()

        let coordinator = old.container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        coordinator.setMetadata(coordinator.metadata(for: store).merging(["mine": "yes"]) { $1 }, for: store)
        old.context.make("Note", ["text": "second"])
        try old.context.save()
        try old.close()

        let next = model(isNext: true)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(next.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        #expect(metadata["mine"] as? String == "yes")
        let stack = try StoreStack(url, model: next)
        #expect(
            try stack.context.all("Note", sort: "text").map { $0.value(forKey: "text") as? String } == [
                "first", "second",
            ])
        try stack.close()
    }
}
