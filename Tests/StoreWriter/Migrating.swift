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
}
