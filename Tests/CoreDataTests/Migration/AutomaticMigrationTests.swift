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

    @Test(
        "that can't be worked out has Apple's codes: one where values are missing, another for all else",
        arguments: [
            (NSAttributeType.stringAttributeType, false, NSMigrationError, "mandatory destination attribute"),
            (.booleanAttributeType, true, NSMigrationMissingMappingModelError, "automatically infer mapping model"),
            (.booleanAttributeType, false, NSMigrationMissingMappingModelError, "automatically infer mapping model"),
        ])
    func notInferable(type: NSAttributeType, isOptional: Bool, code: Int, reason: String) throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        func model(_ attributes: [NSAttributeDescription]) -> NSManagedObjectModel {
            let note = NSEntityDescription()
            note.name = "Note"
            note.properties = attributes
            let model = NSManagedObjectModel()
            model.entities = [note]
            return model
        }
        let (title, text) = (
            MigrationLibrary.attribute("title", .stringAttributeType), MigrationLibrary.attribute("title", type)
        )
        let author = MigrationLibrary.attribute("author", .stringAttributeType)
        author.isOptional = isOptional
        _ = try open(url, model([title]), [:])
        let before = try PlainDatabase(url).content()
        let error = #expect(throws: NSError.self) { try open(url, model([text, author]), automatic) }
        #expect(error?.code == code)
        #expect((error?.userInfo["reason"] as? String)?.contains(reason) == true)
        #expect((error?.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == NSInferredMappingModelError)
        #expect(error?.localizedDescription.contains(isOptional ? "Note.title" : "Note.author") == true)
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

    @Test("migrates it where a unique attribute takes another column, whatever values stood in that")
    func uniqueColumnMoves() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Notes.sqlite")
        // By its new name the unique attribute comes before the other one.
        func model(_ name: String) -> NSManagedObjectModel {
            let unique = MigrationLibrary.attribute(name, .stringAttributeType)
            unique.renamingIdentifier = "title"
            let note = NSEntityDescription()
            note.name = "Note"
            note.properties = [unique, MigrationLibrary.attribute("text", .stringAttributeType)]
            note.uniquenessConstraints = [[name]]
            let model = NSManagedObjectModel()
            model.entities = [note]
            return model
        }
        let old = try StoreStack(url, model: model("title"))
        for (title, text) in [("a", "b"), ("b", "b"), ("c", "a")] {
            old.context.make("Note", ["title": title, "text": text])
        }
        try old.context.save()
        try old.close()
        let stack = try StoreStack(url, model: model("heading"))
        let notes = try stack.context.all("Note", sort: "heading")
        #expect(notes.map { $0.value(forKey: "heading") as? String } == ["a", "b", "c"])
        #expect(notes.map { $0.value(forKey: "text") as? String } == ["b", "b", "a"])
        stack.context.make("Note", ["heading": "c"])
        #expect(throws: NSError.self) { try stack.context.save() }
        try stack.close()
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

    private static func tree(_ abstract: Set<String>) -> NSManagedObjectModel {
        let entities = ["Item", "Book", "Film"].map { name in
            let entity = NSEntityDescription()
            entity.name = name
            entity.isAbstract = abstract.contains(name)
            return entity
        }
        entities[0].properties = [MigrationLibrary.attribute("name", .stringAttributeType)]
        entities[0].subentities = Array(entities[1...])
        let model = NSManagedObjectModel()
        model.entities = entities
        return model
    }

    @Test("whose entity has become abstract keeps its objects: refused while there are any, in either way")
    func abstract() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Items.sqlite")
        let (concrete, withoutItems) = (Self.tree([]), Self.tree(["Item"]))
        var stack = try StoreStack(url, model: concrete)
        for entity in ["Item", "Book", "Film", "Film"] { stack.context.make(entity, ["name": entity]) }
        try stack.context.save()
        try stack.close()
        let before = try PlainDatabase(url).content()
        let error = #expect(throws: NSError.self) { try open(url, withoutItems, automatic) }
        #expect(error?.code == NSMigrationError)
        #expect(
            error?.localizedDescription.contains("'Item'") == true && error?.userInfo["entity"] as? String == "Item")
        #expect(try PlainDatabase(url).content() == before)
        let mapping = try NSMappingModel.inferredMappingModel(
            forSourceModel: concrete, destinationModel: withoutItems)
        let byManager = #expect(throws: NSError.self) {
            try NSMigrationManager(sourceModel: concrete, destinationModel: withoutItems).migrateStore(
                from: url, type: .sqlite, mapping: mapping, to: folder.url.appendingPathComponent("New.sqlite"),
                type: .sqlite)
        }
        #expect(byManager?.localizedDescription.contains("'Item'") == true)
        stack = try StoreStack(url, model: concrete)
        for item in try stack.context.all("Item") where item.entity.name == "Item" { stack.context.delete(item) }
        try stack.context.save()
        try stack.close()
        _ = try open(url, withoutItems, automatic)
        #expect(try PlainSQLite.rows("SELECT ZNAME FROM ZITEM ORDER BY 1", in: url) == [["Book"], ["Film"], ["Film"]])
        // And back again.
        _ = try open(url, concrete, automatic)
        stack = try StoreStack(url, model: concrete)
        stack.context.make("Item", ["name": "Item"])
        try stack.context.save()
        #expect(try stack.context.all("Item").count == 4)
        try stack.close()
    }
}
