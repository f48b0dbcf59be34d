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
