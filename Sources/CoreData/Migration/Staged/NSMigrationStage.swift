import Foundation

/// A step of a staged migration; use ``NSLightweightMigrationStage`` or ``NSCustomMigrationStage``
/// (Apple: NSMigrationStage).
open class NSMigrationStage: NSObject {
    /// What the stage is for, in a few words. It stands in errors, and in persistent history as the name of the context of
    /// the transaction that says that the store was migrated (where Apple's framework records it is not known).
    open var label: String! = ""

    override init() { super.init() }

    /// How errors call the stage.
    var name: String {
        guard let label, !label.isEmpty else { return "\(Swift.type(of: self))" }
        return "'\(label)'"
    }
}
