import Foundation
import ManagedObjectModel

extension NSManagedObjectContext {
    func update(_ object: NSManagedObject, keepingChanges flag: Bool) {
        checkQueue("refresh(_:mergeChanges:)")
        guard object.managedObjectContext === self, !object.wasNeverSaved, !object.isDeleted else { return }
        guard flag, object.hasChanges else {
            let transients = flag ? object.state?.transients ?? [:] : [:]
            if object.hasChanges { drop(changesOf: object) }
            object.becomeFaultAgain(keeping: transients)
            noteEvent(.refreshedInEvent, of: object)
            return
        }
        guard let state = object.state,
            let row = try? parentStore.currentRow(of: object.identity, in: self), object.canBeRead(from: row)
        else { return }
        let changed = object.slotsToSave
        let mine = state.current
        object.snapshot = row
        var merged = object.snapshotRowValues()
        for property in changed { merged[property.rowSlot] = mine[property.rowSlot] }
        state.current = merged
        state.toOnes = state.toOnes.filter { index, _ in
            state.changed.contains(object.layout.properties[index].rowSlot)
        }
        state.toManys = state.toManys.filter { $0.value.hasChanges }
        object.awake(fromSnapshotEvents: .refresh)
        noteEvent(.refreshedInEvent, of: object)
    }

    func forgetEverything() {
        checkQueue("reset()")
        advanceGeneration()
        let objects = registry.allObjects()
        let ids = objects.map(\.objectID)
        noteRevision()
        forgetChanges()
        readFailure = nil
        for object in objects {
            registry.unregister(object)
            object.invalidate()
        }
        NotificationCenter.default.post(
            name: .NSManagedObjectContextObjectsDidChange, object: self,
            userInfo: [NSInvalidatedAllObjectsKey: ids, "managedObjectContext": self])
    }

    func dropAllChanges() {
        checkQueue("rollback()")
        readFailure = nil
        undoManager?.removeAllActions(withTarget: self)
        for object in inserted.objects {
            object.flags.remove(.inserted)
            registry.unregister(object)
            object.flags.insert(.invalidated)
            noteEvent(.deletedInEvent, of: object)
        }
        for object in updated.objects + deleted.objects {
            drop(changesOf: object)
            object.awake(fromSnapshotEvents: .rollback)
            noteEvent(.refreshedInEvent, of: object)
        }
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        endEvent(registersUndo: false)
    }

    private func drop(changesOf object: NSManagedObject) {
        if object.flags.contains(.updated) { updated.remove(object) }
        if object.flags.contains(.deleted) { deleted.remove(object) }
        object.flags.remove([.updated, .deleted, .deletePropagated])
        object.state = nil
    }

    func forgetChanges() {
        undoManager?.removeAllActions(withTarget: self)
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        for object in eventObjects { object.flags.remove(.changedInEvent) }
        eventObjects = []
        locked = []
        retained = []
    }
}

extension NSManagedObject {
    /// Cuts the object off: its context was reset or has gone.
    final func invalidate() {
        flags.remove(.changed)
        flags.insert([.invalidated])
        state = nil
    }
}
