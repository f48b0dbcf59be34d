import Foundation
import ManagedObjectModel

/// The errors of migrations, which say what differs, and what would help.
package enum MigrationError {
    /// A migration that can't be done (`NSMigrationError` where no other code is given).
    package static func make(_ text: String, code: Int = NSMigrationError, _ info: [String: Any] = [:]) -> NSError {
        CoreDataError.make(code, text, info.merging(["reason": text]) { first, _ in first })
    }

    /// No mapping can be inferred (`NSInferredMappingModelError`).
    package static func notInferable(_ obstacles: [ModelChange]) -> NSError {
        let lines = obstacles.map { change in
            "  - \(change.description)"
        }
        var info: [String: Any] = [
            "reason": "Can't find or automatically infer mapping model for migration",
            "differences": obstacles.map(\.description),
        ]
        info["entity"] = obstacles.first?.entity
        info["property"] = obstacles.first?.property
        return make(
            "No mapping model can be inferred for these changes:\n\(lines.joined(separator: "\n"))\n"
                + "Give new required attributes a default value, set renaming identifiers where something was renamed, or "
                + "make a mapping model.", code: NSInferredMappingModelError, info)
    }
}
