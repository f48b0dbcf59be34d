import Foundation

/// A step of a staged migration; use ``NSLightweightMigrationStage`` or ``NSCustomMigrationStage``
/// (Apple: NSMigrationStage).
open class NSMigrationStage: NSObject {
    /// A name for people to tell stages apart by. It stands in errors.
    open var label: String?

    override init() { super.init() }

    /// How errors call the stage.
    var name: String { label.map { "'\($0)'" } ?? "\(Swift.type(of: self))" }
}
