import CoreData
import Foundation
import Testing

@Suite("Stores that Apple's framework wrote, migrated", .enabled(if: SQLiteSchemaFixtures.folder != nil))
struct FixtureMigrationTests {
    /// All pairs with `COREDATA_FULL_TESTS`.
    private static let isFull = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] != nil

    @Test(
        "to every other version of their model: rows, values and schema, or refused with the reason",
        arguments: MigrationFamilies.steps)
    func migrates(_ step: MigrationFamilies.Step) throws {
        let (copy, original) = (try FixtureCopy(step.store), try FixtureCopy(step.store))
        let destination = try ModelFile.read(step.destination)
        guard let source = try FixtureModels.model(of: step.store) ?? step.source.map({ try ModelFile.read($0) }) else {
            return try expectUnknownModel(of: copy, original, destination)
        }
        _ = try MigrationCheck(url: copy.url, original: original.url, source: source, destination: destination).run()
    }

    /// A store whose model nobody has is refused, by the names of the entities that nobody knows, and stays as it is.
    private func expectUnknownModel(
        of copy: FixtureCopy, _ original: FixtureCopy, _ destination: NSManagedObjectModel
    ) throws {
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: copy.url)
        let hashes = try #require(metadata[NSStoreModelVersionHashesKey] as? [String: Data])
        let error = #expect(throws: NSError.self) {
            try NSPersistentStoreCoordinator(managedObjectModel: destination).addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: copy.url,
                options: [
                    NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                ])
        }
        #expect(error?.code == NSMigrationMissingSourceModelError)
        let unknown = try #require(error?.userInfo["entities"] as? [String])
        #expect(!unknown.isEmpty && Set(unknown).isSubset(of: hashes.keys))
        #expect(try PlainDatabase(copy.url).content() == PlainDatabase(original.url).content())
    }

    @Test(
        "of versions that no store is known of, filled with objects: the same to every other version",
        arguments: MigrationFamilies.versionsWithoutStore)
    func migratesFilledStore(_ version: MigrationFamilies.VersionWithoutStore) throws {
        let source = try ModelFile.read(version.model)
        let folder = try TemporaryFolder()
        let original = folder.url.appendingPathComponent("Original.sqlite")
        let stack = try StoreStack(original, model: source)
        let changes = GenericChanges(context: stack.context, model: source)
        for _ in 0..<3 { try changes.run() }
        try stack.close()
        #expect(changes.saved[.insert, default: 0] >= source.entities.count { !$0.isAbstract })
        let others = Self.isFull ? version.others : Array(Set(version.others.prefix(1) + version.others.suffix(1)))
        for (place, url) in others.enumerated() {
            let destination = try ModelFile.read(url)
            let copy = folder.url.appendingPathComponent("Copy\(place).sqlite")
            try FileManager.default.copyItem(at: original, to: copy)
            _ = try MigrationCheck(url: copy, original: original, source: source, destination: destination).run()
        }
    }

    @Test("in all: every store is of a known version, and every version is one that stores are migrated from")
    func accounts() throws {
        for family in MigrationFamilies.all {
            let unknown = try family.stores.filter { store in
                // Where no file has the version, the store carries it itself.
                try family.version(of: store) == nil && FixtureModels.model(of: store) == nil
            }
            #expect(
                unknown.map(\.path) == [], "of \(family.name) these can't be migrated: nobody has their hashes")
            let stored = Set(family.stores.compactMap { family.version(of: $0)?.url })
            let filled = Set(MigrationFamilies.versionsWithoutStore.map(\.model))
            #expect(stored.isDisjoint(with: filled))
            #expect(family.versions.allSatisfy { stored.contains($0.url) || filled.contains($0.url) })
            #expect(family.versions.count > 1)
        }
    }
}
