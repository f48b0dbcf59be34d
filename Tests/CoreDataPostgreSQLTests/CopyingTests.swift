import Foundation
import Testing

@testable import CoreData
@testable import CoreDataPostgreSQL

@Suite("Copies of PostgreSQL stores")
struct CopyingTests {
    private let schema = TestServer.freshSchema()
    private let other = TestServer.freshSchema()

    private func url(_ schema: String) throws -> URL { try TestServer.shared.url(schema: schema) }

    /// Notes in a folder, with labels and some history.
    private func fill(_ count: Int) throws -> [String] {
        let stack = try ServerStack(url(schema), HistoryTests.model(), options: HistoryTests.tracking)
        let context = stack.context()
        let contents = try context.performAndWait {
            let folder = NoteModel.object("Folder", "home", in: context)
            let labels = (0..<3).map { NoteModel.object("Label", "l\($0)", in: context) }
            for number in 0..<count {
                let note = NoteModel.note("n\(number)", in: context)
                note.setValue(folder, forKey: "folder")
                note.setValue(Set([labels[number % 3]]), forKey: "labels")
            }
            stack.store.metadata["mine"] = "kept"
            try context.save()
            return try Self.contents(context)
        }
        try stack.close()
        return contents
    }

    /// Folders with their notes in order, and notes with their labels.
    private static func contents(_ context: NSManagedObjectContext) throws -> [String] {
        context.reset()
        let folders = try NoteModel.all("Folder", in: context).map { folder in
            let notes = folder.value(forKey: "notes") as? NSOrderedSet
            return (notes?.array ?? []).map { ($0 as? NSManagedObject)?.value(forKey: "name") as? String ?? "" }
                .joined(separator: ",")
        }
        return folders
            + (try NoteModel.all("Note", in: context).map { note in
                let labels = note.value(forKey: "labels") as? Set<NSManagedObject> ?? []
                return "\(note.value(forKey: "name") ?? "") "
                    + labels.map { $0.value(forKey: "name") as? String ?? "" }.sorted().joined(separator: ",")
            })
    }

    @Test("replacePersistentStore copies contents, metadata, UUID, keys and history; what was there is gone")
    func replacement() throws {
        let contents = try fill(40)
        let stale = try ServerStack(url(other), HistoryTests.model())
        let writer = stale.context()
        try writer.performAndWait {
            NoteModel.note("old", in: writer)
            try writer.save()
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryTests.model())
        try coordinator.replacePersistentStore(
            at: url(other), destinationOptions: nil, withPersistentStoreFrom: url(schema), sourceOptions: nil,
            ofType: NSPostgreSQLStoreType)
        // Who has the replaced store open can't write into the new one.
        writer.performAndWait {
            NoteModel.note("stale", in: writer)
            #expect(throws: NSError.self) { try writer.save() }
        }
        let original = try ServerStack(url(schema), HistoryTests.model(), options: HistoryTests.tracking)
        let copy = try ServerStack(url(other), HistoryTests.model(), options: HistoryTests.tracking)
        #expect(copy.store.identifier == original.store.identifier)
        #expect(copy.store.metadata["mine"] as? String == "kept")
        let context = copy.context()
        try context.performAndWait {
            #expect(try Self.contents(context) == contents)
            #expect(try HistoryTests.history(context).map(\.transactionNumber) == [1])
            NoteModel.note("new", in: context)
            try context.save()
            #expect(try HistoryTests.history(context).map(\.transactionNumber) == [1, 2])
        }
        let keys = try [schema, other].map {
            try TestServer.shared.execute(
                """
                SELECT conname, pg_get_constraintdef(k.oid) FROM pg_constraint k JOIN pg_namespace n \
                ON n.oid = k.connamespace WHERE nspname = '\($0)' ORDER BY 1
                """, in: $0
            ).map { $0.joined(separator: " ").replacingOccurrences(of: schema, with: other) }
        }
        #expect(keys[0] == keys[1])
    }

    @Test("A store that is to be replaced by itself stays as it is")
    func replacementByItself() throws {
        let contents = try fill(3)
        try NSPersistentStoreCoordinator(managedObjectModel: HistoryTests.model()).replacePersistentStore(
            at: url(schema), destinationOptions: nil, withPersistentStoreFrom: url(schema), sourceOptions: nil,
            ofType: NSPostgreSQLStoreType)
        let context = try ServerStack(url(schema), HistoryTests.model()).context()
        let found = try context.performAndWait { try Self.contents(context) }
        #expect(found == contents)
    }

    @Test("Save As fills a store in pages without foreign keys, which are there when it is whole; and back")
    func saveAs() throws {
        let contents = try fill(1200)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryTests.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: url(schema))
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).sqlite")
        defer { try? FileManager.default.removeItem(at: file) }
        let saved = try coordinator.migratePersistentStore(store, to: file, options: nil, withType: NSSQLiteStoreType)
        let back = try coordinator.migratePersistentStore(
            saved, to: url(other), options: nil, withType: NSPostgreSQLStoreType)
        #expect(back.metadata["mine"] as? String == "kept")
        #expect(back.metadata["OpenCoreDataUnfinishedCopy"] == nil)
        try coordinator.remove(back)
        let context = try ServerStack(url(other), HistoryTests.model()).context()
        let found = try context.performAndWait { try Self.contents(context) }
        #expect(found == contents)
        let keys = try TestServer.shared.execute(
            "SELECT 1 FROM pg_constraint k JOIN pg_namespace n ON n.oid = k.connamespace WHERE contype = 'f' AND nspname = '\(other)'",
            in: other)
        #expect(keys.count == 3)
    }

    @Test("A copy that wasn't finished isn't opened, and another Save As takes its place")
    func unfinished() throws {
        _ = try fill(2)
        let model = HistoryTests.model()
        try ServerStack(url(other), model).close()
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSPostgreSQLStoreType, at: url(other))
        metadata["OpenCoreDataUnfinishedCopy"] = true
        try NSPersistentStoreCoordinator.setMetadata(
            metadata, forPersistentStoreOfType: NSPostgreSQLStoreType, at: url(other))
        #expect(throws: NSError.self) { _ = try ServerStack(url(other), HistoryTests.model()) }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HistoryTests.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSPostgreSQLStoreType, configurationName: nil, at: url(schema))
        try coordinator.migratePersistentStore(store, to: url(other), options: nil, withType: NSPostgreSQLStoreType)
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        let count = try context.performAndWait { try NoteModel.all("Note", in: context).count }
        #expect(count == 2)
    }

    @Test("A mapping model migrates into a schema beside the store, which takes its place")
    func mapped() throws {
        _ = try fill(5)
        let destination = HistoryTests.model()
        let note = destination.entitiesByName["Note"]!
        note.properties.removeAll { $0.name == "text" }
        let mapping = NSMappingModel()
        mapping.entityMappings = try NSMappingModel.inferredMappingModel(
            forSourceModel: HistoryTests.model(), destinationModel: destination
        ).entityMappings
        let migration = try #require(mapping.entityMappings.first { $0.sourceEntityName == "Note" })
        let attribute = try #require(migration.attributeMappings?.first { $0.name == "name" })
        attribute.valueExpression = NSExpression(
            forFunction: "uppercase:", arguments: [NSExpression(format: "$source.name")])
        try NSPersistentStoreCoordinator.migrateStore(
            at: url(schema), ofType: NSPostgreSQLStoreType, from: HistoryTests.model(), to: destination,
            mapping: mapping)
        let context = try ServerStack(url(schema), destination).context()
        try context.performAndWait {
            let names = try NoteModel.all("Note", in: context).map { $0.value(forKey: "name") as? String }
            #expect(names == ["N0", "N1", "N2", "N3", "N4"])
            let notes = try NoteModel.all("Folder", in: context).first?.value(forKey: "notes") as? NSOrderedSet
            #expect(notes?.count == 5)
        }
        let left = try TestServer.shared.execute(
            "SELECT nspname FROM pg_namespace WHERE nspname LIKE '\(schema)%'", in: "public")
        #expect(left == [[schema]])
    }
}
