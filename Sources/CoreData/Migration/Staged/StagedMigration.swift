import Foundation
import ManagedObjectModel

/// Takes a store through the stages that are left for it.
struct StagedMigration {
    private let migration: AutomaticMigration
    private let manager: NSStagedMigrationManager

    init(_ migration: AutomaticMigration, manager: NSStagedMigrationManager) {
        self.migration = migration
        self.manager = manager
    }

    func run(_ metadata: [String: Any]) throws {
        var current = try SourceModels.model(
            forStoreAt: migration.url, of: migration.storeClass, metadata: metadata,
            configuration: migration.configuration, known: givenModels)
        let wanted = migration.destination.versionChecksum
        for stage in try remainingStages(from: current.versionChecksum) where current.versionChecksum != wanted {
            switch stage {
            case let stage as NSLightweightMigrationStage:
                guard let last = stage.versionChecksums.last, last != current.versionChecksum else { continue }
                let target = stage.versionChecksums.contains(wanted) ? wanted : last
                current = try migrate(current, to: model(target, for: stage))
            case let stage as NSCustomMigrationStage:
                current = try run(stage, from: current)
            default:
                throw MigrationError.make("The stage \(stage.name) is neither a lightweight nor a custom one.")
            }
        }
        guard current.versionChecksum == wanted else {
            throw MigrationError.make(
                "The stages for \(migration.url.path) end at the model with the version checksum "
                    + "\(current.versionChecksum), not at the coordinator's, \(wanted). Add the stages that are missing."
            )
        }
    }

    /// The stages from the one that has the store's model.
    private func remainingStages(from checksum: String) throws -> ArraySlice<NSMigrationStage> {
        let stages = manager.stages
        let wanted = migration.destination.versionChecksum
        if let begin = stages.firstIndex(where: { Self.begins($0, with: checksum) }) {
            if !stages[begin...].contains(where: { Self.mentions($0, wanted) }),
                stages[..<begin].contains(where: { Self.mentions($0, wanted) })
            {
                throw MigrationError.make(
                    "\(migration.url.path) is of a newer model than the coordinator's; stages lead forward only.",
                    code: NSStagedMigrationBackwardMigrationError)
            }
            return stages[begin...]
        }
        // The store is at the end of a custom stage, with which the next one doesn't begin by name.
        if let done = stages.lastIndex(where: { Self.mentions($0, checksum) }) { return stages[(done + 1)...] }
        throw MigrationError.make(
            "No stage begins with the model of \(migration.url.path), whose version checksum is \(checksum).")
    }

    private static func begins(_ stage: NSMigrationStage, with checksum: String) -> Bool {
        switch stage {
        case let stage as NSLightweightMigrationStage: stage.versionChecksums.contains(checksum)
        case let stage as NSCustomMigrationStage: stage.currentModel.versionChecksum == checksum
        default: false
        }
    }

    private static func mentions(_ stage: NSMigrationStage, _ checksum: String) -> Bool {
        begins(stage, with: checksum) || (stage as? NSCustomMigrationStage)?.nextModel.versionChecksum == checksum
    }

    private func migrate(_ model: NSManagedObjectModel, to next: NSManagedObjectModel) throws -> NSManagedObjectModel {
        try migration.migrate(from: model, to: next)
        return next
    }

    private func run(_ stage: NSCustomMigrationStage, from model: NSManagedObjectModel) throws -> NSManagedObjectModel {
        let (current, next) = (try stage.currentModel.resolve(), try stage.nextModel.resolve())
        guard current.versionChecksum == model.versionChecksum else {
            throw MigrationError.make(
                "The stage \(stage.name) begins with another model than the one that \(migration.url.path) has come to."
            )
        }
        try call(stage.willMigrateHandler, of: stage, with: current)
        try migration.migrate(from: current, to: next)
        try call(stage.didMigrateHandler, of: stage, with: next)
        return next
    }

    private func call(
        _ handler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?,
        of stage: NSCustomMigrationStage,
        with model: NSManagedObjectModel
    ) throws {
        guard let handler else { return }
        let container = NSPersistentContainer(
            name: migration.url.deletingPathExtension().lastPathComponent, managedObjectModel: model)
        var options = migration.options
        for option in [
            NSMigratePersistentStoresAutomaticallyOption, NSInferMappingModelAutomaticallyOption,
            NSPersistentStoreStagedMigrationManagerOptionKey, NSPersistentStoreDeferredLightweightMigrationOptionKey,
        ] { options[option] = nil }
        let coordinator = container.persistentStoreCoordinator
        let store = try coordinator.addPersistentStore(
            ofType: migration.type, configurationName: migration.configuration, at: migration.url, options: options)
        manager.container = container
        defer {
            manager.container = nil
            try? coordinator.remove(store)
        }
        try handler(manager, stage)
    }

    // MARK: Models

    private var givenModels: [NSManagedObjectModel] {
        let references = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
            .flatMap { [$0.currentModel, $0.nextModel] }
        return [migration.destination] + references.compactMap { try? $0.resolve() }
    }

    private func model(_ checksum: String, for stage: NSMigrationStage) throws -> NSManagedObjectModel {
        let known =
            givenModels.first { $0.versionChecksum == checksum }
            ?? SourceModels.versions(in: SourceModels.allBundles).first { $0.versionChecksum == checksum }
        guard let known else {
            throw MigrationError.make(
                "The stage \(stage.name) leads to a model with the version checksum \(checksum), which no bundle has.",
                code: NSManagedObjectModelReferenceNotFoundError)
        }
        return known
    }
}
