import CoreData
import Foundation
import Testing

@Suite("The options of a SQLite store")
struct StoreOptionTests {
    private func open(_ options: [AnyHashable: Any]) throws -> TrackedStack {
        try TrackedStack(tracksHistory: false, options: options)
    }

    @Test("pragmas are set on every connection")
    func pragmas() throws {
        let stack = try open([NSSQLitePragmasOption: ["journal_mode": "DELETE", "synchronous": "FULL"] as NSDictionary])
        stack.context.make("Author", ["name": "x"])
        try stack.context.save()
        #expect(try stack.rows("PRAGMA journal_mode") == [["delete"]])
        #expect(!FileManager.default.fileExists(atPath: stack.url.path + "-wal"))
    }

    @Test("analyze gathers statistics, vacuum gives pages back")
    func maintenance() throws {
        let stack = try open([:])
        let names = (0..<20_000).map { ["name": "Author \($0)", "born": Date()] as [String: Any] }
        try stack.context.execute(NSBatchInsertRequest(entityName: "Author", objects: names))
        try stack.context.execute(
            NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSManagedObject>(entityName: "Author")))
        stack.context.make("Author", ["name": "x", "born": Date()])
        try stack.context.save()
        try stack.coordinator.remove(stack.store)
        func size() throws -> Int {
            try #require(try FileManager.default.attributesOfItem(atPath: stack.url.path)[.size] as? Int)
        }
        let before = try size()
        let second = try AtomicStack(
            stack.url, type: NSSQLiteStoreType,
            options: [NSSQLiteAnalyzeOption: NSNumber(value: true), NSSQLiteManualVacuumOption: NSNumber(value: true)])
        try second.coordinator.remove(second.store)
        #expect(try size() < before / 2)
        #expect(try stack.rows("SELECT COUNT(*) > 0 FROM sqlite_stat1") == [["1"]])
        #expect(try stack.rows("PRAGMA integrity_check") == [["ok"]])
    }

    @Test("pragmas that SQLite doesn't take, or that would harm the file, are refused with the reason")
    func refusedPragmas() throws {
        let wrong: [(String, Any)] = [
            ("synchronous", "FULLY"), ("synchronous", 7), ("cache_size", "big"), ("auto_vacuum", "sometimes"),
            ("secure_delete", "maybe"), ("temp_store", "moon"), ("locking_mode", "tight"), ("encoding", "UTF-16"),
            ("writable_schema", 1), ("schema_version", 3), ("trusted_schema", "ON"), ("query_only", true),
            ("application_id", 5), ("foreign_keys", "ON"),
        ]
        for (name, value) in wrong {
            let error = #expect(throws: NSError.self, "\(name)") {
                _ = try open([NSSQLitePragmasOption: [name: value] as NSDictionary])
            }
            #expect(error?.code == NSPersistentStoreOpenError)
            #expect(error?.localizedDescription.contains(name) == true, "\(String(describing: error))")
        }
    }

    @Test("pragmas that SQLite knows are set, and others are told of and left out")
    func takenPragmas() throws {
        let right: [String: Any] = [
            "synchronous": "NORMAL", "cache_size": -4000, "temp_store": "memory", "secure_delete": "fast",
            "mmap_size": 0, "encoding": "UTF-8", "fullfsync": 1, "wal_autocheckpoint": "100", "no_such_pragma": "x",
        ]
        let stack = try open([NSSQLitePragmasOption: right as NSDictionary])
        stack.context.make("Author", ["name": "x"])
        try stack.context.save()
    }

    @Test("a store that is locked exclusively is read and written all the same")
    func exclusive() throws {
        let stack = try open([NSSQLitePragmasOption: ["locking_mode": "EXCLUSIVE"] as NSDictionary])
        stack.context.make("Author", ["name": "x"])
        try stack.context.save()
        #expect(try stack.context.all("Author").count == 1)
    }

    @Test(
        "options of the wrong kind are refused by every type, and texts taken as on Apple's platforms",
        arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType, NSInMemoryStoreType])
    func kinds(type: String) throws {
        let folder = try TemporaryFolder()
        func open(_ options: [AnyHashable: Any]) throws -> NSPersistentStore {
            let stack = try AtomicStack(folder.url.appendingPathComponent("store"), type: type, options: options)
            defer { try? stack.close() }
            return stack.store
        }
        let wrong: [[AnyHashable: Any]] = [
            [NSPersistentStoreTimeoutOption: "abc"], [NSPersistentStoreTimeoutOption: Date()],
            [NSReadOnlyPersistentStoreOption: Date()], [NSMigratePersistentStoresAutomaticallyOption: NSNull()],
            [NSPersistentStoreConnectionPoolMaxSizeKey: "many"], [NSSQLitePragmasOption: "synchronous = OFF"],
            [NSPersistentStoreStagedMigrationManagerOptionKey: "stages"], [NSPersistentHistoryTrackingKey: Data()],
        ]
        for options in wrong {
            #expect(thrownCode { _ = try open(options) } == NSPersistentStoreOpenError, "\(options)")
        }
        _ = try open([NSPersistentStoreTimeoutOption: "30", NSMigratePersistentStoresAutomaticallyOption: "YES"])
    }

    @Test("the pool's size and file protection are taken; what makes no sense is refused")
    func checked() throws {
        _ = try open([
            NSPersistentStoreConnectionPoolMaxSizeKey: NSNumber(value: 2), NSPersistentStoreFileProtectionKey: "x",
        ])
        let wrong: [[AnyHashable: Any]] = [
            [NSSQLitePragmasOption: "synchronous = OFF"],
            [NSSQLitePragmasOption: ["synchronous": "OFF; DROP TABLE ZAUTHOR"] as NSDictionary],
            [NSSQLitePragmasOption: ["journal_mode": "sideways"] as NSDictionary],
            [NSPersistentStoreTimeoutOption: NSNumber(value: -1)],
            [NSPersistentStoreConnectionPoolMaxSizeKey: NSNumber(value: 0)],
        ]
        for options in wrong {
            #expect(thrownCode { _ = try open(options) } == NSPersistentStoreOpenError, "\(options)")
        }
    }
}
