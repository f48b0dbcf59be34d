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
            configuration: migration.configuration, known: givenModels.models)
        let plan = try StagePlan(
            manager.stages, from: current.versionChecksum, to: migration.destination.versionChecksum)
        for step in plan.steps {
            switch step {
            case .bring(let checksum, let between, let stage):
                current = try bring(current, to: checksum, through: between, for: stage)
            case .perform(let stage):
                current = try perform(stage)
            }
        }
    }

    /// Migrates at once where that can be inferred, as Apple's framework does, and else version by version.
    private func bring(
        _ model: NSManagedObjectModel, to checksum: String, through between: [String], for stage: NSMigrationStage
    ) throws -> NSManagedObjectModel {
        let last = try self.model(checksum, for: stage)
        let canJump = ModelDifference(from: model, to: last).allowsLightweightMigration
        let next = canJump ? [last] : try between.map { try self.model($0, for: stage) } + [last]
        var current = model
        for version in next {
            try migrate(current, to: version, in: stage)
            current = version
        }
        return last
    }

    private func perform(_ stage: NSCustomMigrationStage) throws -> NSManagedObjectModel {
        let (current, next) = (try stage.currentModel.resolve(), try stage.nextModel.resolve())
        try call(stage.willMigrateHandler, of: stage, with: current)
        try migrate(current, to: next, in: stage)
        try call(stage.didMigrateHandler, of: stage, with: next)
        return next
    }

    private func migrate(
        _ model: NSManagedObjectModel, to next: NSManagedObjectModel, in stage: NSMigrationStage
    ) throws {
        do {
            // Apple's page on custom stages: its handler fills in what the next model requires.
            try migration.migrate(
                from: model, to: next, label: stage.label, acceptsRequiredValues: stage is NSCustomMigrationStage)
        } catch let error as NSError where error.domain == NSCocoaErrorDomain {
            throw CoreDataError.make(
                error.code,
                "The stage \(stage.name) of the migration of \(migration.url.path) failed. "
                    + error.localizedDescription,
                error.userInfo.filter { $0.key != NSLocalizedDescriptionKey }
                    .merging([NSUnderlyingErrorKey: error]) { first, _ in first })
        }
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
            // The store was added just now; an observer may have removed it.
            try? coordinator.remove(store)
        }
        try handler(manager, stage)
    }

    // MARK: Models

    /// The models that the stages name, as far as they are there, and why the first other one isn't.
    private var givenModels: (models: [NSManagedObjectModel], failure: (any Error)?) {
        let references = manager.stages.compactMap { $0 as? NSCustomMigrationStage }
            .flatMap { [$0.currentModel, $0.nextModel] }
        var (models, failure) = ([migration.destination], nil as (any Error)?)
        for reference in references {
            do {
                models.append(try reference.resolve())
            } catch {
                failure = failure ?? error
            }
        }
        return (models, failure)
    }

    private func model(_ checksum: String, for stage: NSMigrationStage) throws -> NSManagedObjectModel {
        let (given, failure) = givenModels
        let known =
            given.first { $0.versionChecksum == checksum }
            ?? ModelCatalog(bundles: ModelBundles.ofProgram).model(withChecksum: checksum)
        guard let known else {
            throw MigrationError.make(
                "The stage \(stage.name) leads to a model with the version checksum \(checksum), which no bundle has."
                    + (failure.map { " \($0.localizedDescription)" } ?? ""),
                code: NSManagedObjectModelReferenceNotFoundError, failure.map { [NSUnderlyingErrorKey: $0] } ?? [:])
        }
        return known
    }
}
