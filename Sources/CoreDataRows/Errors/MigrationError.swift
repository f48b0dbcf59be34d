import Foundation
import ManagedObjectModel

/// The errors of migrations, which say what differs, and what would help.
package enum MigrationError {
    /// A migration that can't be done (`NSMigrationError` where no other code is given).
    package static func make(_ text: String, code: Int = NSMigrationError, _ info: [String: Any] = [:]) -> NSError {
        CoreDataError.make(code, text, info.merging(["reason": text]) { first, _ in first })
    }

    /// A store can't be opened as no mapping can be inferred: `NSMigrationError` where nothing but values are missing, otherwise
    /// `NSMigrationMissingMappingModelError`, each with Apple's `reason` and with the error of the inference below it (Apple's
    /// codes as seen in reports about apps).
    package static func notOpened(_ obstacles: [ModelChange], from source: Any, to destination: Any) -> NSError {
        let cause = notInferable(obstacles)
        var info: [String: Any] = [NSUnderlyingErrorKey: cause, "differences": obstacles.map(\.description)]
        guard obstacles.allSatisfy(\.lacksValue) else {
            info["reason"] = "Can't find or automatically infer mapping model for migration"
            info["sourceModel"] = source
            info["destinationModel"] = destination
            return make(cause.localizedDescription, code: NSMigrationMissingMappingModelError, info)
        }
        info["reason"] =
            "Cannot migrate store in-place: Validation error missing attribute values on mandatory destination attribute"
        return make(cause.localizedDescription, info)
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
