import CoreData
import Foundation
import Testing

/// Stores of the fixtures, with the other versions of their models.
enum MigrationFamilies {
    struct Step: CustomTestStringConvertible, Sendable {
        var store: SQLiteSchemaFixtures.Store
        var destination: URL
        /// All models of the family.
        var models: [URL]

        var testDescription: String { "\(store.path) to \(destination.path.suffix(60))" }
    }

    private static let names = [
        "objcio__core-data", "hwaxxer__BookMigration", "richardpiazza__XCServerCoreData", "artsy__energy",
        "alemar11__CoreDataPlus", "Karim-ezzedine__CartKit",
    ]

    /// Each store of a family with each model of the family.
    static let steps: [Step] = {
        guard let folder = SQLiteSchemaFixtures.folder else { return [] }
        return names.flatMap { name -> [Step] in
            let stores = SQLiteSchemaFixtures.stores.filter { $0.path.hasPrefix("files/sqlite/\(name)/") }
            let models = ["xcdatamodel", "momd"].flatMap { kind in
                files(in: folder.appendingPathComponent("files/\(kind)/\(name)"))
            }
            return stores.flatMap { store in models.map { Step(store: store, destination: $0, models: models) } }
        }
    }()

    /// The model of a step's store: its own, or the one of the family that has its hashes.
    static func source(of step: Step) throws -> NSManagedObjectModel? {
        if let model = try FixtureModels.model(of: step.store) { return model }
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: step.store.url)
        return try step.models.lazy.map { try ModelFile.read($0) }.first {
            $0.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
        }
    }

    private static func files(in folder: URL) -> [URL] {
        let all = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
        return (all?.compactMap { $0 as? URL } ?? []).filter {
            $0.pathExtension == "mom" || $0.lastPathComponent == "contents"
        }.sorted { $0.path < $1.path }
    }
}
