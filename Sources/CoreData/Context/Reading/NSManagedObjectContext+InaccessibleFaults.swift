@_spi(Engine) import CoreDataRows
import ManagedObjectModel

extension NSManagedObjectContext {
    /// Makes an object whose row was deleted one without values, which the next save deletes; ends the program where the context is
    /// told not to (Apple: `shouldDeleteInaccessibleFaults`).
    ///
    /// - Parameter key: the property that was accessed.
    func handleInaccessibleFault(of object: NSManagedObject, askedFor key: String?) {
        let property = key.flatMap(object.layout.property(named:))?.property
        guard shouldHandleInaccessibleFault(object, for: object.objectID, triggeredByProperty: property) else {
            fatalError(
                "CoreData could not fulfill a fault for '\(object.objectID)': the object isn't in the store any more.")
        }
        object.observably(object.layout.properties) {
            object.flags.remove(.fault)
            object.flags.insert(.inaccessible)
            object.snapshot = nil
        }
        if !object.isToBeDeleted {
            markDeleted(object)
            object.flags.insert(.deletedAsGone)
        }
    }

    /// Gives an object its row again that was deleted and has come back. What the program has deleted itself stays deleted, and
    /// what it has changed stays changed.
    func makeAccessible(_ object: NSManagedObject) {
        guard object.flags.contains(.inaccessible), let row = currentRow(of: object) else { return }
        let isToBeDeleted = !object.flags.contains(.deletedAsGone)
        let own = object.slotsToSave
        let changed = object.hasChangesToSave ? object.state : nil
        if !isToBeDeleted {
            deleted.remove(object)
            object.flags.remove([.deleted, .deletePropagated, .deletedAsGone])
        }
        object.flags.remove(.inaccessible)
        object.observably(object.layout.properties) {
            if let changed, !isToBeDeleted {
                object.lay(own, of: changed, over: row)
                objectDidChange(object)
            } else {
                object.state = nil
                object.snapshot = row
                if !isToBeDeleted { object.flags.insert(.fault) }
            }
        }
        recordEvent(.refreshedInEvent, of: object)
    }
}
