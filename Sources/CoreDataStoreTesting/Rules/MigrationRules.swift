import CoreData
import Foundation

extension StoreRule {
    /// The source model is none that a bundle has, so that stores are migrated by a manager, as NSMigrationManager's page
    /// shows it, rather than when they are opened.
    static let migrationRules: [StoreRule] = [
        StoreRule("A store can be migrated to another model, in another place", where: \.keepsContents) { trial in
            try expectMigration(
                trial, from: trial.conformance.storeType, trial.place(), to: trial.conformance.storeType,
                trial.place("second"))
        },
        StoreRule("A SQLite store can be migrated into one of the store's type", where: \.keepsContents) { trial in
            try expectMigration(
                trial, from: NSSQLiteStoreType, trial.folder.appendingPathComponent("other"),
                to: trial.conformance.storeType, trial.place())
        },
        StoreRule("The store can be migrated into a SQLite store", where: \.keepsContents) { trial in
            try expectMigration(
                trial, from: trial.conformance.storeType, trial.place(), to: NSSQLiteStoreType,
                trial.folder.appendingPathComponent("other"))
        },
    ]

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
