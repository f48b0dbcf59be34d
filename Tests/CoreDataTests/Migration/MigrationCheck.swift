import CoreData
import Foundation
import Testing

/// Migrates a store in place between two versions of a fixture's model, and makes sure of everything that is promised.
struct MigrationCheck {
    /// What came of it, each with its own promise, which has been looked at.
    enum Outcome: Hashable {
        /// Rows, values and schema are right.
        case migrated
        /// The versions are the same to a store: it opens as it is.
        case sameVersion
        /// No mapping can be inferred: refused with the first reason, nothing changed.
        case notInferable
        /// The data break a constraint of the new version: refused, nothing changed.
        case notUnique
    }

    /// The store to migrate.
    let url: URL
    /// Another copy, which stays as it is.
    let original: URL
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel

    func run() throws -> Outcome {
        if source.entityVersionHashesByName == destination.entityVersionHashesByName { return try opensAsItIs() }
        let hadHistory = try PlainDatabase(original).tables().contains("ACHANGE")
        let difference = ModelDifference(from: source, to: destination)
        let obstacles = difference.obstacles.filter { !(isStaged && $0.dependsOnValues) }
        do {
            try migrate()
        } catch let error as NSError where !difference.allowsLightweightMigration {
            // A stage may fill in what became required; here none does.
            let lacksOnlyValues = difference.obstacles.allSatisfy(\.lacksValue)
            let unstaged = lacksOnlyValues ? NSMigrationError : NSMigrationMissingMappingModelError
            let staged = obstacles.isEmpty ? NSMigrationError : NSInferredMappingModelError
            #expect(error.code == (isStaged ? staged : unstaged))
            let first = try #require((obstacles.isEmpty ? difference.obstacles : obstacles).first)
            #expect(error.localizedDescription.contains(first.entity))
            try expectUnchanged()
            return .notInferable
        } catch let error as NSError where error.code == NSMigrationConstraintViolationError {
            try expectUnchanged()
            return .notUnique
        }
        #expect(obstacles.isEmpty)
        let (before, after) = (try PlainDatabase(original), try PlainDatabase(url))
        var comparison = PlainMigrationComparison(from: source, in: before, to: destination, in: after)
        try comparison.run()
        #expect(comparison.differences == [])
        #expect(try after.rows("PRAGMA integrity_check").first?.first?.string == "ok")
        #expect(
            try FreshSchema.present(in: url) == FreshSchema.of(destination, historyTracking: hadHistory))
        let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
        #expect(destination.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        let carried = try NSPersistentStoreCoordinator.cachedModel(forStoreAt: url)
        #expect(carried.entityVersionHashesByName == destination.entityVersionHashesByName)
        return .migrated
    }

    /// Whether the store carries no model, so that a stage has to say which one it is of.
    private var isStaged: Bool { (try? NSPersistentStoreCoordinator.cachedModel(forStoreAt: original)) == nil }

    private func migrate() throws {
        var options: [String: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        if isStaged {
            // The models of the test's bundle would have to have it. A stage knows it as well.
            let stage = NSCustomMigrationStage(
                migratingFrom: NSManagedObjectModelReference(model: source, versionChecksum: source.versionChecksum),
                to: NSManagedObjectModelReference(model: destination, versionChecksum: destination.versionChecksum))
            options[NSPersistentStoreStagedMigrationManagerOptionKey] = NSStagedMigrationManager([stage])
        }
        try open(options)
    }

    private func open(_ options: [String: Any]? = nil) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        try coordinator.remove(store)
    }

    private func opensAsItIs() throws -> Outcome {
        try open()
        try expectUnchanged()
        return .sameVersion
    }

    private func expectUnchanged() throws {
        #expect(try PlainDatabase(url).content() == PlainDatabase(original).content())
    }
}
