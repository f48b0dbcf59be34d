import Foundation

/// A run of model versions between which lightweight migration leads (Apple: NSLightweightMigrationStage).
open class NSLightweightMigrationStage: NSMigrationStage {
    /// The version checksums of the models, oldest first.
    open private(set) var versionChecksums: [String]

    /// Makes a stage for models with these version checksums, oldest first.
    public init(_ versionChecksums: [String]) {
        self.versionChecksums = versionChecksums
        super.init()
    }
}
