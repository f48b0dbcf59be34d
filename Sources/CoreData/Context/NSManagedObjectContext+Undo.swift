import Foundation
import FoundationCompat

@_exported import class FoundationCompat.UndoManager

extension NSManagedObjectContext {
    func undoLastGroup() {
        processPendingChanges()
        undoManager?.undo()
    }

    func redoLastGroup() {
        processPendingChanges()
        undoManager?.redo()
    }

    /// Has the undo manager remember the event that is just ending.
    func registerUndo(of objects: ContiguousArray<NSManagedObject>) {
        guard let undoManager, undoManager.isUndoRegistrationEnabled, let event = UndoableEvent(objects) else { return }
        undoManager.registerUndo(withTarget: self) { context in
            event.undo(in: context)
            context.processPendingChanges()
        }
    }

    /// Takes an inserted object out again. Its relationships were cut by whoever undoes the event as a whole.
    func withdraw(_ object: NSManagedObject) {
        guard object.flags.isDisjoint(with: [.deleted, .invalidated]) else { return }
        markDeleted(object)
        object.flags.insert(.deletePropagated)
    }

    /// Brings a deleted object back, whether or not the deletion was saved.
    func revive(_ object: NSManagedObject) {
        let wasForgotten = object.flags.contains(.invalidated)
        if object.flags.contains(.deleted) { deleted.remove(object) }
        object.flags.remove([.deleted, .deletePropagated, .invalidated, .deletedInEvent])
        if wasForgotten {
            // The row has gone, or never was: the next save writes it anew, under the same identity.
            if object.snapshotPage != nil {
                _ = object.beginWriting()
                object.snapshot = nil
                for value in (object.state?.toManys ?? [:]).values { value.didLoseRow() }
            }
            registry.register(object)
            object.flags.insert(.inserted)
            inserted.append(object)
            noteEvent(.insertedInEvent, of: object)
            object.state?.eventBase = .unchanged
        } else if object.wasNeverSaved {
            object.flags.insert(.inserted)
            inserted.append(object)
            noteEvent(.insertedInEvent, of: object)
        } else {
            // To the undo manager it has come into being, so that redoing takes it away again.
            noteEvent(.insertedInEvent, of: object)
            objectDidChange(object)
        }
    }
}
