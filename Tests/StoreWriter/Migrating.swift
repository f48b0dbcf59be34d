import CoreData
import Foundation

/// Migrates a store in place, or by way of a manager and a new file, and prints `begin` and `end`.
struct Migrating {
    let url: URL
    let source: NSManagedObjectModel
    let destination: NSManagedObjectModel

    func run(byManager: Bool) throws {
        var mapping: NSMappingModel?
        if byManager {
            let inferred = try NSMappingModel.inferredMappingModel(
                forSourceModel: source, destinationModel: destination)
            mapping = NSMappingModel()
            mapping?.entityMappings = inferred.entityMappings
        }
        Output.line("begin")
        try NSPersistentStoreCoordinator.migrateStore(
            at: url, ofType: NSSQLiteStoreType, from: source, to: destination, mapping: mapping)
        Output.line("end")
    }

    /// In custom stages, each with handlers that give books one copy more.
    func run(byWayOf between: [NSManagedObjectModel]) throws {
        func reference(_ model: NSManagedObjectModel) -> NSManagedObjectModelReference {
            NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
        }
        let models = [source] + between + [destination]
        let stages = zip(models, models.dropFirst()).map { old, new in
            let stage = NSCustomMigrationStage(migratingFrom: reference(old), to: reference(new))
            stage.willMigrateHandler = { manager, _ in try Self.count(in: manager) }
            stage.didMigrateHandler = { manager, _ in try Self.count(in: manager) }
            return stage
        }
        Output.line("begin")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: destination)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [
                NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
                NSPersistentStoreStagedMigrationManagerOptionKey: NSStagedMigrationManager(stages),
            ])
        try coordinator.remove(store)
        Output.line("end")
    }

    /// One more copy of each book, in one save.
    private static func count(in manager: NSStagedMigrationManager) throws {
        guard let context = manager.container?.newBackgroundContext() else { return }
        try context.performAndWait {
            for book in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")) {
                book.setValue((book.value(forKey: "copies") as? Int ?? 0) + 1, forKey: "copies")
            }
            try context.save()
        }
    }

    static func finish(_ url: URL, model: NSManagedObjectModel) throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url)
        Output.line("begin")
        while coordinator.metadata(for: store)[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool == true
        {
            try coordinator.finishDeferredLightweightMigrationTask()
            Output.line("task")
        }
        Output.line("end")
    }
}
