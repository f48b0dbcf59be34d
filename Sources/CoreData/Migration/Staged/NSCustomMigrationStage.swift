import Foundation

/// A step from one model to the next with work of the program's own before and after it (Apple: NSCustomMigrationStage).
open class NSCustomMigrationStage: NSMigrationStage {
    /// The model that the stage begins with.
    open private(set) var currentModel: NSManagedObjectModelReference
    /// The model that the stage leads to, by a lightweight migration.
    open private(set) var nextModel: NSManagedObjectModelReference
    /// Called before the migration; the manager's container has the store open with the current model.
    open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?
    /// Called after the migration; the manager's container has the store open with the next model.
    open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

    /// Makes a stage from one model to another.
    public init(
        migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference
    ) {
        self.currentModel = currentModel
        self.nextModel = nextModel
        super.init()
    }
}
