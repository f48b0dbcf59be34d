import CoreDataSQLite
import Foundation
import GRDB
import Testing

@testable import CoreData
@testable import ManagedObjectModel

@Suite("Stores of strangers")
struct HostileStoreTests {
    /// `COREDATA_HOSTILE_STORES` in the environment asks for another number.
    static let count = ProcessInfo.processInfo.environment["COREDATA_HOSTILE_STORES"].flatMap(Int.init) ?? 60

    /// Everything in a folder but one folder in it, to the byte.
    private static func state(of folder: URL, except inner: String) throws -> [String: Data] {
        var state: [String: Data] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != inner {
            state[name] = try Data(contentsOf: folder.appendingPathComponent(name))
        }
        return state
    }

    /// The names that the plain file has, where it has such a table.
    private static func names(in url: URL) throws -> [String] {
        let queue = try DatabaseQueue(path: url.path)
        defer { try? queue.close() }
        return try queue.read { try String.fetchAll($0, sql: "SELECT ZNAME FROM ZPERSON ORDER BY Z_PK") }
    }

    /// Reads and saves, or throws; what is read is what the file has.
    private static func use(_ url: URL, _ model: NSManagedObjectModel, saves: Bool = true) throws {
        // One that can't be read by plain SQL is an error below, too.
        let names = try? names(in: url)
        let stack = try StoreStack(url, model: model)
        defer { try? stack.close() }
        try stack.context.performAndWait {
            for entity in stack.container.managedObjectModel.entities {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
                let objects = try stack.context.fetch(request)
                if entity.name == "Person", entity.attributesByName["name"] != nil {
                    #expect(objects.map { $0.text("name") }.sorted { ($0 ?? "") < ($1 ?? "") } == names?.sorted())
                }
                for object in objects {
                    for property in entity.properties { _ = object.value(forKey: property.name) }
                }
                guard saves else { continue }
                let new = NSManagedObject(entity: entity, insertInto: stack.context)
                if entity.attributesByName["name"] != nil { new.setValue("new", forKey: "name") }
            }
            try stack.context.save()
        }
    }

    @Test("are an error or a store, and nothing beside them changes", arguments: 0..<count)
    func corpus(_ number: Int) throws {
        let folder = try TemporaryFolder()
        let inner = folder.url.appendingPathComponent("inner")
        try FileManager.default.createDirectory(at: inner, withIntermediateDirectories: true)
        let canary = folder.url.appendingPathComponent("canary.sqlite")
        let queue = try DatabaseQueue(path: canary.path)
        try queue.write {
            try $0.execute(sql: "CREATE TABLE secret (a)")
            try $0.execute(sql: "INSERT INTO secret VALUES ('kept')")
        }
        try queue.close()
        let before = try Self.state(of: folder.url, except: "inner")

        let url = inner.appendingPathComponent("Store.sqlite")
        try HostileStore(random: SeededGenerator(seed: UInt64(number)), url: url, canary: canary).make(number)
        // An error each, or an answer: what the test looks for is what happens beside the store.
        if let carried = try? NSPersistentStoreCoordinator.cachedModel(forStoreAt: url) {
            for name in carried.entities.flatMap({ [$0.name ?? ""] + $0.properties.map(\.name) }) {
                #expect(name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && !name.isEmpty)
            }
            _ = try? NSPersistentStoreCoordinator.examineStore(at: url, model: carried)
            let copy = inner.appendingPathComponent("Copy.sqlite")
            try FileManager.default.copyItem(at: url, to: copy)
            _ = try? Self.use(copy, carried, saves: false)
            // Nothing of the program's own is made of what a file names, by a model that the file has.
            #expect(!HostileValue.places.withLock { $0.contains(url.path) })
        }
        let copy = inner.appendingPathComponent("Second.sqlite")
        try FileManager.default.copyItem(at: url, to: copy)
        _ = try? NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        _ = try? NSPersistentStoreCoordinator.examineStore(at: url, model: HostileStore.model())
        _ = try? Self.use(url, HostileStore.model())
        _ = try? NSPersistentStoreCoordinator.repairStore(at: url, model: HostileStore.model())
        _ = try? Self.use(copy, HostileStore.model(version: 2))
        let after = try Self.state(of: folder.url, except: "inner")
        #expect(after == before)
    }

    @Test(
        "may have no virtual table but a spatial index, whatever its name says",
        arguments: [
            "words USING fts5(a)", "Z_RT_words USING fts4(a)", "\"Z_RT_a USING RTREE x\" USING fts5(a)",
            "[Z_RT_b USING RTREE (] USING fts4(a)", "`Z_RT_c USING RTREE`USING fts5(a)", "words USING RTREE(a, b, c)",
            "Z_RT_d/* USING RTREE */USING fts5(a)",
        ])
    func virtualTables(definition: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        try HostileStore.makeSound(at: url)
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "CREATE VIRTUAL TABLE \(definition)") }
        try queue.close()
        #expect(throws: (any Error).self) { try StoreStack(url, model: HostileStore.model()) }
    }

    @Test(
        "are looked at by the statements of their schema, whatever stands beside these",
        arguments: [
            ("table", "words", 2, "CREATE VIRTUAL TABLE words USING fts5(a)"),
            ("TABLE", "words", 0, "CREATE VIRTUAL TABLE words USING fts5(a)"),
            ("table", "words", 0, "CREATE/**/VIRTUAL/* x */TABLE words USING fts5(a)"),
            ("table", "Z_RT_a", 0, "CREATE VIRTUAL TABLE words USING fts5(a)"),
            ("VIEW", "harmless", 0, "CREATE VIEW ZOTHER AS SELECT 1"),
            ("view", "harmless", 0, "CREATE -- VIEW\n VIEW main.\"ZOTHER\" AS SELECT 1"),
        ])
    func disguised(type: String, name: String, rootPage: Int, sql: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        try HostileStore.makeSound(at: url)
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.execute(
                sql: "INSERT INTO sqlite_master (type, name, tbl_name, rootpage, sql) VALUES (?, ?, ?, ?, ?)",
                arguments: [type, name, name, rootPage, sql])
        }
        try queue.close()
        #expect(throws: (any Error).self) { try StoreStack(url, model: HostileStore.model()) }
    }

    @Test("can't attach a database, call the framework's functions or write the schema")
    func connections() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        try HostileStore.makeSound(at: url)
        let file = try #require(try SQLiteFile.openForWriting(url))
        defer { try? file.close() }
        let other = folder.url.appendingPathComponent("other.sqlite").path
        for sql in [
            "ATTACH '\(other)' AS c", "SELECT load_extension('x')",
            "UPDATE sqlite_master SET sql = 'CREATE TABLE ZPERSON (a)' WHERE name = 'ZPERSON'",
        ] {
            #expect(throws: (any Error).self) { try file.write { try $0.execute(sql: sql) } }
        }
        #expect(!FileManager.default.fileExists(atPath: other))
        try file.write { database in
            try database.execute(
                sql:
                    "CREATE TRIGGER hostile AFTER INSERT ON Z_MODELCACHE BEGIN SELECT OCDEqualArchives(1, 2, 3, 4); END"
            )
            #expect(throws: (any Error).self) { try database.execute(sql: "INSERT INTO Z_MODELCACHE VALUES (x'00')") }
        }
    }

    /// Batch requests, each of which names the entity and its attribute in statements of its own.
    private static func change(_ name: String, in context: NSManagedObjectContext) throws {
        let insert = NSBatchInsertRequest(entityName: name, objects: [[name: "new"], [name: "newer"]])
        insert.resultType = .count
        #expect((try context.execute(insert) as? NSBatchInsertResult)?.result as? Int == 2)
        // These make a path of several keys or a variable of it, by which no predicate can name it.
        let isKey = !name.contains { ".$@".contains($0) }
        let update = NSBatchUpdateRequest(entityName: name)
        if isKey { update.predicate = NSPredicate(format: "%K BEGINSWITH 'new'", name) }
        update.propertiesToUpdate = [name: "old"]
        update.resultType = .updatedObjectsCountResultType
        #expect((try context.execute(update) as? NSBatchUpdateResult)?.result as? Int == (isKey ? 2 : 3))
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: name)
        if isKey {
            request.predicate = NSPredicate(format: "%K == 'old'", name)
            request.sortDescriptors = [NSSortDescriptor(key: name, ascending: true)]
        }
        let delete = NSBatchDeleteRequest(fetchRequest: request)
        delete.resultType = .resultTypeCount
        #expect((try context.execute(delete) as? NSBatchDeleteResult)?.result as? Int == (isKey ? 2 : 3))
    }

    @Test("have models whose names are Core Data's, and programs may name things as they like")
    func names() throws {
        let folder = try TemporaryFolder()
        for (number, name) in HostileStore.texts(canary: folder.url).enumerated()
        where !name.isEmpty && name.utf8.count < 1000 && name != "name" {
            let url = folder.url.appendingPathComponent("\(number).sqlite")
            let model = HostileStore.model(entity: name, attribute: name)
            do {
                let stack = try StoreStack(url, model: model)
                try stack.context.performAndWait {
                    let object = NSManagedObject(entity: model.entities[0], insertInto: stack.context)
                    object.setValue("kept", forKey: name)
                    try stack.context.save()
                    stack.context.reset()
                    let request = NSFetchRequest<NSManagedObject>(entityName: name)
                    #expect(try stack.context.fetch(request).first?.value(forKey: name) as? String == "kept")
                    try Self.change(name, in: stack.context)
                }
                try stack.close()
                #expect(try NSPersistentStoreCoordinator.examineStore(at: url, model: model).isEmpty)
                #expect(try NSPersistentStoreCoordinator.repairStore(at: url, model: model).left.isEmpty)
            } catch let error as NSError
                where [NSPersistentStoreIncompatibleSchemaError, NSSQLiteError].contains(error.code)
            {
                // The framework has a table of that name itself.
            }
        }
    }
}
