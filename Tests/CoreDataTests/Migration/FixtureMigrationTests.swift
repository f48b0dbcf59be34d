import CoreData
import Foundation
import Testing

@Suite("Stores that Apple's framework wrote, migrated", .enabled(if: SQLiteSchemaFixtures.folder != nil))
struct FixtureMigrationTests {
    @Test(
        "to every other version of their model: rows, values and schema, or refused with the reason",
        arguments: MigrationFamilies.steps)
    func migrates(_ step: MigrationFamilies.Step) throws {
        guard let source = try MigrationFamilies.source(of: step) else { return }
        let destination = try ModelFile.read(step.destination)
        guard source.entityVersionHashesByName != destination.entityVersionHashesByName else { return }
        let shared = Set(source.entitiesByName.keys).intersection(destination.entitiesByName.keys)
        // Some folders hold models that have nothing to do with each other.
        guard !shared.isEmpty else { return }
        let copy = try FixtureCopy(step.store)
        let original = try FixtureCopy(step.store)
        let hadHistory = try PlainDatabase(original.url).tables().contains("ACHANGE")
        var options: [String: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        if (try? NSPersistentStoreCoordinator.cachedModel(forStoreAt: copy.url)) == nil {
            // The models of the test's bundle would have to have it. A stage knows it as well.
            let stage = NSCustomMigrationStage(
                migratingFrom: NSManagedObjectModelReference(model: source, versionChecksum: source.versionChecksum),
                to: NSManagedObjectModelReference(model: destination, versionChecksum: destination.versionChecksum))
            options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([stage])
        }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
        let difference = ModelDifference(from: source, to: destination)
        do {
            let store = try coordinator.addPersistentStore(
                ofType: NSSQLiteStoreType, configurationName: nil, at: copy.url, options: options)
            try coordinator.remove(store)
        } catch let error as NSError where !difference.allowsLightweightMigration {
            #expect(error.code == NSInferredMappingModelError)
            let first = try #require(difference.obstacles.first)
            #expect(error.localizedDescription.contains(first.entity))
            let (now, then) = try (PlainDatabase(copy.url).content(), PlainDatabase(original.url).content())
            #expect(now == then)
            return
        } catch let error as NSError where error.code == NSMigrationConstraintViolationError {
            let (now, then) = try (PlainDatabase(copy.url).content(), PlainDatabase(original.url).content())
            #expect(now == then)
            return
        }
        #expect(difference.allowsLightweightMigration)
        let (before, after) = (try PlainDatabase(original.url), try PlainDatabase(copy.url))
        var comparison = PlainMigrationComparison(from: source, in: before, to: destination, in: after)
        try comparison.run()
        #expect(comparison.differences == [])
        #expect(try after.rows("PRAGMA integrity_check").first?.first?.string == "ok")
        let fresh = try FreshSchema.of(destination, historyTracking: hadHistory)
        #expect(try FreshSchema.present(in: copy.url) == fresh)
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
            ofType: NSSQLiteStoreType, at: copy.url)
        #expect(destination.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let carried = try NSPersistentStoreCoordinator.cachedModel(forStoreAt: copy.url)
        #expect(carried.entityVersionHashesByName == destination.entityVersionHashesByName)
    }
}
