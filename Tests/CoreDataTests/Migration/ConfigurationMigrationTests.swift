import CoreData
import Foundation
import Testing

@Suite("Stores of several configurations of one model, migrated")
struct ConfigurationMigrationTests {
    /// Places in one store, and the notes about them, which a fetched property finds, in another.
    private static func model(isNew: Bool) -> NSManagedObjectModel {
        let (place, note) = (NSEntityDescription(), NSEntityDescription())
        (place.name, note.name) = ("Place", isNew ? "Remark" : "Note")
        note.renamingIdentifier = "Note"
        place.properties = [MigrationLibrary.attribute("name", .stringAttributeType)]
        note.properties = [
            MigrationLibrary.attribute("text", .stringAttributeType),
            MigrationLibrary.attribute("place", .stringAttributeType),
        ]
        if isNew {
            let stars = MigrationLibrary.attribute("stars", .integer16AttributeType)
            (stars.isOptional, stars.defaultValue) = (false, 3)
            place.properties += [stars]
        }
        let model = NSManagedObjectModel()
        model.entities = [place, note]
        model.setEntities([place], forConfigurationName: "Given")
        model.setEntities([note], forConfigurationName: "Own")
        return model
    }

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func url(_ configuration: String) -> URL { folder.url.appendingPathComponent("\(configuration).store") }

    private func open(
        _ model: NSManagedObjectModel, _ type: String, _ options: [String: Any]? = nil,
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        for configuration in ["Given", "Own"] {
            try coordinator.addPersistentStore(
                ofType: type, configurationName: configuration, at: url(configuration), options: options)
        }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// Seen in the tests of TMLPersistentContainer.
    @Test("are migrated by a manager that knows no configurations")
    func migratesByPlainManager() throws {
        let (old, new) = (Self.model(isNew: false), Self.model(isNew: true))
        try open(old, NSSQLiteStoreType) { context in
            context.make("Place", ["name": "Here"])
            context.make("Note", ["text": "There"])
            try context.save()
        }
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        for (configuration, key) in [("Given", "name"), ("Own", "text")] {
            let target = folder.url.appendingPathComponent("\(configuration).new")
            try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
                from: url(configuration), type: .sqlite, mapping: mapping, to: target, type: .sqlite)
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: target)
            #expect(new.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata))
            let table = configuration == "Given" ? "ZPLACE" : "ZREMARK"
            let value = configuration == "Given" ? "Here" : "There"
            #expect(try PlainSQLite.rows("SELECT Z\(key.uppercased()) FROM \(table)", in: target) == [[value]])
        }
    }

    @Test("go each to the new version of its own entities", arguments: [false, true])
    func migrates(hasHistory: Bool) throws {
        let history: [String: Any] = hasHistory ? [NSPersistentHistoryTrackingKey: true] : [:]
        let (old, new) = (Self.model(isNew: false), Self.model(isNew: true))
        try open(old, NSSQLiteStoreType, history) { context in
            for number in 0..<5 {
                context.make("Place", ["name": "Place \(number)"])
                context.make("Note", ["text": "Note \(number)", "place": "Place \(number)"])
            }
            try context.save()
        }
        let automatic: [String: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        try open(new, NSSQLiteStoreType, automatic.merging(history) { $1 }) { context in
            #expect(try context.all("Place").map { $0.value(forKey: "stars") as? Int } == [3, 3, 3, 3, 3])
            #expect(try context.all("Remark", sort: "text").map { $0.text("text") } == (0..<5).map { "Note \($0)" })
            context.make("Remark", ["text": "later"])
            context.make("Place", ["name": "later"])
            try context.save()
        }
        for (configuration, table, other) in [("Given", "ZPLACE", "ZREMARK"), ("Own", "ZREMARK", "ZPLACE")] {
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url(configuration))
            #expect(new.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata))
            let tables = try PlainSQLite.rows(
                "SELECT name FROM sqlite_master WHERE type = 'table'", in: url(configuration)
            ).compactMap { $0[0] }
            #expect(tables.contains(table) && !tables.contains(other))
            #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM \(table)", in: url(configuration)) == [["6"]])
        }
    }

    @Test("also by a mapping model, in stores of other types")
    func migratesByManager() throws {
        let (old, new) = (Self.model(isNew: false), Self.model(isNew: true))
        try open(old, NSXMLStoreType) { context in
            context.make("Place", ["name": "Ulm"])
            context.make("Note", ["text": "high", "place": "Ulm"])
            try context.save()
        }
        // The models of the test's bundle would have to have the old version; a stage knows it as well.
        func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
            NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
        }
        let stage = NSCustomMigrationStage(migratingFrom: reference(old), to: reference(new))
        let options: [String: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage]),
        ]
        try open(new, NSXMLStoreType, options) { context throws in
            #expect(try context.all("Place").map { $0.value(forKey: "stars") as? Int } == [3])
            #expect(try context.all("Remark").map { $0.text("text") } == ["high"])
        }
    }
}
