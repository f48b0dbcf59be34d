import Dispatch
import Foundation
import Synchronization
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("Bringing a PostgreSQL store to another model")
struct MigrationTests {
    private let schema = TestServer.freshSchema()
    private static let automatic: [String: Bool] = [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]

    private func stack(_ model: NSManagedObjectModel, _ options: [String: Any] = automatic as [String: Any]) throws
        -> ServerStack
    {
        try ServerStack(TestServer.shared.url(schema: schema), model, options: options)
    }

    private static func attribute(_ name: String, _ type: NSAttributeType, initial: Any? = nil)
        -> NSAttributeDescription
    {
        let attribute = NSAttributeDescription()
        attribute.name = name
        attribute.attributeType = type
        attribute.isOptional = initial == nil
        attribute.defaultValue = initial
        return attribute
    }

    /// The notes with a property renamed, one added and one removed.
    private static func second() -> NSManagedObjectModel {
        let model = HistoryTests.model()
        let note = model.entitiesByName["Note"]!
        let title = note.attributesByName["name"]!
        title.renamingIdentifier = "name"
        title.name = "title"
        note.uniquenessConstraints = [["title"]]
        note.properties.removeAll { $0.name == "text" }
        note.properties.append(attribute("stars", .integer32AttributeType, initial: 3))
        return model
    }

    private func fill(_ count: Int, _ options: [String: Any] = [:]) throws {
        let stack = try stack(HistoryTests.model(), options)
        let context = stack.context()
        try context.performAndWait {
            for number in 0..<count { NoteModel.note("n\(number)", in: context).setValue("t", forKey: "text") }
            try context.save()
        }
        try stack.close()
    }

    private func names(_ context: NSManagedObjectContext) throws -> [String] {
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            return try context.fetch(request).map {
                "\($0.value(forKey: "title") ?? "nil") \($0.value(forKey: "stars") ?? "nil")"
            }
        }
    }

    @Test("Without the option another model is refused, and a container migrates by itself")
    func container() throws {
        try fill(2)
        let error = #expect(throws: NSError.self) { _ = try stack(Self.second(), [:]) }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: Self.second())
        let description = NSPersistentStoreDescription(url: try TestServer.shared.url(schema: schema))
        description.type = NSPostgreSQLStoreType
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        #expect(failure == nil)
        let context = container.newBackgroundContext()
        #expect(try names(context) == ["n0 3", "n1 3"])
    }

    @Test("Several that start at once migrate once; all of them open the store")
    func race() throws {
        try fill(200, HistoryTests.tracking)
        func version() throws -> Int64 {
            let rows = try TestServer.shared.execute("SELECT \"model_version\"::text FROM \"_store\"", in: schema)
            return try #require(Int64(rows[0][0]))
        }
        let before = try version()
        let group = DispatchGroup()
        let found = Mutex<[String]>([])
        let url = try TestServer.shared.url(schema: schema)
        for _ in 0..<6 {
            DispatchQueue.global().async(group: group) {
                do {
                    let stack = try ServerStack(url, Self.second(), options: Self.automatic)
                    let context = stack.context()
                    let names = try self.names(context)
                    found.withLock { $0.append("\(names.count) \(names.first ?? "")") }
                    try stack.close()
                } catch {
                    found.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(found.withLock { $0 } == Array(repeating: "200 n0 3", count: 6))
        #expect(try version() == before + 1)
        let author = try TestServer.shared.execute(
            "SELECT count(*)::text FROM \"_transactions\" WHERE \"author\" LIKE 'com.apple.coredata.schemamigrator%'",
            in: schema)
        #expect(author == [["1"]])
    }

    @Test("History goes along: properties have their new names, and the tombstones' too")
    func history() throws {
        try fill(2, HistoryTests.tracking)
        let first = try stack(HistoryTests.model(), HistoryTests.tracking)
        let context = first.context()
        let token = try context.performAndWait {
            let notes = try NoteModel.all("Note", in: context)
            notes[0].setValue("renamed", forKey: "name")
            notes[0].setValue("text", forKey: "text")
            try context.save()
            context.delete(notes[1])
            try context.save()
            return first.coordinator.currentPersistentHistoryToken(fromStores: nil)
        }
        try first.close()
        let second = try stack(Self.second(), Self.automatic.merging(HistoryTests.tracking) { $1 })
        let reading = second.context()
        try reading.performAndWait {
            let all = try HistoryTests.history(reading)
            #expect(all.map(\.transactionNumber) == [1, 2, 3, 4])
            #expect(all[1].changes?.first?.updatedProperties.map { $0.map(\.name) } == ["title"])
            #expect(all[2].changes?.first?.tombstone?["title"] as? String == "n1")
            #expect(try HistoryTests.history(reading, after: token).map(\.transactionNumber) == [4])
        }
    }

    @Test("A stack that was opened with the old model can't write any more")
    func staleWriter() throws {
        try fill(1)
        let old = try stack(HistoryTests.model())
        let writer = old.context()
        let migrated = try stack(Self.second())
        writer.performAndWait {
            NoteModel.object("Label", "late", in: writer)
            let error = #expect(throws: NSError.self) { try writer.save() }
            #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
            let batch = #expect(throws: NSError.self) {
                try writer.execute(NSBatchInsertRequest(entityName: "Label", objects: [["name": "late"]]))
            }
            #expect(batch?.code == NSPersistentStoreIncompatibleSchemaError)
        }
        let context = migrated.context()
        #expect(try names(context) == ["n0 3"])
        #expect(try TestServer.shared.execute("SELECT 1 FROM \"Label\"", in: schema).isEmpty)
    }

    @Test("Values that have to be unique now, and aren't, are named; nothing is changed")
    func notUnique() throws {
        try fill(3)
        let model = HistoryTests.model()
        model.entitiesByName["Note"]?.uniquenessConstraints = [["name"], ["text"]]
        let error = #expect(throws: NSError.self) { _ = try stack(model) }
        #expect(error?.code == NSMigrationConstraintViolationError)
        #expect(error?.localizedDescription.contains("text") ?? false)
        let context = try stack(HistoryTests.model(), [:]).context()
        let count = try context.performAndWait { try NoteModel.all("Note", in: context).count }
        #expect(count == 3)
    }

    @Test("Types widen with their values")
    func widening() throws {
        let types: [(String, NSAttributeType, NSAttributeType, NSNumber)] = [
            ("a", .integer16AttributeType, .integer64AttributeType, -7),
            ("b", .integer64AttributeType, .doubleAttributeType, 1_099_511_627_776),
            ("c", .floatAttributeType, .doubleAttributeType, 0.5),
            ("d", .integer32AttributeType, .decimalAttributeType, 12),
            ("e", .booleanAttributeType, .integer64AttributeType, 1),
            ("f", .integer16AttributeType, .floatAttributeType, 3),
        ]
        func model(_ isNew: Bool) -> NSManagedObjectModel {
            let entity = NSEntityDescription()
            entity.name = "Number"
            entity.properties = types.map { Self.attribute($0.0, isNew ? $0.2 : $0.1) }
            let model = NSManagedObjectModel()
            model.entities = [entity]
            return model
        }
        let first = try stack(model(false), [:])
        let context = first.context()
        try context.performAndWait {
            let object = NSEntityDescription.insertNewObject(forEntityName: "Number", into: context)
            for (name, _, _, value) in types { object.setValue(value, forKey: name) }
            _ = NSEntityDescription.insertNewObject(forEntityName: "Number", into: context)
            try context.save()
        }
        try first.close()
        let reading = try stack(model(true)).context()
        try reading.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Number")
            request.predicate = NSPredicate(format: "a == -7 AND d == 12 AND e == 1 AND b > 5.5")
            let found = try reading.fetch(request)
            #expect(found.count == 1)
            for (name, _, _, value) in types { #expect(found.first?.value(forKey: name) as? NSNumber == value) }
        }
    }

    @Test("Stages run one after the other, each once, also where two start at the same time")
    func stages() throws {
        try fill(2)
        @Sendable func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
            NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
        }
        let calls = Mutex<[String]>([])
        let group = DispatchGroup()
        let url = try TestServer.shared.url(schema: schema)
        let failures = Mutex<[String]>([])
        for _ in 0..<2 {
            DispatchQueue.global().async(group: group) {
                let stage = NSCustomMigrationStage(
                    migratingFrom: reference(HistoryTests.model()), to: reference(Self.second()))
                stage.willMigrateHandler = { _, _ in
                    calls.withLock { $0.append("will") }
                    usleep(200_000)
                }
                stage.didMigrateHandler = { _, _ in calls.withLock { $0.append("did") } }
                let options = (Self.automatic as [String: Any]).merging(
                    [NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage])]) { $1 }
                do {
                    try ServerStack(url, Self.second(), options: options).close()
                } catch {
                    failures.withLock { $0.append("\(error)") }
                }
            }
        }
        group.wait()
        #expect(failures.withLock { $0 } == [])
        #expect(calls.withLock { $0 } == ["will", "did"])
        let context = try stack(Self.second(), [:]).context()
        #expect(try names(context) == ["n0 3", "n1 3"])
    }

    @Test("A stack whose store was destroyed, and made again, can't write into the new one")
    func madeAgain() throws {
        try fill(1)
        let old = try stack(HistoryTests.model())
        let writer = old.context()
        try NSPersistentStoreCoordinator(managedObjectModel: HistoryTests.model())
            .destroyPersistentStore(at: TestServer.shared.url(schema: schema), ofType: NSPostgreSQLStoreType)
        let new = try stack(HistoryTests.model())
        writer.performAndWait {
            NoteModel.object("Label", "late", in: writer)
            let error = #expect(throws: NSError.self) { try writer.save() }
            #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
        }
        let context = new.context()
        let count = try context.performAndWait { try NoteModel.all("Label", in: context).count }
        #expect(count == 0)
    }
}
