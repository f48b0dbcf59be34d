import Foundation
import ManagedObjectModel

/// The migration of a store to a model, where it lies: in place where the kind of store can, otherwise by way of a new file
/// that takes the old one's place when it is complete.
struct StoreMigration {
    var url: URL
    var type: String
    var configuration: String?
    var options: [AnyHashable: Any]?
    var source: NSManagedObjectModel
    var destination: NSManagedObjectModel
    /// The mapping model; nil to work it out.
    var mappingModel: NSMappingModel?
    /// Told how much is done, from 0 to 1.
    var progress: (Double) -> Void = { _ in }

    /// - Throws: an error that says what stands in the way; the store is as it was then.
    func run() throws {
        let storeClass = try NSPersistentStoreCoordinator.storeClass(for: type)
        if mappingModel?.isInferred ?? true {
            let obstacles = ModelDifference(from: source, to: destination).obstacles
            guard obstacles.isEmpty else { throw MigrationError.notInferable(obstacles) }
            if try storeClass.migrateInPlace(self) { return }
        }
        let mapping =
            try mappingModel
            ?? NSMappingModel.inferredMappingModel(forSourceModel: source, destinationModel: destination)
        try StoreReplacement(url: url, storeClass: storeClass, options: options).run { new in
            let manager = NSMigrationManager(sourceModel: source, destinationModel: destination)
            try MigrationRun(manager: manager, mappingModel: mapping).run(
                from: MigrationStore(url: url, type: type, configuration: sourceConfiguration, options: options),
                to: MigrationStore(url: new, type: type, configuration: configuration, options: options))
        }
        progress(1)
    }

    private var sourceConfiguration: String? {
        configuration.flatMap { source.configurations.contains($0) ? $0 : nil }
    }
}
