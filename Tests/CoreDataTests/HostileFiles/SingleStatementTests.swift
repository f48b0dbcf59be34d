import CoreDataSQL
import CoreDataSQLite
import Foundation
import GRDB
import Testing

@testable import CoreData
@testable import ManagedObjectModel

@Suite("No text of a file or a program is a second statement")
struct SingleStatementTests {
    private static let more = [
        "; DROP TABLE Z_METADATA", "; ATTACH 'x' AS x", ";SELECT 1", "\u{0}; DROP TABLE Z_METADATA", ");--", "/*", "'",
        "\"",
    ]

    @Test("What is run is one statement, or nothing of it is run")
    func single() throws {
        let queue = try DatabaseQueue(configuration: SQLiteConnection.hardened(timeout: 1))
        try queue.writeWithoutTransaction { database in
            try database.run("CREATE TABLE a (b);  -- and nothing more\n")
            for tail in ["; DROP TABLE a", "; SELECT 1", "; nonsense", "\u{0}", "\u{0}; DROP TABLE a"] {
                #expect(throws: DatabaseError.self) { try database.run(.definition("INSERT INTO a VALUES (1)" + tail)) }
            }
            try database.run("INSERT INTO a VALUES (\(bind: .int(7)))")
            #expect(try Int.fetchAll(database, sql: "SELECT b FROM a") == [7])
            #expect(throws: DatabaseError.self) { try SQLiteStatement(database, "SELECT b FROM a; DROP TABLE a") }
            #expect(throws: DatabaseError.self) { try Row.fetchAll(database, sql: "SELECT b FROM a; DROP TABLE a") }
        }
    }

    @Test("Options of pragmas are a name and a value, or an error", arguments: more)
    func pragmas(_ more: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        try HostileStore.makeSound(at: url)
        for pragmas in [
            ["synchronous": "FULL\(more)"], ["synchronous\(more)": "FULL"], ["journal_mode": "wal\(more)"],
            ["journal_mode\(more)": "wal"],
        ] {
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HostileStore.model())
            #expect(throws: NSError.self, "\(pragmas)") {
                try coordinator.addPersistentStore(
                    ofType: NSSQLiteStoreType, configurationName: nil, at: url,
                    options: [NSSQLitePragmasOption: pragmas])
            }
        }
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM Z_METADATA", in: url) == [["1"]])
    }

    /// A model of a program's, with the text in every name and expression that becomes a part of SQL.
    private static func model(_ more: String, version: Int) -> NSManagedObjectModel {
        let entity = NSEntityDescription()
        entity.name = "Entity\(more)"
        entity.managedObjectClassName = "NSManagedObject"
        let name = NSAttributeDescription(optional: "name\(more)", .stringAttributeType)
        let link = NSRelationshipDescription()
        link.name = "links\(more)"
        link.destinationEntity = entity
        link.inverseRelationship = link
        let derived = NSDerivedAttributeDescription()
        derived.name = "derived\(more)"
        derived.attributeType = .integer64AttributeType
        derived.isOptional = true
        derived.derivationExpression = NSExpression(format: "length:(%K)", name.name)
        entity.properties = [name, link]
        if version > 1 {
            entity.properties.append(NSAttributeDescription(optional: "age\(more)", .integer64AttributeType))
            entity.renamingIdentifier = "Entity\(more)"
        }
        let element = NSFetchIndexElementDescription(property: name, collationType: .binary)
        let index = NSFetchIndexDescription(name: "index\(more)", elements: [element])
        index.partialIndexPredicate = NSPredicate(format: "%K == %@", name.name, "value\(more)")
        entity.indexes = [index]
        entity.uniquenessConstraints = [[name.name]]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        return model
    }

    @Test(
        "Names, conditions of indexes and values are parts of one statement, when a store is made, used and migrated",
        arguments: more)
    func models(_ more: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store.sqlite")
        for version in 1...2 {
            let model = Self.model(more, version: version)
            // The file's own copy of the model isn't taken, as nobody but a program can have such names.
            if version == 2 {
                try NSPersistentStoreCoordinator.migrateStore(
                    at: url, ofType: NSSQLiteStoreType, from: Self.model(more, version: 1), to: model)
            }
            let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: url)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait {
                let object = NSEntityDescription.insertNewObject(forEntityName: "Entity\(more)", into: context)
                object.setValue("value\(more)\(version)", forKey: "name\(more)")
                try context.save()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Entity\(more)")
                request.predicate = NSPredicate(format: "%K == %@", "name\(more)", "value\(more)\(version)")
                #expect(try context.fetch(request).count == 1)
            }
            try coordinator.remove(store)
            #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM Z_METADATA", in: url) == [["1"]])
            #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]])
        }
        #expect(try PlainSQLite.rows("SELECT Z_MAX FROM Z_PRIMARYKEY", in: url).first == ["2"])
    }
}
