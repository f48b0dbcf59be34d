import CoreData
import GRDB
import Testing

@Suite("Examples/Library")
struct LibraryExampleTests {
    @Test("the model file, the model that the store carries and the store's metadata say the same")
    func modelsAgree() throws {
        let library = try LibraryStore()
        let url = URL(fileURLWithPath: library.path)
        let source = try ModelFile.read(
            PackageFiles.root.appendingPathComponent("Examples/Library/Library.xcdatamodeld"))
        let carried = try NSPersistentStoreCoordinator.cachedModel(forStoreAt: url, ofType: NSSQLiteStoreType)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: url, options: nil)
        let hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        #expect(source.entityVersionHashesByName == hashes)
        #expect(carried.entityVersionHashesByName == hashes)
        #expect(source.versionChecksum == metadata["NSStoreModelVersionChecksumKey"] as? String)
        #expect(carried == source)
    }

    @Test("a store that this package makes for the model has the same schema, name for name")
    func schemaAgrees() throws {
        let library = try LibraryStore()
        let url = library.folder.appendingPathComponent("New.sqlite")
        let model = try ModelFile.read(
            PackageFiles.root.appendingPathComponent("Examples/Library/Library.xcdatamodeld"))
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try coordinator.remove(store)
        #expect(try schema(at: url.path) == schema(at: library.path))
    }

    private func schema(at path: String) throws -> [String] {
        let queue = try DatabaseQueue(path: path)
        defer { try? queue.close() }
        return try queue.read {
            try String.fetchAll($0, sql: "SELECT sql FROM sqlite_master WHERE sql NOT NULL ORDER BY rowid")
        }
    }
}
