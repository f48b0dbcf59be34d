import Foundation
import ManagedObjectModel

extension NSManagedObjectContext {
    /// Brings an object up to date.
    ///
    /// Without merging, its changes are dropped and it becomes a fault. With merging, its values are read anew and its changes
    /// laid over them (Apple: `refresh(_:mergeChanges:)`).
    public func refresh(_ object: NSManagedObject, mergeChanges flag: Bool) {
        checkQueue()
        guard object.managedObjectContext === self, object.storeIndex != 0, !object.isDeleted else { return }
        guard flag, object.hasChanges else {
            drop(changesOf: object)
            object.becomeFaultAgain()
            noteEvent(.refreshedInEvent, of: object)
            return
        }
        guard let state = object.state, let row = try? loadRow(of: object) else { return }
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

    /// Refreshes all objects of the context, keeping changes.
    public func refreshAllObjects() {
        for object in registry.allObjects() { refresh(object, mergeChanges: true) }
    }

    private func loadRow(of object: NSManagedObject) throws -> RowRef? {
        guard let store = registry.store(at: object.storeIndex) else { return nil }
        let key = ObjectKey(handle: object.handle, entityIndex: object.layout.index)
        guard let row = try coordinator.loadRow(key, from: store, in: self) else { return nil }
        rowCache(of: store).register(row.page, root: object.layout.root)
        return row
    }

    /// Forgets all objects and all changes. Objects that somebody still holds are of no further use.
    public func reset() {
        checkQueue()
        advanceGeneration()
        let objects = registry.allObjects()
        let ids = objects.map(\.objectID)
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

    /// Drops all changes: inserted objects leave, deleted ones return, updated ones get their saved values back.
    public func rollback() {
        checkQueue()
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
