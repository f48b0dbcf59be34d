import CoreData
import Foundation

extension StoreRule {
    /// The source model is none that a bundle has, so that stores are migrated by a manager, as NSMigrationManager's page
    /// shows it, or by a stage that names it.
    static let migrationRules: [StoreRule] = [
        StoreRule("A store can be migrated to another model, in another place", where: \.keepsContents) { trial in
            try expectMigration(
                trial, from: trial.conformance.storeType, trial.storeURL(), to: trial.conformance.storeType,
                trial.storeURL("second"))
        },
        StoreRule("A SQLite store can be migrated into one of the store's type", where: \.keepsContents) { trial in
            try expectMigration(
                trial, from: NSSQLiteStoreType, trial.folder.appendingPathComponent("other"),
                to: trial.conformance.storeType, trial.storeURL())
        },
        StoreRule("The store can be migrated into a SQLite store", where: \.keepsContents) { trial in
            try expectMigration(
                trial, from: trial.conformance.storeType, trial.storeURL(), to: NSSQLiteStoreType,
                trial.folder.appendingPathComponent("other"))
        },
        StoreRule(
            "A store is migrated when it is opened with another model, if that is asked for", where: \.keepsContents
        ) {
            trial in
            let stack = try TrialLibrary.stack(in: trial)
            let lines = try stack.inNewContext { try TrialLibrary.lines($0) }
            stack.coordinator.setMetadata(
                (stack.store.metadata ?? [:]).merging(["Owner": "me"]) { $1 }, for: stack.store)
            try stack.run { try $0.save() }
            try stack.close()
            guard trial.conformance.migratesWhereItLies else {
                trial.expectError("the migration of a store that is no file") {
                    _ = try trial.open(model: TrialModel.makeOther(), options: migrating())
                }
                let after = try trial.open().run { try TrialLibrary.lines($0) }
                return trial.expectSame(after, lines, "the contents of a store that can't be migrated")
            }
            let migrated = try trial.open(model: TrialModel.makeOther(), options: migrating())
            try migrated.run { context in
                trial.expectSame(try TrialLibrary.lines(context), lines, "the contents after the migration")
                try context.object("Genre", "Fantasy").setValue("red", forKey: "colour")
                try context.save()
            }
            trial.expectEqual(
                migrated.coordinator.metadata(for: migrated.store)["Owner"] as? String, "me", "a client's metadata")
            try migrated.close()
            let again = try trial.open(model: TrialModel.makeOther())
            let red = try again.run { try $0.all("Genre", "colour == 'red'").map(\.name) }
            trial.expectEqual(red, ["Fantasy"], "genres with a value of the attribute that the new model has")
            let url = try trial.storeURL()
            let beside = try FileManager.default.contentsOfDirectory(atPath: url.deletingLastPathComponent().path)
            trial.expectEqual(
                beside.filter { $0.contains("migration") }, [], "what the migration has left beside the store")
        },
    ]

    private static func migrating() -> [String: Any] {
        let models = [TrialModel.make(), TrialModel.makeOther()].map {
            NSManagedObjectModelReference(model: $0, versionChecksum: $0.versionChecksum)
        }
        let stage = NSCustomMigrationStage(migratingFrom: models[0], to: models[1])
        return [
            NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
            NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager([stage]),
        ]
    }

    private static func expectMigration(
        _ trial: StoreTrial, from type: String, _ url: URL, to newType: String, _ newURL: URL
    ) throws {
        let stack = try trial.open(url, type: type)
        try stack.inNewContext { context in
            try TrialLibrary.fill(context)
            try SampleValue.make(2, in: context)
        }
        let lines = try stack.inNewContext { try TrialLibrary.lines($0) }
        try stack.close()

        let (old, new) = (TrialModel.make(), TrialModel.makeOther())
        let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: old, destinationModel: new)
        try NSMigrationManager(sourceModel: old, destinationModel: new).migrateStore(
            from: url, sourceType: type, options: trial.options(of: type), with: mapping, toDestinationURL: newURL,
            destinationType: newType, destinationOptions: trial.options(of: newType))

        let migrated = try trial.open(newURL, type: newType, model: new)
        try migrated.run { context in
            trial.expectSame(try TrialLibrary.lines(context), lines, "the contents after the migration")
            let genre = try context.object("Genre", "Fantasy")
            genre.setValue("red", forKey: "colour")
            try context.save()
        }
        let red = try migrated.inNewContext { try $0.all("Genre", "colour == 'red'").map(\.name) }
        trial.expectEqual(red, ["Fantasy"], "genres with a value of the attribute that the new model has")
        try migrated.close()
        let before = try trial.open(url, type: type).run { try TrialLibrary.lines($0) }
        trial.expectSame(before, lines, "the contents of the store that was migrated")
    }
}
