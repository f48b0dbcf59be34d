import CoreData
import Foundation
import GRDB
import Testing

@Suite("Stores can be destroyed, replaced and moved")
struct StoreFileTests {
    private let folder: TemporaryFolder
    private let coordinator: NSPersistentStoreCoordinator

    private static let fileTypes = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    init() throws {
        folder = try TemporaryFolder()
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Library.model())
    }

    private func place(_ name: String) -> URL { folder.url.appendingPathComponent(name) }

    private func exists(_ name: String) -> Bool { FileManager.default.fileExists(atPath: place(name).path) }

    private func make(_ name: String, type: String, titles: [String]) throws -> AtomicStack {
        let stack = try AtomicStack(place(name), type: type)
        try stack.context.performAndWait {
            for title in titles { stack.context.makeBook(title) }
            try stack.context.save()
        }
        return stack
    }

    private func titles(_ name: String, type: String) throws -> Set<String> {
        let stack = try AtomicStack(place(name), type: type)
        return try stack.context.performAndWait {
            Set(try stack.context.all("Book").compactMap { $0.text("title") })
        }
    }

    // MARK: Destroying

    @Test("A destroyed store is empty when it is opened again", arguments: fileTypes)
    func destroy(type: String) throws {
        let stack = try make("store", type: type, titles: ["Tehanu"])
        let identifier = stack.store.identifier
        try stack.coordinator.remove(stack.store)
        try coordinator.destroyPersistentStore(at: place("store"), ofType: type)
        if type != NSSQLiteStoreType { #expect(!exists("store")) }
        #expect(!exists("store-wal") && !exists("store-shm"))
        let again = try AtomicStack(place("store"), type: type)
        #expect(try again.context.performAndWait { try again.context.all("Book").count } == 0)
        #expect(again.store.identifier != identifier)
        try again.coordinator.remove(again.store)
        try coordinator.destroyPersistentStore(at: place("missing"), type: NSPersistentStore.StoreType(rawValue: type))
        #expect(exists("missing") == (type == NSSQLiteStoreType))
    }

    @Test(
        "The file of a destroyed SQLite store stays, empty, and is there where none was: programs remove it next",
        arguments: ["store", "damaged", "missing"])
    func destroyedFile(name: String) throws {
        try make("store", type: NSSQLiteStoreType, titles: ["Tehanu"]).close()
        try Data("SQLite format 3\0".utf8).write(to: place("damaged"))
        try coordinator.destroyPersistentStore(at: place(name), type: .sqlite)
        try FileManager.default.removeItem(at: place(name))
        let elsewhere = place("no folder").appendingPathComponent(name)
        let error = #expect(throws: NSError.self) {
            try coordinator.destroyPersistentStore(at: elsewhere, type: .sqlite)
        }
        #expect(error.map { "\($0)" }?.contains(elsewhere.path) == true)
    }

    /// Seen in the tests of TMLPersistentContainer.
    @Test("What destroying a SQLite store leaves has metadata that name no model, and the file stays as it is")
    func metadataOfDestroyedStore() throws {
        _ = try make("A", type: NSSQLiteStoreType, titles: ["one"])
        try coordinator.destroyPersistentStore(at: place("A"), ofType: NSSQLiteStoreType)
        try Data().write(to: place("B"))
        for name in ["A", "B"] {
            let before = try Data(contentsOf: place(name))
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: place(name))
            #expect(metadata[NSStoreTypeKey] as? String == NSSQLiteStoreType)
            #expect(metadata[NSStoreUUIDKey] is String)
            #expect(metadata[NSStoreModelVersionHashesKey] == nil)
            #expect(
                !coordinator.managedObjectModel.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            #expect(try Data(contentsOf: place(name)) == before)
            #expect(try titles(name, type: NSSQLiteStoreType) == [])
        }
    }

    @Test("A SQLite store that others have open is emptied under its lock")
    func destroyOpenStore() throws {
        let stack = try make("store", type: NSSQLiteStoreType, titles: ["Tehanu"])
        try coordinator.destroyPersistentStore(at: place("store"), type: .sqlite)
        #expect(throws: NSError.self) {
            try stack.context.performAndWait {
                stack.context.reset()
                return try stack.context.all("Book")
            }
        }
        try stack.coordinator.remove(stack.store)
        #expect(try titles("store", type: NSSQLiteStoreType).isEmpty)
    }

    @Test("A store that the coordinator has open is gone from it, and can be added again", arguments: fileTypes)
    func destroyOwnStore(type: String) throws {
        let stack = try make("store", type: type, titles: ["Tehanu"])
        try stack.coordinator.destroyPersistentStore(at: place("store"), ofType: type)
        #expect(stack.coordinator.persistentStores.isEmpty)
        try stack.coordinator.addPersistentStore(ofType: type, configurationName: nil, at: place("store"))
        try stack.context.performAndWait {
            stack.context.reset()
            #expect(try stack.context.all("Book").isEmpty)
            stack.context.makeBook("The Other Wind")
            try stack.context.save()
        }
        try stack.coordinator.remove(try #require(stack.coordinator.persistentStores.first))
        #expect(try titles("store", type: type) == ["The Other Wind"])
    }

    @Test("A SQLite store that stays locked is destroyed by force alone")
    func destroyLockedStore() throws {
        try make("store", type: NSSQLiteStoreType, titles: ["Tehanu"]).close()
        let other = try DatabaseQueue(path: place("store").path)
        try other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            let options = [NSPersistentStoreTimeoutOption: 0.05]
            let error = #expect(throws: NSError.self) {
                try coordinator.destroyPersistentStore(at: place("store"), type: .sqlite, options: options)
            }
            #expect(error?.code == NSPersistentStoreTimeoutError)
            #expect(exists("store"))
            try coordinator.destroyPersistentStore(
                at: place("store"), type: .sqlite,
                options: options.merging([NSPersistentStoreForceDestroyOption: 1]) { $1 })
            #expect(try Data(contentsOf: place("store")).isEmpty)
            try? database.execute(sql: "ROLLBACK")
        }
    }

    @Test("What is no database any more is removed all the same")
    func destroyDamagedStore() throws {
        for contents in [
            Data("no database".utf8), Data(), Data("SQLite format 3\0".utf8) + Data(repeating: 7, count: 5000),
        ] {
            try contents.write(to: place("store"))
            // A log tells by its first bytes that a store of SQLite's was here.
            try (Data([0x37, 0x7F, 0x06, 0x82]) + Data(repeating: 0, count: 40)).write(to: place("store-wal"))
            try coordinator.destroyPersistentStore(at: place("store"), type: .sqlite)
            #expect(!exists("store-wal"))
            #expect(try titles("store", type: NSSQLiteStoreType).isEmpty)
            try FileManager.default.removeItem(at: place("store"))
        }
    }

    @Test("Stores in memory have no files: what lies at their URL stays")
    func destroyMemory() throws {
        try Data("precious".utf8).write(to: place("store"))
        try coordinator.destroyPersistentStore(at: place("store"), type: .inMemory)
        #expect(exists("store"))
        let null = URL(fileURLWithPath: "/dev/null")
        for type in Library.storeTypes {
            try coordinator.destroyPersistentStore(at: null.appendingPathComponent("store.sqlite"), ofType: type)
            if type == NSInMemoryStoreType {
                try coordinator.destroyPersistentStore(at: null, ofType: type)
            } else {
                // Programs remove the file next.
                #expect(throws: NSError.self) { try coordinator.destroyPersistentStore(at: null, ofType: type) }
            }
        }
        #expect(FileManager.default.fileExists(atPath: "/dev/null"))
        #expect(throws: NSError.self) {
            try coordinator.destroyPersistentStore(at: place("store"), ofType: "No such type")
        }
    }

    // MARK: Replacing

    @Test("A replaced store is a copy of the other: contents, UUID", arguments: fileTypes)
    func replace(type: String) throws {
        let source = try make("source", type: type, titles: ["Tehanu", "Rocannon"])
        let old = try make("target", type: type, titles: ["Solaris"])
        try old.coordinator.remove(old.store)
        for target in ["target", "new"] {
            try coordinator.replacePersistentStore(
                at: place(target), withPersistentStoreFrom: place("source"), ofType: type)
            #expect(try titles(target, type: type) == ["Tehanu", "Rocannon"])
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: place(target))
            #expect(metadata[NSStoreUUIDKey] as? String == source.store.identifier)
        }
        try source.coordinator.remove(source.store)
        #expect(try titles("source", type: type) == ["Tehanu", "Rocannon"])
    }

    @Test("A store stays as it was when there is nothing to replace it with", arguments: fileTypes)
    func failedReplacement(type: String) throws {
        let stack = try make("target", type: type, titles: ["Solaris"])
        try stack.coordinator.remove(stack.store)
        #expect(throws: NSError.self) {
            try coordinator.replacePersistentStore(
                at: place("target"), withPersistentStoreFrom: place("missing"),
                type: NSPersistentStore.StoreType(rawValue: type))
        }
        #expect(try titles("target", type: type) == ["Solaris"])
    }

    @Test("A SQLite store is replaced while others have it open, and they see the new contents")
    func replaceOpenStore() throws {
        try make("source", type: NSSQLiteStoreType, titles: ["Tehanu"]).close()
        let open = try make("target", type: NSSQLiteStoreType, titles: ["Solaris"])
        try coordinator.replacePersistentStore(
            at: place("target"), withPersistentStoreFrom: place("source"), type: .sqlite)
        let fresh = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        fresh.persistentStoreCoordinator = open.coordinator
        #expect(try fresh.performAndWait { try fresh.all("Book", "title == 'Tehanu'").count } == 1)
    }

    // MARK: Moving

    @Test(
        "An atomic store with another URL is written there by its next save",
        arguments: [NSXMLStoreType, NSBinaryStoreType])
    func moveAtomicStore(type: String) throws {
        let stack = try make("old", type: type, titles: ["Tehanu"])
        let before = try Data(contentsOf: place("old"))
        #expect(stack.coordinator.setURL(place("new"), for: stack.store))
        #expect(stack.coordinator.url(for: stack.store) == place("new"))
        #expect(!exists("new"))
        try stack.context.performAndWait {
            stack.context.makeBook("Rocannon")
            try stack.context.save()
        }
        #expect(try titles("new", type: type) == ["Tehanu", "Rocannon"])
        #expect(try Data(contentsOf: place("old")) == before)

        let unsaved = try AtomicStack(place("reserved"), type: type)
        #expect(exists("reserved"))
        #expect(unsaved.coordinator.setURL(place("elsewhere"), for: unsaved.store))
        #expect(!exists("reserved"), "a reservation that nobody needs is given back")
    }

    @Test("A SQLite store takes another URL where its file is, and no other")
    func moveSQLiteStore() throws {
        let stack = try make("old", type: NSSQLiteStoreType, titles: ["Tehanu"])
        #expect(!stack.coordinator.setURL(place("new"), for: stack.store))
        #expect(stack.coordinator.url(for: stack.store) == place("old"))
        try make("stranger", type: NSSQLiteStoreType, titles: []).close()
        #expect(!stack.coordinator.setURL(place("stranger"), for: stack.store))
        try coordinator.replacePersistentStore(at: place("new"), withPersistentStoreFrom: place("old"), type: .sqlite)
        #expect(stack.coordinator.setURL(place("new"), for: stack.store))
        try stack.context.performAndWait {
            stack.context.makeBook("Rocannon")
            try stack.context.save()
        }
        #expect(try titles("new", type: NSSQLiteStoreType) == ["Tehanu", "Rocannon"])
        #expect(try titles("old", type: NSSQLiteStoreType) == ["Tehanu"])
    }

    // MARK: Looking

    @Test("Metadata of a store whose type isn't known is found by trying", arguments: fileTypes)
    func unknownType(type: String) throws {
        let stack = try make("store", type: type, titles: [])
        let identifier = stack.store.identifier
        try stack.context.performAndWait {
            stack.context.makeBook("Tehanu")
            try stack.context.save()
        }
        try stack.close()
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(with: place("store"))
        #expect(metadata[NSStoreUUIDKey] as? String == identifier && metadata[NSStoreTypeKey] as? String == type)
        try NSPersistentStoreCoordinator.setMetadata(
            metadata.merging(["Owner": "me"]) { $1 }, forPersistentStoreOfType: nil, at: place("store"))
        let changed = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: nil, at: place("store"))
        #expect(changed["Owner"] as? String == "me")
        #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(with: place("missing"))
        }
    }

    // MARK: Waiting

    @Test("Blocks have the stores to themselves, one at a time")
    func perform() async throws {
        let counter = Counter()
        enqueueCounting(counter)
        let count = await coordinator.perform { counter.count }
        #expect(count == 20)
        await #expect(throws: CocoaError.self) { try await coordinator.perform { throw CocoaError(.fileNoSuchFile) } }
        #expect(coordinator.performAndWait { coordinator.tryLock() })
        coordinator.unlock()
    }

    /// In an async function the other `perform` would be meant.
    private func enqueueCounting(_ counter: Counter) {
        for _ in 0..<20 { coordinator.perform { counter.count += 1 } }
    }

    private final class Counter: @unchecked Sendable {
        var count = 0
    }
}
