@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

// Safe: it is handed over from the store to the context that waits for it.
/// An object of a save that can't be written, since a row has values that are to be unique.
struct StoreConstraintConflict: @unchecked Sendable {
    let object: NSManagedObject
    /// The properties that are unique together.
    let properties: [String]
    /// The row that has the values. It may belong to another object of the same save.
    let existing: ObjectKey
    /// The new object of the same save that was to have that row. Its key is gone when the save has failed.
    let holder: NSManagedObject?
    let store: NSPersistentStore
}

extension NSConstraintConflict {
    /// The conflicts of a save, one for each constraint and values. Takes a look-up for each object.
    static func conflicts(
        of found: [StoreConstraintConflict], in context: NSManagedObjectContext
    ) -> [NSConstraintConflict] {
        struct Group: Hashable {
            let store: ObjectIdentifier
            let existing: ObjectKey
            let properties: [String]
        }
        var order: [Group] = []
        var members: [Group: [StoreConstraintConflict]] = [:]
        for conflict in found {
            let group = Group(
                store: ObjectIdentifier(conflict.store), existing: conflict.existing, properties: conflict.properties)
            if members[group] == nil { order.append(group) }
            members[group, default: []].append(conflict)
        }
        return order.compactMap { group in
            members[group].map { NSConstraintConflict($0, unsaved: $0.first?.holder, in: context) }
        }
    }

    private convenience init(
        _ members: [StoreConstraintConflict], unsaved: NSManagedObject?, in context: NSManagedObjectContext
    ) {
        let first = members[0]
        let layout = first.object.layout.model.entities[Int(first.existing.entityIndex)]
        let id = NSManagedObjectID(layout: layout, handle: first.existing.handle, store: first.store)
        let other = unsaved ?? context.object(with: id)
        let isUnsaved = unsaved != nil || other.isUpdated && other.changes(anyOf: first.properties)
        let objects = (isUnsaved ? [other] : []) + members.map(\.object)
        // Where several objects have the values of one row, the conflict between them is resolved first.
        let stored = isUnsaved || members.count > 1 ? nil : other
        // A row that has gone meanwhile shows in the object: the conflict is then with nothing.
        try? stored?.fulfillFault()
        self.init(
            constraint: first.properties, database: stored, databaseSnapshot: stored?.storedSnapshot,
            conflicting: objects, conflictingSnapshots: objects.map { $0.storedSnapshot ?? [:] })
    }
}

extension NSManagedObject {
    fileprivate final func changes(anyOf names: [String]) -> Bool {
        slotsToSave.contains { property in names.contains { $0 == property.name } }
    }
}
