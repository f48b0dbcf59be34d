@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

/// Objects that have the same values where the model says that these are unique (Apple: NSConstraintConflict).
///
/// Either objects of one context have them, or one object has what a row of the store has. There is one conflict for each
/// constraint that is broken.
open class NSConstraintConflict: NSObject {
    /// The names of the properties that are unique together.
    open private(set) var constraint: [String]
    /// The values that the objects have, by property; nil as `NSNull`.
    open private(set) var constraintValues: [String: Any]
    /// The object whose row has the values; nil when only unsaved objects have them.
    open private(set) var databaseObject: NSManagedObject?
    /// The values that this row has.
    open private(set) var databaseSnapshot: [AnyHashable: Any]?
    /// The context's objects that have the values.
    open private(set) var conflictingObjects: [NSManagedObject]
    /// The values that these were read with; empty for those that were never saved.
    open private(set) var conflictingSnapshots: [[AnyHashable: Any]]

    /// Makes a conflict of what both sides have. Snapshots that aren't dictionaries, as `NSNull`, count as empty.
    public init(
        constraint contraint: [String], database databaseObject: NSManagedObject?,
        databaseSnapshot: [AnyHashable: Any]?, conflicting conflictingObjects: [NSManagedObject],
        conflictingSnapshots: [Any]
    ) {
        constraint = contraint
        self.databaseObject = databaseObject
        self.databaseSnapshot = databaseSnapshot
        self.conflictingObjects = conflictingObjects
        self.conflictingSnapshots = conflictingSnapshots.map { $0 as? [AnyHashable: Any] ?? [:] }
        var values: [String: Any] = [:]
        if let object = conflictingObjects.first {
            for name in contraint {
                guard let property = object.layout.property(named: name) else { continue }
                values[name] = object.primitiveValue(of: property) ?? NSNull()
            }
        }
        constraintValues = values
    }

    /// Makes a conflict of nothing.
    public convenience override init() {
        self.init(constraint: [], database: nil, databaseSnapshot: nil, conflicting: [], conflictingSnapshots: [])
    }

    /// The values, and the objects that have them.
    open override var description: String {
        let values = constraintValues.sorted { $0.key < $1.key }.map { name, value in
            "\(name) = \(PrintedValue.text(of: value))"
        }
        let objects = conflictingObjects.map { "\($0.layout.name) \($0.objectID.uriRepresentation().absoluteString)" }
        let stored = databaseObject.map {
            "; the store has them in \($0.objectID.uriRepresentation().absoluteString)"
        }
        return "NSConstraintConflict for \(values.joined(separator: ", ")): \(objects.joined(separator: ", "))"
            + (stored ?? "")
    }
}
