@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSManagedObjectContext {
    // MARK: Inserting and deleting

    func adopt(new object: NSManagedObject) {
        checkQueue("insert(_:)")
        if let owner = object.ownContext {
            guard owner === self else {
                fatalError("Illegal attempt to insert an object that belongs to another context: \(object)")
            }
            if object.isToBeDeleted { return undelete(object) }
            // What only a parent has counts as new once more (seen in the tests of INCoreData).
            if parent != nil {
                adoptPermanentIdentities()
                if object.storeIndex == 0, object.flags.isDisjoint(with: [.inserted, .inaccessible]) {
                    object.fireIfNeeded()
                    insertAgain(object)
                    return recordEvent(.insertedInEvent, of: object)
                }
            }
            // Observers are told once more (seen in the tests of INCoreData).
            if object.flags.contains(.inserted), object.flags.isDisjoint(with: .insertedInEvent) {
                recordEvent(.reinsertedInEvent, of: object)
            }
            return
        }
        precondition(
            !object.entity.isAbstract, "Cannot insert an instance of the abstract entity '\(object.layout.name)'")
        let registry = self.registry(orOf: object.layout.model)
        guard registry.model.entity(named: object.layout.name)?.index == object.layout.index else {
            fatalError(
                "The context's model has no entity '\(object.layout.name)' like that of the object which is inserted: \(object)"
            )
        }
        // It has left this context by a deletion or a rollback, with its values.
        if object.flags.contains(.invalidated), !object.flags.contains(.forgotten), object.registry.context === self {
            revive(object, underNewIdentity: isTaken(object))
            object.rejoinDestinations()
            return objectDidChange(object)
        }
        object.takeValuesBack()
        object.registry = registry
        let values = object.state
        object.becomeNew()
        if let values {
            object.state = values
            // Objects without a context may have been related to each other, and only some of them inserted.
            if !object.layout.relationships.isEmpty { doubts.hasMetStrangers = true }
        }
        if object.state?.current.isEmpty == true { object.state?.current = object.layout.defaultRow }
        register(inserted: object)
    }

    func register(inserted object: NSManagedObject) {
        checkQueue(ManagedObjectSeed.method(making: object.entity))
        registry.register(object)
        object.flags.insert(.inserted)
        inserted.append(object)
        recordEvent(.insertedInEvent, of: object)
        object.state?.eventBase = .unchanged
        if retainsRegisteredObjects { retained.insert(object) }
        awakenings += 1
        object.awakeFromInsert()
        awakenings -= 1
    }

    /// Has the next save write an object whole, under its identity, as what it was read from has gone or doesn't count.
    func insertAgain(_ object: NSManagedObject) {
        updated.remove(object)
        object.flags.remove(.updated)
        object.flags.insert([.inserted, .insertedAgain])
        object.loseRow()
        inserted.append(object)
        doubts.insertsAgain = true
    }

    func prepareAndMarkDeleted(_ object: NSManagedObject) {
        checkQueue("delete(_:)")
        guard object.ownContext === self else {
            // The object has left this context already. An observer of the merge that deleted it may delete it once more.
            if object.ownContext == nil, object.flags.contains(.departed), object.registry === registry { return }
            fatalError("Illegal attempt to delete an object that isn't in this context: \(object)")
        }
        object.flags.remove(.deletedAsGone)
        guard !object.isToBeDeleted else { return }
        // What the program does then counts the object as deleted: it deletes an owner, say, that has no other left (seen in the
        // sample code of objc.io's book).
        markDeleted(object)
        object.prepareForDeletion()
    }

    func markDeleted(_ object: NSManagedObject) {
        guard !object.flags.contains(.deleted) else { return }
        if object.flags.contains(.inserted) {
            inserted.remove(object)
            object.flags.remove(.inserted)
        } else if object.flags.contains(.updated) {
            updated.remove(object)
            object.flags.remove(.updated)
        }
        object.flags.remove([.deletedByRule, .deletedByMerge, .deletedAsGone])
        object.flags.insert(.deleted)
        deleted.append(object)
        recordEvent(.deletedInEvent, of: object)
    }

    /// Whether there is anything to save, for the framework itself: it doesn't ask what a subclass may have overridden, as doubles in tests
    /// do.
    final var holdsChanges: Bool { !(inserted.isEmpty && updated.isEmpty && deleted.isEmpty) }

    /// The deletions that the next save makes, and those of objects that the current event has inserted, until it ends: a program that
    /// saves where one of the sets has something must find that there is (seen in the tests of flapjack).
    var deletionsToTell: Set<NSManagedObject> {
        deleted.set.filter { !$0.wasNeverSaved || $0.flags.isSuperset(of: [.insertedInEvent, .deletedInEvent]) }
    }

    func undelete(_ object: NSManagedObject) {
        deleted.remove(object)
        object.flags.remove([.deleted, .deletedInEvent, .deletePropagated])
        if object.wasNeverSaved {
            object.flags.insert(.inserted)
            inserted.append(object)
            recordEvent(.insertedInEvent, of: object)
        } else {
            objectDidChange(object)
        }
        object.rejoinDestinations()
    }

    /// Whether an object that has left the context can't be saved under its identity again: the context has another instance for
    /// it, or another writer has brought the row back.
    private func isTaken(_ object: NSManagedObject) -> Bool {
        if registeredObject(for: object.key, layout: object.layout, storeIndex: object.storeIndex) != nil {
            return true
        }
        // Where it can't be looked up, the save meets the same failure, and says so.
        return !object.wasNeverSaved && ((try? parentStore.currentRow(of: object.identity, in: self)) ?? nil) != nil
    }

    /// Counts a change of an object of this context.
    func objectDidChange(_ object: NSManagedObject) {
        advanceRevision()
        if object.flags.isDisjoint(with: .changed) {
            object.flags.insert(.updated)
            updated.append(object)
        }
        if object.flags.isDisjoint(with: .editedInEvent) {
            recordEvent(.updatedInEvent, of: object)
        }
    }

    func recordEvent(_ event: ObjectFlags, of object: NSManagedObject) {
        advanceRevision()
        if object.flags.isDisjoint(with: .changedInEvent) {
            if eventObjects.isEmpty, queue.isMain { endEventWithTurn() }
            eventObjects.append(object)
        }
        object.flags.insert(event)
    }

    // MARK: Processing

    /// Arranges that the event which begins on the main queue ends with the run loop's turn (Apple:
    /// `processPendingChanges()`).
    ///
    /// Nothing is arranged on another thread: a program that changes the objects there breaks the queue's rules, and
    /// its changes would run at the same time as the processing on the main queue.
    private func endEventWithTurn() {
        guard !isEventEndArranged, MainQueue.isCurrent else { return }
        isEventEndArranged = true
        MainQueue.atEndOfTurn { [reference] in
            guard let context = reference.target else { return }
            context.isEventEndArranged = false
            context.processPendingChanges()
        }
    }

    /// - Parameters:
    ///   - registersUndo: whether the event's changes are the program's own, so that an undo takes them back.
    ///   - isMerge: whether they are what others have saved.
    func endEvent(registersUndo: Bool, isMerge: Bool = false) {
        checkQueue("processPendingChanges()")
        if registersUndo { adoptPermanentIdentities() }
        guard !eventObjects.isEmpty else { return }
        if propagatesDeletesAtEndOfEvent || saving == .changes { propagateDeletes() }
        let objects = eventObjects
        eventObjects = []
        changedOrder = nil
        if registersUndo { registerUndo(of: objects) }
        var sets = ChangeSets(expecting: objects)
        let event = PostedEvent(expecting: objects.count)
        for object in objects {
            sets.add(object)
            if !registersUndo, object.flags.isSuperset(of: [.deletedInEvent, .deletedByRule]) {
                object.flags.insert(.deletedByMerge)
            }
            object.flags.remove(.changedInEvent)
            if let state = object.state {
                event.add(object, state.eventChanges)
                state.endEvent()
            }
            forgetIfNeverSaved(object)
        }
        inserted.adopt(sets.inserted)
        if sets.isEmpty { return }
        let outer = postedEvent
        postedEvent = event
        defer { postedEvent = outer }
        ContextNotifications.postDidChange(sets, areMerged: isMerge, in: self)
    }

    /// An object that was deleted before it was ever saved leaves the context, once its delete rules are applied.
    func forgetIfNeverSaved(_ object: NSManagedObject) {
        guard object.flags.isSuperset(of: [.deleted, .deletePropagated]), object.wasNeverSaved else { return }
        deleted.remove(object)
        object.flags.remove([.deleted, .deletePropagated])
        registry.unregister(object)
        retained.remove(object)
        object.leaveContext()
        // Its rules may leave references alone.
        doubts.hasMetStrangers = true
    }
}
