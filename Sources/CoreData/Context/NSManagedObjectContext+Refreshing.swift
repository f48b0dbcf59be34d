import Foundation
import ManagedObjectModel

extension NSManagedObjectContext {
    func update(_ object: NSManagedObject, keepingChanges flag: Bool) {
        checkQueue("refresh(_:mergeChanges:)")
        guard object.ownContext === self, !object.wasNeverSaved, !object.isDeleted else { return }
        guard flag, object.hasChanges else {
            turnIntoFault(object, keepingTransients: flag)
            noteEvent(.refreshedInEvent, of: object)
            return
        }
        guard let row = currentRow(of: object) else { return }
        lay(changesOf: object, over: row)
        object.awake(fromSnapshotEvents: .refresh)
        noteEvent(.refreshedInEvent, of: object)
    }

    private func turnIntoFault(_ object: NSManagedObject, keepingTransients: Bool) {
        if object.flags.contains(.fault) { return }
        let transients = keepingTransients ? object.state?.transients ?? [:] : [:]
        // Who follows the object is told what changes, and not just that something may.
        let row = object.flags.contains(.observed) ? currentRow(of: object) : nil
        object.observably(object.propertiesChanged(by: row, keeping: Set(transients.keys))) {
            if object.hasChanges { drop(changesOf: object) }
            object.becomeFaultAgain(keeping: transients)
            if let row { object.snapshot = row }
        }
    }

    /// Has an object that is to be deleted return to what another context has saved, should the deletion be taken back.
    func renewRow(ofDeleted object: NSManagedObject) {
        // A fault reads the newest row anyhow.
        guard !object.isFault, object.snapshotPage != nil, let row = currentRow(of: object) else { return }
        lay(changesOf: object, over: row)
    }

    /// The row as the store or the parent has it now; nil where it has gone or can't be read.
    private func currentRow(of object: NSManagedObject) -> RowRef? {
        do {
            guard let row = try parentStore.currentRow(of: object.identity, in: self), object.canBeRead(from: row)
            else {
                return nil
            }
            return row
        } catch {
            // Nobody could catch it here; the object keeps the values that it has.
            noteReadFailure(error, of: object.objectID.uriRepresentation().absoluteString)
            return nil
        }
    }

    private func lay(changesOf object: NSManagedObject, over row: RowRef) {
        guard let state = object.state else {
            object.snapshot = row
            return
        }
        let changed = object.slotsToSave
        let isChanged = Set(changed.map(\.rowSlot))
        object.observably(object.propertiesChanged(byMerging: row, keepingSlots: isChanged)) {
            lay(changed, of: state, object, over: row)
        }
    }

    private func lay(_ changed: [PropertyLayout], of state: ObjectState, _ object: NSManagedObject, over row: RowRef) {
        let mine = state.current
        let kept = changed.map { ($0.rowSlot, object.lasting(mine[$0.rowSlot])) }
        object.snapshot = row
        var merged = object.snapshotRowValues()
        for (slot, value) in kept { merged[slot] = value }
        state.current = merged
        state.toOnes = state.toOnes.filter { index, _ in
            state.changed.contains(object.layout.properties[index].rowSlot)
        }
        state.toManys = state.toManys.filter { $0.value.hasChanges }
    }

    func forgetEverything() {
        checkQueue("reset()")
        advanceGeneration()
        let objects = registry.allObjects()
        let ids = objects.map(\.objectID)
        noteRevision()
        forgetChanges()
        readFailure = nil
        deleteRuleFailures = []
        for object in objects {
            object.observably(object.layout.properties) {
                registry.unregister(object)
                object.invalidate()
            }
        }
        ContextNotifications.postInvalidatedAll(ids, in: self)
    }

    func dropAllChanges() {
        checkQueue("rollback()")
        readFailure = nil
        deleteRuleFailures = []
        undoManager?.removeAllActions(withTarget: self)
        for object in inserted.objects + deleted.objects.filter(\.wasNeverSaved) {
            if object.flags.contains(.deleted) { deleted.remove(object) }
            object.flags.remove([.inserted, .deleted, .deletePropagated])
            registry.unregister(object)
            object.leaveContext()
            noteEvent(.deletedInEvent, of: object)
        }
        for object in updated.objects + deleted.objects {
            object.observably(object.propertiesChangedLocally) { drop(changesOf: object) }
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
    /// Cuts the object off: its context was reset or has gone, or its store has.
    final func invalidate() {
        flags.remove(.changed)
        flags.insert([.invalidated])
        state = nil
    }
}
