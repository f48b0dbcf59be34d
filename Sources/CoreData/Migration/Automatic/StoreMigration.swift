@_spi(Engine) import CoreDataRows
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
    /// Whether a property may become required without a default where every object of the store has a value for it.
    var acceptsRequiredValues = false
    /// Called with the part that is done, from 0 to 1.
    var progress: (Double) -> Void = { _ in }

    /// - Throws: an error that says what stands in the way; the store is as it was then.
    func run() throws {
        let storeClass = try NSPersistentStoreCoordinator.storeClass(for: type)
        if mappingModel?.isInferred ?? true {
            let obstacles = ModelDifference(from: source, to: destination).obstacles
            let known = acceptsRequiredValues ? obstacles.filter { !$0.dependsOnValues } : obstacles
            guard known.isEmpty else { throw MigrationError.notInferable(known) }
            if !obstacles.isEmpty { try requireValues(obstacles) }
        }
        try requireConfiguration(from: sourceConfiguration(storeClass))
        if mappingModel?.isInferred ?? true {
            let inPlace = InPlaceMigration(
                url: url, options: options, configuration: configuration, source: ModelLayout.of(source),
                destination: ModelLayout.of(destination), label: label, progress: progress)
            if try storeClass.unopenedStores?.migrateInPlace(inPlace) ?? false { return }
        }
        let mapping =
            try mappingModel
            ?? NSMappingModel.inferred(
                MappingInference(from: source, to: destination, hasValues: acceptsRequiredValues))
        try requireAllEntities(in: mapping)
        let isDone = { metadata in
            destination.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata)
        }
        try StoreRebuild(url: url.followingLinks, storeClass: storeClass, options: options).run(unless: isDone) {
            new in
            let manager = try makeManager(for: storeClass)
            manager.surroundings = NSMigrationManager.Surroundings(
                sourceConfiguration: sourceConfiguration(storeClass), destinationConfiguration: configuration
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
        return managerClass.made(from: source, to: destination)
    }

    /// The new store takes the old one's place: what no mapping speaks of would be lost. Entities that the new model hasn't
    /// are meant to go, and Xcode makes no mappings for them.
    private func requireAllEntities(in mapping: NSMappingModel) throws {
        let missing = MappingCompletion(from: source, to: destination)
            .entitiesLeftOut(sources: Set(mapping.entityMappings.compactMap(\.sourceEntityName)))
        guard missing.isEmpty else {
            throw MigrationError.make(
                "The mapping model for the migration of \(url.path) has no mapping for \(missing.joined(separator: ", ")). "
                    + "Add one; one that removes the entity if its objects aren't wanted.",
                code: NSMigrationMissingMappingModelError, ["entities": missing])
        }
    }

    /// - Throws: 134110 with those objects counted that lack what the new model requires.
    private func requireValues(_ changes: [ModelChange]) throws {
        let pairing = ModelPairing(from: source, to: destination)
        let required = pairing.entities.flatMap { old, new -> [(entity: String, key: String)] in
            guard let old, let name = old.name else { return [] }
            let keys = changes.filter { $0.entity == new.name }.compactMap(\.property)
            return ModelPairing.properties(from: old, to: new).pairs.compactMap { former, current in
                guard let former, keys.contains(current.name) else { return nil }
                return (name, former.name)
            }
        }
        let store = MigrationStore(
            url: url, type: type,
            configuration: sourceConfiguration(try NSPersistentStoreCoordinator.storeClass(for: type)),
            options: options)
        let (opened, context) = try store.open(source, isReadOnly: true, code: NSMigrationMissingSourceModelError)
        let lacking = try context.performAndWait {
            try required.compactMap { entity, key -> String? in
                let request = NSFetchRequest<NSManagedObject>(entityName: entity)
                request.predicate = NSPredicate(format: "%K == nil", key)
                let count = try context.count(for: request)
                return count == 0 ? nil : "\(entity).\(key) of \(count) object\(count == 1 ? "" : "s")"
            }
        }
        try context.persistentStoreCoordinator?.remove(opened)
        guard lacking.isEmpty else {
            throw MigrationError.make(
                "The store at \(url.path) has no value for \(lacking.joined(separator: ", ")), which the new model requires. "
                    + "Set one before the stage migrates (willMigrateHandler), or give the attribute a default value.",
                ["entity": required[0].entity, "property": required[0].key])
        }
    }

    /// A store without configurations that is opened as one of them would lose the objects of all other entities.
    private func requireConfiguration(from sourceConfiguration: String?) throws {
        guard let configuration, let members = destination.storedEntities(forConfigurationName: configuration) else {
            return
        }
        let names = Set(members.compactMap(\.name))
        let before = source.storedEntities(forConfigurationName: sourceConfiguration) ?? []
        let pairing = ModelPairing(from: source, to: destination)
        let outside = before.filter { entity in
            guard !entity.isAbstract, let next = pairing.destination(of: entity.name)?.name else { return false }
            return !names.contains(next)
        }.compactMap(\.name).sorted()
        guard !outside.isEmpty else { return }
        let store = MigrationStore(url: url, type: type, configuration: sourceConfiguration, options: options)
        let (opened, context) = try store.open(source, isReadOnly: true, code: NSMigrationMissingSourceModelError)
        let lost = try context.performAndWait {
            try outside.filter { name in
                let request = NSFetchRequest<NSManagedObject>(entityName: name)
                request.includesSubentities = false
                return try context.count(for: request) > 0
            }
        }
        try context.persistentStoreCoordinator?.remove(opened)
        guard lost.isEmpty else {
            throw MigrationError.make(
                "The store at \(url.path) has objects of \(lost.joined(separator: ", ")), which the configuration "
                    + "'\(configuration)' leaves out: they would be lost. Open the store without a configuration, or move "
                    + "these objects into the store of another configuration first.",
                code: NSMigrationError, ["entities": lost])
        }
    }

    private func sourceConfiguration(_ storeClass: NSPersistentStore.Type) -> String? {
        // A class that can't tell without opening the store has made it as it is opened now.
        source.configuration(configuration, ofStoreWith: (try? storeClass.metadataForPersistentStore(with: url)) ?? [:])
    }
}

extension NSPersistentStore {
    /// The class of managers that migrate stores whose class names no other one.
    static var defaultMigrationManagerClass: AnyClass { NSMigrationManager.self }
}
