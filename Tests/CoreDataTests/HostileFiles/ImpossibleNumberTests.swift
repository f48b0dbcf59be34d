import CoreData
import Foundation
import Testing

@Suite("A number that can't be in a store")
struct ImpossibleNumberTests {
    private static func makeModel() -> NSManagedObjectModel {
        let base = NSEntityDescription()
        base.name = "Base"
        let sub = NSEntityDescription()
        sub.name = "Sub"
        base.subentities = [sub]
        let model = NSManagedObjectModel()
        model.entities = [base, sub]
        return model
    }

    private func withStore(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("store.sqlite"))
    }

    private func withContext(at url: URL, timeout: Double = 10, _ body: (NSManagedObjectContext) throws -> Void) throws
    {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.makeModel())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSPersistentHistoryTrackingKey: true, NSSQLitePragmasOption: ["journal_mode": "DELETE"],
                NSPersistentStoreTimeoutOption: timeout,
            ])
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }

    private func insert(into context: NSManagedObjectContext) throws {
        _ = NSEntityDescription.insertNewObject(forEntityName: "Sub", into: context)
        try context.save()
    }

    private func fetch(in context: NSManagedObjectContext) throws -> [NSManagedObject] {
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Base"))
    }

    @Test("as a row's entity is an error of the fetch", arguments: ["-1", "-9223372036854775808", "0", "'text'"])
    func entity(number: String) throws {
        try withStore { url in
            try withContext(at: url, insert)
            _ = try PlainSQLite.rows("UPDATE ZBASE SET Z_ENT = \(number)", in: url)
            try withContext(at: url) { context in
                #expect(throws: (any Error).self) { try fetch(in: context) }
            }
        }
    }

    @Test(
        "as the last key is an error of the save, and what is there can be read",
        arguments: ["9223372036854775807", "-1e9"])
    func lastKey(number: String) throws {
        try withStore { url in
            try withContext(at: url, insert)
            _ = try PlainSQLite.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = \(number) WHERE Z_ENT > 16000", in: url)
            try withContext(at: url) { context throws in
                let count = try fetch(in: context).count
                #expect(count == 1)
                if number.hasPrefix("9") { #expect(throws: (any Error).self) { try insert(into: context) } }
            }
        }
    }

    @Test("of seconds to wait is as long as SQLite can wait")
    func timeout() throws {
        try withStore { url in
            try withContext(at: url, timeout: .greatestFiniteMagnitude) { context in
                try insert(into: context)
                let count = try fetch(in: context).count
                #expect(count == 1)
            }
        }
    }
}
