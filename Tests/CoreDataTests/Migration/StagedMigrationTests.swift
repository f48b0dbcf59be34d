import CoreData
import Foundation
import Testing

@Suite("Staged migration")
struct StagedMigrationTests {
    /// A note with a text; then with the text's length; then without the text; each a version of its own.
    private static func model(_ version: Int) -> NSManagedObjectModel {
        let note = NSEntityDescription()
        note.name = "Note"
        var names = ["id"]
        if version < 3 { names.append("text") }
        if version >= 2 { names.append("length") }
        if version >= 4 { names.append("colour") }
        note.properties = names.map { name in
            MigrationLibrary.attribute(
                name, ["text", "colour"].contains(name) ? .stringAttributeType : .integer64AttributeType)
        }
        let model = NSManagedObjectModel()
        model.entities = [note]
        return model
    }

    private func makeStore(at url: URL, version: Int) throws {
        try with(Self.model(version), url, [:]) { context in
            for number in 0..<5 {
                let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
                note.setValue(number, forKey: "id")
                note.setValue(String(repeating: "x", count: number), forKey: "text")
            }
            try context.save()
        }
    }

    private func with(
        _ model: NSManagedObjectModel, _ url: URL, _ options: [String: Any],
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }

    private func reference(_ version: Int) -> NSManagedObjectModelReference {
        let model = Self.model(version)
        return NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    }

    private func stages(_ calls: @escaping (String) -> Void) -> [NSMigrationStage] {
        let custom = NSCustomMigrationStage(migratingFrom: reference(2), to: reference(3))
        custom.label = "lengths"
        custom.willMigrateHandler = { manager, stage in
            calls("will \(stage.label ?? "")")
            let context = try #require(manager.container).newBackgroundContext()
            try context.performAndWait {
                for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
                    note.setValue((note.value(forKey: "text") as? String)?.count, forKey: "length")
                }
                try context.save()
            }
        }
        custom.didMigrateHandler = { manager, _ in
            let model = try #require(manager.container).managedObjectModel
            calls("did, text: \(model.entitiesByName["Note"]?.attributesByName["text"] != nil)")
        }
        return [
            NSLightweightMigrationStage([1, 2].map { Self.model($0).versionChecksum }), custom,
            NSLightweightMigrationStage([3, 4].map { Self.model($0).versionChecksum }),
        ]
    }

    private func options(_ stages: [NSMigrationStage]) -> [String: Any] {
        [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages),
        ]
    }

    @Test("goes through the stages that are left, with handlers that have the store at hand", arguments: [1, 2])
    func chain(begin: Int) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        try makeStore(at: url, version: begin)
        var calls: [String] = []
        try with(Self.model(4), url, options(stages { calls.append($0) })) { context in
            let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
            #expect(notes.count == 5)
            #expect(notes.allSatisfy { $0.value(forKey: "length") as? Int == $0.value(forKey: "id") as? Int })
        }
        #expect(calls == ["will lengths", "did, text: false"])
        #expect(try FreshSchema.present(in: url) == FreshSchema.of(Self.model(4), historyTracking: false))
    }

    @Test("doesn't go backward")
    func backward() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        try with(Self.model(4), url, [:]) { _ in }
        let error = #expect(throws: NSError.self) {
            try with(Self.model(2), url, options(stages { _ in })) { _ in }
        }
        #expect(error?.code == NSStagedMigrationBackwardMigrationError)
    }

    @Test("says which reference leads to no model")
    func missingModel() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        try makeStore(at: url, version: 2)
        let wrong = NSManagedObjectModelReference(model: Self.model(1), versionChecksum: "no checksum")
        let stage = NSCustomMigrationStage(migratingFrom: reference(2), to: wrong)
        let error = #expect(throws: NSError.self) { try with(Self.model(3), url, options([stage])) { _ in } }
        #expect(error?.code == NSManagedObjectModelReferenceNotFoundError)
        #expect(error?.localizedDescription.contains("no checksum") == true)
    }
}
