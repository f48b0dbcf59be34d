import CoreData
import Foundation
import Testing

@Suite("Opening a store of another model")
struct AutomaticMigrationTests {
    private let automatic: [String: Any] = [
        NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
    ]

    private func open(_ url: URL, _ model: NSManagedObjectModel, _ options: [String: Any]) throws -> [String: Any] {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        defer { try? coordinator.remove(store) }
        return coordinator.metadata(for: store)
    }

    @Test("is refused without the options, each error saying what would help")
    func refused() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Library.sqlite")
        try MigrationLibrary.makeStore(at: url, authors: 2)
        let before = try PlainDatabase(url).content()
        for (options, code, texts) in [
            (
                [:], NSPersistentStoreIncompatibleVersionHashError,
                [
                    "entity 'Author' is in the store only", "'mark' is in the model only",
                    "'title' is in the store only",
                    "Migrate the store, or open it with the model that it was made for.",
                ]
            ),
            (
                [NSMigratePersistentStoresAutomaticallyOption: true], NSMigrationMissingMappingModelError,
                [
                    "Book.mark: the property is new", "Book.name: the property was called title",
                    "Writer: the entity was called Author", "NSInferMappingModelAutomaticallyOption",
                ]
            ),
        ] as [([String: Any], Int, [String])] {
            let error = #expect(throws: NSError.self) { try open(url, MigrationLibrary.nextModel(), options) }
            #expect(error?.code == code)
            for text in texts + [url.path, "Writer"] {
                #expect(error?.localizedDescription.contains(text) == true, "\(text) in \(error!)")
            }
        }
        #expect(try PlainDatabase(url).content() == before)
    }

    @Test("by a container migrates it; its UUID, what an app added to the metadata, and history stay")
    func container() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Library.sqlite")
        try MigrationLibrary.makeStore(at: url, authors: 3, options: [NSPersistentHistoryTrackingKey: true])
        var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        metadata["added by an app"] = "yes"
        try NSPersistentStoreCoordinator.setMetadata(metadata, forPersistentStoreOfType: NSSQLiteStoreType, at: url)
        let stack = try StoreStack(url, model: MigrationLibrary.nextModel())
        let store = try #require(stack.container.persistentStoreCoordinator.persistentStores.first)
        #expect(store.identifier == metadata[NSStoreUUIDKey] as? String)
        #expect(store.metadata["added by an app"] as? String == "yes")
        #expect(try stack.context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Writer")) == 3)
        try stack.close()
        let authors = try PlainSQLite.rows(
            "SELECT s.ZNAME FROM ATRANSACTION t JOIN ATRANSACTIONSTRING s ON s.Z_PK = t.ZAUTHORTS ORDER BY t.Z_PK",
            in: url)
        let last = try #require(authors.last?[0])
        let digest = try #require(metadata["NSStoreModelVersionHashesDigest"] as? String)
        #expect(
            last == "com.apple.coredata.schemamigrator: lightweight migration from model with digest { \(digest) }")
        let changed = try PlainSQLite.rows(
            "SELECT COUNT(*) FROM ACHANGE c JOIN Z_PRIMARYKEY p ON p.Z_ENT = c.ZENTITY WHERE p.Z_NAME = 'Writer'",
            in: url)
        #expect(changed == [["3"]])
    }

    @Test("with versioning ignored opens it as it is, where its tables fit")
    func ignored() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Library.sqlite")
        try MigrationLibrary.makeStore(at: url, authors: 2)
        let model = try Library.model()
        model.entitiesByName["Book"]?.versionHashModifier = "changed"
        _ = try open(url, model, automatic.merging([NSIgnorePersistentStoreVersioningOption: true]) { $1 })
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(!model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
    }

    @Test("that breaks a new uniqueness constraint is refused, and names it")
    func notUnique() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Library.sqlite")
        try MigrationLibrary.makeStore(at: url, authors: 2)
        let model = try Library.model()
        model.entitiesByName["Book"]?.uniquenessConstraints = [["copies"]]
        let before = try PlainDatabase(url).content()
        let error = #expect(throws: NSError.self) { try open(url, model, automatic) }
        #expect(error?.code == NSMigrationConstraintViolationError)
        #expect(error?.localizedDescription.contains("copies") == true)
        #expect(try PlainDatabase(url).content() == before)
    }

    @Test("may leave indexes for later, and makes them when asked")
    func deferred() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Library.sqlite")
        try MigrationLibrary.makeStore(at: url, authors: 2)
        let model = try MigrationLibrary.nextModel()
        let book = model.entitiesByName["Book"]!
        let names = ["name", "mark", "copies"]
        book.indexes = names.map { name in
            NSFetchIndexDescription(
                name: "by\(name)",
                elements: [
                    NSFetchIndexElementDescription(property: book.propertiesByName[name]!, collationType: .binary)
                ])
        }
        let key = NSPersistentStoreDeferredLightweightMigrationOptionKey
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: automatic.merging([key: true]) { $1 })
        #expect(coordinator.metadata(for: store)[key] as? Bool == true)
        #expect(try indexes(url).isDisjoint(with: names.map { "Z_Book_by\($0)" }))
        try coordinator.finishDeferredLightweightMigrationTask()
        #expect(coordinator.metadata(for: store)[key] as? Bool == true)
        try coordinator.finishDeferredLightweightMigration()
        #expect(coordinator.metadata(for: store)[key] == nil)
        try coordinator.remove(store)
        #expect(try FreshSchema.present(in: url) == FreshSchema.of(model, historyTracking: false))
    }

    private func indexes(_ url: URL) throws -> Set<String> {
        Set(try PlainSQLite.rows("SELECT name FROM sqlite_master WHERE type = 'index'", in: url).compactMap { $0[0] })
    }
}
