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
                if version < 3 { note.setValue(String(repeating: "x", count: number), forKey: "text") }
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

    /// Stages with just these versions; a pair is a custom one, which writes the version that its handlers see.
    private func plan(_ versions: [[Int]], _ calls: @escaping (String) -> Void) -> [NSMigrationStage] {
        versions.map { list in
            guard list.count == 2, list[0] < 0 else {
                return NSLightweightMigrationStage(list.map { Self.model($0).versionChecksum })
            }
            let stage = NSCustomMigrationStage(migratingFrom: reference(-list[0]), to: reference(list[1]))
            func version(_ manager: NSStagedMigrationManager) throws -> Int {
                let container = try #require(manager.container)
                let checksum = container.managedObjectModel.versionChecksum
                let context = container.newThreadContext()
                let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
                #expect(count == 5)
                return (1...4).first { Self.model($0).versionChecksum == checksum } ?? 0
            }
            stage.willMigrateHandler = { manager, _ in calls("will at \(try version(manager))") }
            stage.didMigrateHandler = { manager, _ in calls("did at \(try version(manager))") }
            return stage
        }
    }

    /// What an app may give: the stages (a custom one begins with a minus sign), the store's version, and the calls.
    struct Plan: Sendable {
        var stages: [[Int]]
        var begin: Int
        var end = 4
        var calls: [String]
    }

    @Test(
        "finds its way where stages don't touch, as those of Apple's session don't",
        arguments: [
            Plan(stages: [[1], [-2, 3]], begin: 1, end: 3, calls: ["will at 2", "did at 3"]),
            Plan(stages: [[1], [-2, 3], [4]], begin: 1, calls: ["will at 2", "did at 3"]),
            Plan(stages: [[1], [-2, 3], [4]], begin: 2, calls: ["will at 2", "did at 3"]),
            Plan(stages: [[1], [-2, 3], [4]], begin: 3, calls: []),
            Plan(stages: [[1], [-2, 3]], begin: 1, end: 2, calls: []),
            Plan(
                stages: [[-1, 2], [-2, 3], [-3, 4]], begin: 2,
                calls: ["will at 2", "did at 3", "will at 3", "did at 4"]),
            Plan(stages: [[1, 2], [-3, 4]], begin: 1, calls: ["will at 3", "did at 4"]),
            Plan(stages: [[1, 2, 3, 4]], begin: 2, calls: []),
            Plan(stages: [[1], [2], [3], [4]], begin: 1, calls: []),
        ])
    func gaps(_ plan: Plan) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        try makeStore(at: url, version: plan.begin)
        var calls: [String] = []
        let stages = self.plan(plan.stages) { calls.append($0) }
        try with(Self.model(plan.end), url, options(stages)) { context in
            let count = try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Note"))
            #expect(count == 5)
        }
        #expect(calls == plan.calls)
        #expect(try FreshSchema.present(in: url) == FreshSchema.of(Self.model(plan.end), historyTracking: false))
    }

    @Test("is refused for versions that no stage has, and backward within one stage")
    func unknownVersions() throws {
        let folder = try TemporaryFolder()
        for (stages, begin, end, code) in [
            ([[2], [-3, 4]], 1, 4, NSManagedObjectModelReferenceNotFoundError),
            ([[1], [-2, 3]], 1, 4, NSManagedObjectModelReferenceNotFoundError),
            ([[1, 2, 3, 4]], 3, 2, NSStagedMigrationBackwardMigrationError),
            ([[3, 4], [-1, 2]], 1, 4, NSStagedMigrationBackwardMigrationError),
        ] {
            let url = folder.url.appendingPathComponent("\(stages)\(begin)\(end).sqlite")
            try makeStore(at: url, version: begin)
            let before = try PlainDatabase(url).content()
            let error = #expect(throws: NSError.self) {
                try with(Self.model(end), url, options(plan(stages) { _ in })) { _ in }
            }
            #expect(error?.code == code, "\(stages): \(error!)")
            #expect(
                error?.localizedDescription.contains(Self.model(begin).versionChecksum) == true
                    || code == NSManagedObjectModelReferenceNotFoundError)
            #expect(try PlainDatabase(url).content() == before)
        }
    }

    @Test("goes version by version where the whole way can't be inferred at once")
    func stepwise() throws {
        func model(_ names: [(String, NSAttributeType)]) -> NSManagedObjectModel {
            let entity = NSEntityDescription()
            entity.name = "Note"
            entity.properties = names.map { MigrationLibrary.attribute($0.0, $0.1) }
            let model = NSManagedObjectModel()
            model.entities = [entity]
            return model
        }
        // The same name with another type: possible only by way of a version without it.
        let models = [
            model([("id", .integer64AttributeType), ("size", .stringAttributeType)]),
            model([("id", .integer64AttributeType)]),
            model([("id", .integer64AttributeType), ("size", .integer64AttributeType)]),
        ]
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        try with(models[0], url, [:]) { context in
            context.make("Note", ["id": 7, "size": "large"])
            try context.save()
        }
        let custom = NSCustomMigrationStage(
            migratingFrom: NSManagedObjectModelReference(model: models[1], versionChecksum: models[1].versionChecksum),
            to: NSManagedObjectModelReference(model: models[2], versionChecksum: models[2].versionChecksum))
        let lightweight = NSLightweightMigrationStage(models.map(\.versionChecksum))
        // The models in between are known from the other stage.
        try with(models[2], url, options([lightweight, custom])) { context in
            let note = try #require(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")).first)
            #expect(note.value(forKey: "id") as? Int == 7)
            #expect(note.value(forKey: "size") == nil)
        }
    }

    @Test("leaves the store at the last stage that was complete when a handler throws, and goes on from there")
    func failingHandler() throws {
        struct Stop: Error {}
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        try makeStore(at: url, version: 1)
        var fails = true
        let stages = stages { _ in }
        let custom = try #require(stages[1] as? NSCustomMigrationStage)
        let handler = custom.willMigrateHandler
        custom.willMigrateHandler = { manager, stage in
            if fails { throw Stop() }
            try handler?(manager, stage)
        }
        #expect(throws: Stop.self) { try with(Self.model(4), url, options(stages)) { _ in } }
        #expect(try FreshSchema.present(in: url) == FreshSchema.of(Self.model(2), historyTracking: false))
        fails = false
        try with(Self.model(4), url, options(stages)) { context in
            let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
            #expect(notes.allSatisfy { $0.value(forKey: "length") as? Int == $0.value(forKey: "id") as? Int })
        }
    }

    @Test("by a container with a description's option; labels stand in history, and in errors")
    func containerAndLabels() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        try with(Self.model(2), url, [NSPersistentHistoryTrackingKey: true]) { context in
            context.make("Note", ["id": 1, "text": "x"])
            try context.save()
        }
        let description = NSPersistentStoreDescription(url: url)
        description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
        description.setOption(
            NSStagedMigrationManager(stages { _ in }), forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
        let container = NSPersistentContainer(name: "Notes", managedObjectModel: Self.model(4))
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        #expect(failure == nil)
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
        let names = try PlainSQLite.rows(
            """
            SELECT c.ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS
            LEFT JOIN ATRANSACTIONSTRING c ON c.Z_PK = t.ZCONTEXTNAMETS
            WHERE s.ZNAME LIKE 'com.apple.coredata.schemamigrator%' ORDER BY t.Z_PK
            """, in: url)
        #expect(names == [["lengths"], [nil]])
        #expect(NSLightweightMigrationStage([]).label == "")
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
