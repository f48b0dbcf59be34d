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

    @Test("in the place of a key is told with the file, as damage", arguments: ["'abc'", "1.5e300", "x'00'"])
    func noKey(text: String) throws {
        try withStore { url in
            try withContext(at: url, insert)
            _ = try PlainSQLite.rows("UPDATE Z_PRIMARYKEY SET Z_MAX = \(text)", in: url)
            let error = #expect(throws: NSError.self) { try withContext(at: url, insert) }
            #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue, "\(String(describing: error))")
            #expect(error?.localizedDescription.contains(url.path) == true, "\(String(describing: error))")
        }
    }

    @Test(
        "as the place in an ordered relationship leaves the order as it is, and members can be added",
        arguments: ["9223372036854775807", "9223372036854775802", "-5", "0"])
    func place(number: String) throws {
        try withStore { url in
            let (owner, member) = (NSEntityDescription(), NSEntityDescription())
            (owner.name, member.name) = ("Owner", "Member")
            let (members, owners) = (NSRelationshipDescription(), NSRelationshipDescription())
            (members.name, members.destinationEntity, members.isOrdered, members.isOptional) = (
                "members", member, true, true
            )
            (owners.name, owners.destinationEntity, owners.isOptional) = ("owners", owner, true)
            (members.inverseRelationship, owners.inverseRelationship) = (owners, members)
            (owner.properties, member.properties) = ([members], [owners])
            let model = NSManagedObjectModel()
            model.entities = [owner, member]
            for round in 0..<3 {
                let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
                let store = try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: url)
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                try context.performAndWait {
                    let known = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Owner")).first
                    let object = known ?? NSManagedObject(entity: owner, insertInto: context)
                    let list = object.mutableOrderedSetValue(forKey: "members")
                    #expect(list.count == round)
                    list.add(NSManagedObject(entity: member, insertInto: context))
                    try context.save()
                }
                try coordinator.remove(store)
                let join = try PlainSQLite.rows(
                    "SELECT name FROM sqlite_master WHERE name LIKE 'Z\\__%S' ESCAPE '\\'", in: url)
                let table = try #require(join.first?.first ?? nil)
                let columns = try PlainSQLite.rows("SELECT name FROM pragma_table_info('\(table)')", in: url)
                let order = try #require(columns.compactMap { $0.first ?? nil }.first { $0.contains("FOK") })
                _ = try PlainSQLite.rows("UPDATE \(table) SET \(order) = \(number)", in: url)
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
