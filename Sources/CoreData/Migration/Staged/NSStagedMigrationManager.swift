import Foundation

/// The stages by which a store comes from an old model to the present one (Apple: NSStagedMigrationManager).
///
/// Give it among the options under ``NSPersistentStoreStagedMigrationManagerOptionKey``, together with those for automatic
/// migration. A store begins at the stage that has its model; each stage is complete before the next one begins.
open class NSStagedMigrationManager: NSObject {
    /// The stages, oldest model first.
    open private(set) var stages: [NSMigrationStage]
    /// The container over the store, while a handler of a stage runs.
    open internal(set) var container: NSPersistentContainer?

    /// Makes a manager of stages, oldest model first.
    public init(_ stages: [NSMigrationStage]) {
        self.stages = stages
        super.init()
    }
}
