@_spi(Engine) import CoreDataRows
import Foundation

extension NSManagedObjectContext {
    func forgetEverything() {
        checkQueue("reset()")
        advanceGeneration()
        let objects = registry.allObjects()
        let ids = objects.map(\.objectID)
        advanceRevision()
        forgetChanges()
        mergedDeletions.forget()
        readFailure = nil
        deleteRuleFailures = []
        deferredRestorations = DeferredRestorations()
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
        deferredRestorations = DeferredRestorations()
        let hadDeletions = !deleted.isEmpty
        for object in inserted.objects + deleted.objects.filter(\.wasNeverSaved) {
            if object.flags.contains(.deleted) { deleted.remove(object) }
            object.flags.remove([.inserted, .deleted, .deletePropagated])
            registry.unregister(object)
            object.leaveContext()
            recordEvent(.deletedInEvent, of: object)
        }
        for object in updated.objects + deleted.objects {
            // A deletion that no observer has heard of isn't told any more.
            object.flags.remove(.deletedInEvent)
            object.observably(object.propertiesChangedLocally) { drop(changesOf: object) }
            object.awake(fromSnapshotEvents: .rollback)
            recordEvent(.refreshedInEvent, of: object)
        }
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        doubts = SaveDoubts()
        if hadDeletions { for object in registry.allObjects() { object.readMembersThatWereLeftOut() } }
        endEvent(registersUndo: false)
    }

    func forgetChanges() {
        undoManager?.removeAllActions(withTarget: self)
        inserted.removeAll()
        updated.removeAll()
        deleted.removeAll()
        for object in eventObjects { object.flags.remove(.changedInEvent) }
        eventObjects = []
        changedOrder = nil
        doubts = SaveDoubts()
        locked = []
        retained = []
        _ = keptResults.takeAll()
    }
}

extension NSManagedObject {
    /// Detaches the object from its context, because the context was reset or has gone, or its store has.
    final func invalidate() {
        flags.remove(.changed)
        if !flags.contains(.fault) { flags.insert([.fault, .forgotten]) }
        flags.insert(.invalidated)
        flags.remove([.departed, .deletionMerged])
        state = nil
    }
}
