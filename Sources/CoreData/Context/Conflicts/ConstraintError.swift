import Foundation

/// The error of a save that would break uniqueness constraints.
enum ConstraintError {
    static func make(_ conflicts: [NSConstraintConflict]) -> NSError {
        let list = conflicts.prefix(20).map { "  - \($0)" }.joined(separator: "\n")
        let hidden = conflicts.count > 20 ? "\n  - and \(conflicts.count - 20) more" : ""
        return CoreDataError.make(
            NSManagedObjectConstraintMergeError,
            "Could not save: values that the model says are unique would be there more than once.\n\(list)\(hidden)\n"
                + "Change the values, or set a merge policy other than the error policy.",
            [
                NSPersistentStoreSaveConflictsErrorKey: conflicts,
                NSAffectedObjectsErrorKey: conflicts.flatMap(\.conflictingObjects),
            ])
    }
}
