import CoreData
import Foundation
import Testing

@Suite("A store that takes another one's place")
struct StoreRebuildTests {
    @Test("brings its files along, and leaves what isn't the old store's")
    func files() throws {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Library.sqlite")
        let (old, new) = (try Library.model(withFiles: true), try MigrationLibrary.nextModel())
        new.entitiesByName["Writer"]?.attributesByName["portrait"]?.allowsExternalBinaryDataStorage = true
        let portrait = Data(repeating: 7, count: 150_000)
        try using(old, url) { context in
            _ = context.make("Author", ["name": "One", "portrait": portrait])
            try context.save()
        }
        let files = folder.url.appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
        let former = try #require(FileManager.default.contentsOfDirectory(atPath: files.path).first)
        let other = files.appendingPathComponent("somebody else's")
        try Data("note".utf8).write(to: other)
        let mapping = NSMappingModel()
        mapping.entityMappings = try NSMappingModel.inferredMappingModel(
            forSourceModel: old, destinationModel: new
        ).entityMappings
        try NSPersistentStoreCoordinator.migrateStore(
            at: url, ofType: NSSQLiteStoreType, from: old, to: new, mapping: mapping)
        #expect(try Data(contentsOf: other) == Data("note".utf8))
        #expect(!FileManager.default.fileExists(atPath: files.appendingPathComponent(former).path))
        try using(new, url) { context in
            let writers = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Writer"))
            #expect(writers.map { $0.value(forKey: "portrait") as? Data } == [portrait])
        }
    }

    private func using(
        _ model: NSManagedObjectModel, _ url: URL, _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }
}
