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
    /// What persistent history records of the migration, beside that it took place.
    var label: String?
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
        try requireAllEntities(in: mapping)
        let isDone = { metadata in
            destination.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
        }
        try StoreReplacement(url: url, storeClass: storeClass, options: options).run(unless: isDone) { new in
            let manager = try makeManager(for: storeClass)
            manager.surroundings = NSMigrationManager.Surroundings(
                sourceConfiguration: sourceConfiguration, destinationConfiguration: configuration
            ) { progress(Double($0)) }
            try manager.migrateStore(
                from: url, sourceType: type, options: options, with: mapping, toDestinationURL: new,
                destinationType: type, destinationOptions: options)
        }
        progress(1)
    }

    private func makeManager(for storeClass: NSPersistentStore.Type) throws -> NSMigrationManager {
        let managerClass: AnyClass = storeClass.migrationManagerClass()
        guard let managerClass = managerClass as? NSMigrationManager.Type else {
            throw MigrationError.make(
                "\(storeClass) names \(managerClass) as the class of its migration managers, which is no NSMigrationManager.",
                code: NSMigrationError)
        }
        return managerClass.init(_sourceModel: source, destinationModel: destination)
    }

    /// The new store takes the old one's place: what no mapping speaks of would be lost.
    private func requireAllEntities(in mapping: NSMappingModel) throws {
        let known = Set(mapping.entityMappings.compactMap(\.sourceEntityName))
        let missing = source.entities.filter { !$0.isAbstract }.compactMap(\.name).filter { !known.contains($0) }
            .sorted()
        guard missing.isEmpty else {
            throw MigrationError.make(
                "The mapping model for the migration of \(url.path) has no mapping for \(missing.joined(separator: ", ")). "
                    + "Add one; one that removes the entity if its objects aren't wanted.",
                code: NSMigrationMissingMappingModelError, ["entities": missing])
        }
    }

    private var sourceConfiguration: String? {
        configuration.flatMap { source.configurations.contains($0) ? $0 : nil }
    }
}
