import CoreData
import Foundation
import Testing

@testable import RandomMigrations

@Suite("Migrations between generated models")
struct GeneratedMigrationTests {
    /// 300 with `COREDATA_FULL_TESTS`.
    private static let count: UInt64 = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == nil ? 30 : 300

    @Test("give what a model of plain dictionaries says, and the schema of a fresh store", arguments: 0..<count)
    func migrates(seed: UInt64) throws {
        try check(seed, storeType: NSSQLiteStoreType)
    }

    @Test("also in stores that migrate by way of the manager", arguments: 1000..<1000 + count / 3)
    func migratesByManager(seed: UInt64) throws {
        try check(seed, storeType: NSBinaryStoreType)
    }

    @Test("that can't be inferred are refused with the reason, and change nothing", arguments: 2000..<2000 + count)
    func refuses(seed: UInt64) throws {
        var maker = GeneratedChanges(seed: seed)
        let old = maker.model()
        let objects = GeneratedObjects(old, &maker.generator)
        guard let change = maker.changeBeyondInference(old) else { return }
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store")
        try Self.with(old.model(), url, NSSQLiteStoreType, [:]) { try objects.save(old, in: $0) }
        let before = try PlainDatabase(url).content()
        let destination = change.model.model(after: old)
        let error = #expect(throws: NSError.self, "seed \(seed)") {
            try Self.with(
                destination, url, NSSQLiteStoreType,
                [NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true]
            ) { _ in }
        }
        let cause = error?.userInfo[NSUnderlyingErrorKey] as? NSError
        #expect(cause?.code == NSInferredMappingModelError, "seed \(seed): \(change)")
        #expect(
            error?.localizedDescription.contains(change.reason) == true, "seed \(seed): \(change.reason) in \(error!)")
        #expect(try PlainDatabase(url).content() == before, "seed \(seed)")
        #expect(try FreshSchema.present(in: url) == FreshSchema.of(old.model(), historyTracking: false))
        try Self.with(old.model(), url, NSSQLiteStoreType, [:]) { context in
            let differences = try objects.differences(old, in: context, orderedBefore: [])
            #expect(differences == [], "seed \(seed)")
        }
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.url.path)
        #expect(left == ["Store"], "seed \(seed)")
    }

    private func check(_ seed: UInt64, storeType: String) throws {
        var maker = GeneratedChanges(seed: seed)
        let old = maker.model()
        let new = maker.change(old)
        let objects = GeneratedObjects(old, &maker.generator)
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Store")
        let hasHistory = storeType == NSSQLiteStoreType && seed.isMultiple(of: 3)
        let history: [String: Any] = hasHistory ? [NSPersistentHistoryTrackingKey: true] : [:]
        try Self.with(old.model(), url, storeType, history) { try objects.save(old, in: $0) }
        let options: [String: Any] = [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
        ]
        let (source, destination) = (old.model(), new.model(after: old))
        let difference = ModelDifference(from: source, to: destination)
        try #require(difference.allowsLightweightMigration, "seed \(seed): \(difference.obstacles)")
        // No bundle has these models; stores other than SQLite's don't carry theirs.
        if storeType == NSSQLiteStoreType {
            try Self.with(destination, url, storeType, options.merging(history) { $1 }) { _ in }
        } else if source.entityVersionHashesByName != destination.entityVersionHashesByName {
            try migrateByManager(source, destination, url, storeType)
        }
        let expected = objects.migrated(from: old, to: new)
        let ordered = Set(old.relationships.filter(\.near.isOrdered).map(\.number))
        try Self.with(new.model(after: old), url, storeType, [:]) { context in
            let differences = try expected.differences(new, in: context, orderedBefore: ordered)
            #expect(differences == [], "seed \(seed): \(difference.changes)")
        }
        guard storeType == NSSQLiteStoreType else { return }
        // Where only indexes changed the store is the model's as it is, and nothing is migrated, as with Apple's framework.
        let isSame = source.entityVersionHashesByName == destination.entityVersionHashesByName
        let fresh = try FreshSchema.of(isSame ? old.model() : new.model(after: old), historyTracking: hasHistory)
        #expect(try FreshSchema.present(in: url) == fresh, "seed \(seed)")
        #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]], "seed \(seed)")
    }

    private func migrateByManager(
        _ source: NSManagedObjectModel, _ destination: NSManagedObjectModel, _ url: URL, _ storeType: String
    ) throws {
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        let new = url.deletingLastPathComponent().appendingPathComponent("New")
        let type = NSPersistentStore.StoreType(rawValue: storeType)
        try NSMigrationManager(sourceModel: source, destinationModel: destination)
            .migrateStore(from: url, type: type, mapping: mapping, to: new, type: type)
        try FileManager.default.removeItem(at: url)
        try FileManager.default.moveItem(at: new, to: url)
    }

    private static func with(
        _ model: NSManagedObjectModel, _ url: URL, _ storeType: String, _ options: [String: Any],
        _ body: (NSManagedObjectContext) throws -> Void
    ) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: storeType, configurationName: nil, at: url, options: options)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait { try body(context) }
        try coordinator.remove(store)
    }
}
