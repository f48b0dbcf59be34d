import CoreData
import Foundation
import Testing

/// Apple: NSPersistentStoreDeferredLightweightMigrationOptionKey, and "Defer your migrations" of WWDC 2023.
@Suite("A lightweight migration that leaves work for later")
struct DeferredMigrationTests {
    private static let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
    private static let names = ["name", "mark", "copies"]

    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Library.sqlite") }
    private let automatic: [String: Any] = [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]
    private var deferring: [String: Any] { automatic.merging([Self.key: true]) { $1 } }

    init() throws { folder = try TemporaryFolder() }

    /// The next version, with three indexes.
    private func indexedModel() throws -> NSManagedObjectModel {
        let model = try MigrationLibrary.nextModel()
        let book = model.entitiesByName["Book"]!
        book.indexes = Self.names.map { name in
            NSFetchIndexDescription(
                name: "by\(name)",
                elements: [
                    NSFetchIndexElementDescription(property: book.propertiesByName[name]!, collationType: .binary)
                ])
        }
        return model
    }

    private func makeStore(authors: Int = 2) throws { try MigrationLibrary.makeStore(at: url, authors: authors) }

    /// Opens the store as one start of the app does.
    private func opened<Result>(
        _ model: NSManagedObjectModel, _ options: [String: Any]? = nil,
        _ body: (NSPersistentStoreCoordinator, NSPersistentStore) throws -> Result
    ) throws -> Result {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        defer { try? coordinator.remove(store) }
        return try body(coordinator, store)
    }

    private func isPending() throws -> Bool {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        return metadata[Self.key] as? Bool == true
    }

    private func presentIndexes() throws -> Int {
        try PlainSQLite.rows("SELECT name FROM sqlite_master WHERE type = 'index' AND sql NOT NULL", in: url).count
    }

    /// How many indexes a fresh store has.
    private func allIndexes(_ model: NSManagedObjectModel) throws -> Int {
        try FreshSchema.of(model, historyTracking: false).count { $0[0] == "index" && $0[3] != nil }
    }

    private func expectComplete(_ model: NSManagedObjectModel) throws {
        #expect(try !isPending())
        #expect(try FreshSchema.present(in: url) == FreshSchema.of(model, historyTracking: false))
        #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]])
    }

    @Test("says so in its metadata, and can be used before and in between; each task may be a start of the app")
    func taskByTask() throws {
        try makeStore()
        let model = try indexedModel()
        try opened(model, deferring) { coordinator, store in
            #expect(coordinator.metadata(for: store)[Self.key] as? Bool == true)
        }
        #expect(try isPending())
        let (left, all) = (try presentIndexes(), try allIndexes(model))
        #expect(all - left >= Self.names.count)
        for present in left + 1...all {
            // The option isn't needed any more.
            try opened(model) { coordinator, store in
                #expect(coordinator.metadata(for: store)[Self.key] as? Bool == true)
                let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
                context.persistentStoreCoordinator = coordinator
                try context.performAndWait {
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                    request.predicate = NSPredicate(format: "name BEGINSWITH 'Book 1' AND mark == 'none'")
                    #expect(try context.fetch(request).count == 3)
                    context.make("Writer", ["name": "Writer \(present)"])
                    try context.save()
                }
                try coordinator.finishDeferredLightweightMigrationTask()
                #expect(coordinator.metadata(for: store)[Self.key] as? Bool == (present < all ? true : nil))
            }
            #expect(try presentIndexes() == present)
            #expect(try isPending() == (present < all))
        }
        try expectComplete(model)
        // There is nothing to do any more, and that is no error.
        try opened(model, deferring) { coordinator, _ in
            try coordinator.finishDeferredLightweightMigration()
            try coordinator.finishDeferredLightweightMigrationTask()
        }
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ZWRITER", in: url) == [["\(2 + all - left)"]])
    }

    @Test("is finished at once where that is asked for, after single tasks too", arguments: 0...3)
    func allAtOnce(tasks: Int) throws {
        try makeStore()
        let model = try indexedModel()
        try opened(model, deferring) { coordinator, store in
            for _ in 0..<tasks { try coordinator.finishDeferredLightweightMigrationTask() }
            try coordinator.finishDeferredLightweightMigration()
            #expect(coordinator.metadata(for: store)[Self.key] == nil)
        }
        try expectComplete(model)
    }

    @Test("says nothing where there is nothing to put off, nor without the option")
    func nothingLeft() throws {
        try makeStore()
        try opened(indexedModel(), automatic) { coordinator, store in
            #expect(coordinator.metadata(for: store)[Self.key] == nil)
        }
        try expectComplete(indexedModel())
        // A new store, and one that needs no migration, have nothing to catch up with.
        try opened(indexedModel(), deferring) { coordinator, store in
            #expect(coordinator.metadata(for: store)[Self.key] == nil)
        }
    }

    @Test("never puts off a rule: a constraint that the data break is refused as ever")
    func rules() throws {
        try makeStore()
        let model = try indexedModel()
        model.entitiesByName["Book"]?.uniquenessConstraints = [["copies"]]
        let before = try PlainDatabase(url).content()
        let error = #expect(throws: NSError.self) { try opened(model, deferring) { _, _ in } }
        #expect(error?.code == NSMigrationConstraintViolationError)
        #expect(try PlainDatabase(url).content() == before)
        #expect(try !isPending())
    }

    @Test("keeps metadata that the app has set and not saved yet")
    func unsavedMetadata() throws {
        try makeStore()
        let model = try indexedModel()
        try opened(model, deferring) { coordinator, store in
            var metadata = coordinator.metadata(for: store)
            metadata["set by the app"] = "yes"
            coordinator.setMetadata(metadata, for: store)
            try coordinator.finishDeferredLightweightMigration()
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            try context.performAndWait { try context.save() }
        }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(metadata["set by the app"] as? String == "yes")
        try expectComplete(model)
    }

    @Test("is completed by the next migration, which may leave work of its own", arguments: [false, true])
    func nextMigration(defers: Bool) throws {
        try makeStore()
        try opened(indexedModel(), deferring) { _, _ in }
        let model = try indexedModel()
        model.entitiesByName["Book"]?.properties += [MigrationLibrary.attribute("shelf", .stringAttributeType)]
        try opened(model, defers ? deferring : automatic) { coordinator, store in
            #expect(coordinator.metadata(for: store)[Self.key] as? Bool == (defers ? true : nil))
            if defers { try coordinator.finishDeferredLightweightMigration() }
        }
        try expectComplete(model)
    }

    @Test("is refused to a coordinator whose model isn't the store's any more")
    func overtaken() throws {
        try makeStore()
        let (first, second) = (try indexedModel(), try indexedModel())
        second.entitiesByName["Book"]?.properties += [MigrationLibrary.attribute("shelf", .stringAttributeType)]
        try opened(first, deferring) { coordinator, _ in
            try opened(second, deferring) { _, _ in }
            let present = try presentIndexes()
            #expect(throws: NSError.self) { try coordinator.finishDeferredLightweightMigration() }
            #expect(try presentIndexes() == present)
        }
        try opened(second) { coordinator, _ in try coordinator.finishDeferredLightweightMigration() }
        try expectComplete(second)
    }

    @Test("is finished once by several processes at the same time, none of which fails")
    func processes() throws {
        try makeStore(authors: 500)
        let model = try indexedModel()
        let file = folder.url.appendingPathComponent("Model.mom")
        try model.archivedData().write(to: file)
        try opened(model, deferring) { coordinator, store in
            let children = try (0..<2).map { _ in try ChildProcess(["finish", url.path, file.path]) }
            try coordinator.finishDeferredLightweightMigration()
            for child in children {
                let outcome = child.finish(within: 120)
                #expect(outcome.endedWell && outcome.lines.last == "end", "\(outcome.lines)")
            }
            #expect(coordinator.metadata(for: store)[Self.key] == nil)
        }
        try expectComplete(model)
    }

    @Test("survives a kill at any moment: what was done stays, and the rest can be done")
    func killed() throws {
        let rounds = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == nil ? 5 : 50
        try makeStore(authors: 2000)
        let model = try indexedModel()
        let file = folder.url.appendingPathComponent("Model.mom")
        try model.archivedData().write(to: file)
        try opened(model, deferring) { _, _ in }
        let template = folder.url.appendingPathComponent("Template.sqlite")
        try FileManager.default.copyItem(at: url, to: template)
        let (left, all) = (try presentIndexes(), try allIndexes(model))
        var generator = SeededGenerator(seed: 5)
        var longest = 0.05
        for round in 0..<rounds {
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
            try FileManager.default.copyItem(at: template, to: url)
            let delay = Double.random(in: 0...longest, using: &generator)
            let outcome = try ChildProcess(["finish", url.path, file.path]).finish(within: delay, of: "begin")
            longest = outcome.endedWell ? max(0.01, min(longest, delay * 1.5)) : max(longest, delay * 1.2)
            let done = outcome.lines.count { $0 == "task" }
            let made = try presentIndexes() - left
            #expect(made >= done && made <= done + 1, "round \(round)")
            #expect(try isPending() == (left + made < all), "round \(round)")
            try opened(model) { coordinator, _ in try coordinator.finishDeferredLightweightMigration() }
            try expectComplete(model)
            #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ZBOOK", in: url) == [["6000"]])
        }
    }
}
