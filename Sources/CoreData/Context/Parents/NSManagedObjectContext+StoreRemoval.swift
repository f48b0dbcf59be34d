@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension NSManagedObjectContext {
    /// Invalidates the objects of a store that was removed from the coordinator, with their changes: they can't be read
    /// or saved any more. Objects of other stores, and new ones that weren't assigned to this one, stay. To be called
    /// on the context's queue.
    ///
    /// Posts which objects are invalid, or that all are (Apple: `NSInvalidatedObjectsKey`, `NSInvalidatedAllObjectsKey`).
    func forgetObjects(of store: NSPersistentStore) {
        // What a parent has saved belongs to the store, also where this context knows it by its temporary identity.
        adoptPermanentIdentities()
        let index = registry.index(of: store)
        let all = registry.allObjects()
        let gone = Set(all.filter { $0.storeIndex == index || $0.state?.assignedStore === store })
        if gone.isEmpty { return }
        if gone.count == all.count { return forgetEverything() }
        // What the program has done is an event of its own; what the removal does can't be undone.
        processPendingChanges()
        // Undo actions hold values that lead to them.
        undoManager?.removeAllActions(withTarget: self)
        for object in inserted.objects + updated.objects where !gone.contains(object) { object.lose(gone) }
        for object in gone { forget(invalid: object) }
        eventObjects.removeAll(where: gone.contains)
        changedOrder = nil
        locked.subtract(gone)
        retained.subtract(gone)
        advanceRevision()
        for object in gone {
            object.observably(object.layout.properties) {
                registry.unregister(object)
                object.invalidate()
            }
        }
        ContextNotifications.postInvalidated(gone, in: self)
        endEvent(registersUndo: false)
    }

    private func forget(invalid object: NSManagedObject) {
        if object.flags.contains(.inserted) {
            inserted.remove(object)
        } else if object.flags.contains(.updated) {
            updated.remove(object)
        } else if object.flags.contains(.deleted) {
            deleted.remove(object)
        }
        object.flags.remove(.changedInEvent)
    }
}

extension NSManagedObject {
    /// Removes objects that unsaved relationships lead to. Saved ones never lead to another store.
    fileprivate final func lose(_ gone: Set<NSManagedObject>) {
        for property in layout.relationships where property.rowSlot >= 0 {
            guard let destination = field(property).destination, gone.contains(destination) else { continue }
            observably(property) { setPrimitiveToOne(nil, of: property) }
            reportChange()
        }
        for (index, members) in state?.toManys ?? [:] {
            let lost = members.added.intersection(gone)
            if lost.isEmpty { continue }
            observably(layout.properties[index]) { for member in lost { members.remove(member) } }
            reportChange()
        }
    }
}
