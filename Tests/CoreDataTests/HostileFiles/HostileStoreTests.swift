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

    private static func use(_ url: URL, _ model: NSManagedObjectModel) throws {
        let stack = try StoreStack(url, model: model)
        defer { try? stack.close() }
        try stack.context.performAndWait {
            for entity in stack.container.managedObjectModel.entities {
                let request = NSFetchRequest<NSManagedObject>(entityName: entity.name!)
                for object in try stack.context.fetch(request) {
                    for property in entity.properties { _ = object.value(forKey: property.name) }
                }
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
            for entity in carried.entities {
                let name = entity.name ?? ""
                #expect(name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" } && !name.isEmpty)
            }
            _ = try? NSPersistentStoreCoordinator.examineStore(at: url, model: carried)
            let copy = inner.appendingPathComponent("Copy.sqlite")
            try FileManager.default.copyItem(at: url, to: copy)
            _ = try? StoreStack(copy, model: carried).close()
            // Nothing of the program's own is made of what a file names, by a model that the file has.
            #expect(!HostileValue.places.withLock { $0.contains(url.path) } || number % 6 == 5)
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

    @Test("may have no virtual table but a spatial index")
    func virtualTables() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        try HostileStore.makeSound(at: url)
        let queue = try DatabaseQueue(path: url.path)
        try queue.writeWithoutTransaction { try $0.execute(sql: "CREATE VIRTUAL TABLE words USING fts5(a)") }
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
                }
                try stack.close()
            } catch let error as NSError
                where [NSPersistentStoreIncompatibleSchemaError, NSSQLiteError].contains(error.code)
            {
                // The framework has a table of that name itself.
            }
        }
    }
}
