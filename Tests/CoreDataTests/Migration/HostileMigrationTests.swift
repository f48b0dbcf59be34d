import CoreData
import Foundation
import Testing

@Suite("A migration of what isn't as it should be")
struct HostileMigrationTests {
    private let folder: TemporaryFolder
    private var url: URL { folder.url.appendingPathComponent("Library.sqlite") }
    private let automatic: [String: Any] = [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]

    init() throws {
        folder = try TemporaryFolder()
        try MigrationLibrary.makeStore(at: url, authors: 200)
    }

    private func open(_ model: NSManagedObjectModel, _ options: [String: Any] = [:]) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: automatic.merging(options) { $1 })
        try coordinator.remove(store)
    }

    @Test("a store with damaged pages throws, or is migrated; it never crashes, and what is there stays readable")
    func damagedPages() throws {
        let original = try Data(contentsOf: url)
        var generator = SeededGenerator(seed: 17)
        for round in 0..<40 {
            var bytes = original
            for _ in 0..<3 {
                let place = Int.random(in: 100..<bytes.count - 64, using: &generator)
                for offset in 0..<32 { bytes[place + offset] = UInt8.random(in: 0...255, using: &generator) }
            }
            for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: url.path + suffix) }
            try bytes.write(to: url)
            do {
                try open(MigrationLibrary.nextModel())
            } catch let error as NSError {
                #expect(error.domain == NSCocoaErrorDomain, "round \(round): \(error)")
                #expect(!error.localizedDescription.isEmpty)
            }
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left.allSatisfy { $0.hasPrefix("Library.sqlite") }, "\(left)")
    }

    @Test("a store of another app is refused, as nobody knows its model or nothing of it is left")
    func anotherModel() throws {
        let entity = NSEntityDescription()
        entity.name = "Unrelated"
        entity.properties = [MigrationLibrary.attribute("x", .stringAttributeType)]
        let model = NSManagedObjectModel()
        model.entities = [entity]
        try PlainDatabase(url).execute("DELETE FROM Z_MODELCACHE")
        let before = try PlainDatabase(url).content()
        let error = #expect(throws: NSError.self) { try open(model) }
        #expect(error?.code == NSMigrationMissingSourceModelError)
        for text in ["Author", "Book", url.path] { #expect(error?.localizedDescription.contains(text) == true) }
        #expect(try PlainDatabase(url).content() == before)
    }

    @Test("a damaged copy of the store's own model is an error that says so")
    func damagedModelCache() throws {
        try PlainDatabase(url).execute("UPDATE Z_MODELCACHE SET Z_CONTENT = X'0102030405'")
        let error = #expect(throws: NSError.self) { try open(MigrationLibrary.nextModel()) }
        #expect(error?.code == NSMigrationMissingSourceModelError)
        #expect(error?.userInfo[NSUnderlyingErrorKey] != nil)
        #expect(try PlainSQLite.rows("SELECT COUNT(*) FROM ZAUTHOR", in: url) == [["200"]])
    }

    @Test("a default value is a text like any other, also where a combining mark hides its quote from Swift")
    func hiddenQuote() throws {
        let model = try Library.model()
        let text = "o'\u{301}, 1); DROP TABLE ZBOOK; --"
        let attribute = MigrationLibrary.attribute("motto", .stringAttributeType)
        attribute.isOptional = false
        attribute.defaultValue = text
        model.entitiesByName["Author"]?.properties.append(attribute)
        try open(model)
        #expect(try PlainSQLite.rows("SELECT DISTINCT ZMOTTO FROM ZAUTHOR", in: url) == [[text]])
    }

    @Test("a read-only option isn't migrated; the error names what differs")
    func readOnlyOption() throws {
        let before = try Data(contentsOf: url)
        let error = #expect(throws: NSError.self) {
            try open(MigrationLibrary.nextModel(), [NSReadOnlyPersistentStoreOption: true])
        }
        #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
        #expect(error?.localizedDescription.contains("Writer") == true)
        #expect(try Data(contentsOf: url) == before)
    }

    @Test(
        "a folder that can't be written is an error that names it",
        .enabled(if: SmallDisk.canBeMade, "no file system can be mounted here"))
    func readOnlyDisk() throws {
        let place = folder.url.appendingPathComponent("Disk")
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let disk = try SmallDisk(at: place, kilobytes: 4096)
        defer { disk.remove() }
        let store = place.appendingPathComponent("Library.sqlite")
        try FileManager.default.copyItem(at: url, to: store)
        try disk.makeReadOnly()
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let mapping = NSMappingModel()
        mapping.entityMappings = try NSMappingModel.inferredMappingModel(
            forSourceModel: old, destinationModel: new
        ).entityMappings
        for way in [nil, mapping] {
            let error = #expect(throws: NSError.self) {
                try NSPersistentStoreCoordinator.migrateStore(
                    at: store, ofType: NSSQLiteStoreType, from: old, to: new, mapping: way)
            }
            #expect(error?.code == CocoaError.fileWriteNoPermission.rawValue, "\(error!)")
            #expect(error?.localizedDescription.contains(store.path) == true)
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path) == ["Library.sqlite"])
    }

    @Test("a mapping model for other versions is refused before anything is made")
    func otherVersions() throws {
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        let other = try Library.model()
        other.entitiesByName["Book"]?.versionHashModifier = "other"
        let target = folder.url.appendingPathComponent("New.sqlite")
        let error = #expect(throws: NSError.self) {
            try NSMigrationManager(sourceModel: other, destinationModel: new)
                .migrateStore(from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        }
        #expect(error?.localizedDescription.contains("Book") == true, "\(error!)")
        #expect(!FileManager.default.fileExists(atPath: target.path))
        // The source is of another model than the manager's.
        let wrong = try NSMappingModel.inferredMappingModel(forSourceModel: other, destinationModel: new)
        let second = #expect(throws: NSError.self) {
            try NSMigrationManager(sourceModel: other, destinationModel: new)
                .migrateStore(from: url, type: .sqlite, mapping: wrong, to: target, type: .sqlite)
        }
        #expect(second?.code == NSMigrationManagerSourceStoreError)
        #expect(!FileManager.default.fileExists(atPath: target.path))
    }

    @Test("a policy class that nobody knows is an error that says how to make it known")
    func unknownPolicy() throws {
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        mapping.entityMappings.last?.entityMigrationPolicyClassName = "Nowhere.Policy"
        let target = folder.url.appendingPathComponent("New.sqlite")
        let error = #expect(throws: NSError.self) {
            try NSMigrationManager(sourceModel: old, destinationModel: new)
                .migrateStore(from: url, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
        }
        #expect(error?.code == NSEntityMigrationPolicyError)
        #expect(error?.localizedDescription.contains("Nowhere.Policy") == true)
    }
}
