import Foundation

/// The error of a save that would break a uniqueness constraint.
enum ConstraintError {
    static func make(
        _ object: NSManagedObject, properties: [String], existing: ObjectKey, in store: NSPersistentStore
    ) -> NSError {
        let layout = object.layout.model.entities[Int(existing.entityIndex)]
        let other = NSManagedObjectID(layout: layout, handle: existing.handle, store: store)
        let values = properties.map { name in
            let value = object.layout.property(named: name).flatMap { object.primitiveValue(of: $0) }
            return "\(name) = \(value.map { "\($0)" } ?? "nil")"
        }
        return CoreDataError.make(
            NSManagedObjectConstraintMergeError,
            "The \(object.layout.name) with \(values.joined(separator: ", ")) can't be saved: "
                + "\(other.uriRepresentation().absoluteString) has the same, and the model says that "
                + "(\(properties.joined(separator: ", "))) is unique.",
            [NSAffectedObjectsErrorKey: [object], "constraint": properties, "databaseObject": other])
    }
}
