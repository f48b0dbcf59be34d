@_spi(Engine) import CoreDataRows

/// Deleted objects that an undo brings back, and inserted ones that it takes out again.
extension NSManagedObjectContext {
    /// Takes an inserted object out again. The caller, which undoes the whole event, has taken back what the event has related to
    /// it; merges, and changes that weren't registered, may have made others lead to it since. Of one that was saved the delete rules
    /// are applied as those of any; and where rules wait for the save, taking back a deletion's undo must have them applied then too.
    func withdraw(_ object: NSManagedObject) {
        guard object.flags.isDisjoint(with: [.deleted, .invalidated]) else { return }
        if object.wasNeverSaved { object.leaveDestinations() }
        // What a rule had deleted before that was undone is deleted by the rule once more.
        let byRule = object.flags.intersection(.deletedByRule)
        markDeleted(object)
        object.flags.formUnion(byRule)
        if object.wasNeverSaved, propagatesDeletesAtEndOfEvent { object.flags.insert(.deletePropagated) }
    }

    /// Whether an object that has left the context is there again as another instance, as another writer has brought its row back and
    /// it was fetched since: nothing is left to be brought back then.
    func hasAnotherInstance(of object: NSManagedObject) -> Bool {
        guard object.flags.contains(.invalidated) else { return false }
        let (key, storeIndex) = registration(of: object.key, storeIndex: object.storeIndex)
        guard let other = registeredObject(for: key, layout: object.layout, storeIndex: storeIndex), other !== object,
            !other.isToBeDeleted, !other.flags.contains(.inaccessible)
        else { return false }
        // A reference may have made a fault of what isn't there. Where that can't be known, the save finds it out.
        return (try? other.realize(in: self)) ?? false
    }

    /// Those objects whose deletion was saved, and that others have brought back since: the store has their rows.
    func broughtBackByOthers(_ objects: [NSManagedObject]) -> Set<NSManagedObject> {
        let forgotten = objects.filter { $0.flags.contains(.invalidated) && !$0.wasNeverSaved }
        return parent == nil ? havingRows(forgotten) : []
    }

    /// Takes an object back that the context had let go of, as what the store has.
    func rejoin(_ object: NSManagedObject) {
        object.takeValuesBack()
        object.flags.remove([.deleted, .deletePropagated, .invalidated, .departed, .deletionMerged, .deletedInEvent])
        object.state = nil
        object.becomeFault(of: object.key, storeIndex: object.storeIndex, registry: registry)
        registry.register(object)
        recordEvent(.insertedInEvent, of: object)
    }

    /// One undo may bring an object back twice, where the group has several events that deleted it.
    private func countAsInserted(_ object: NSManagedObject) {
        if object.flags.insert(.inserted).inserted { inserted.append(object) }
    }

    /// Brings a deleted object back, whether or not the deletion was saved.
    func revive(_ object: NSManagedObject, underNewIdentity takesNewIdentity: Bool = false) {
        let wasForgotten = object.flags.contains(.invalidated)
        object.takeValuesBack()
        if object.flags.contains(.deleted) { deleted.remove(object) }
        object.flags.remove([
            .deleted, .deletePropagated, .deletedByMerge, .invalidated, .departed, .deletionMerged, .deletedInEvent,
        ])
        if wasForgotten {
            // The row has gone, or never was: the next save writes it anew, under the same identity.
            if object.snapshotPage != nil { object.loseRow() }
            if takesNewIdentity { object.takeNewIdentity() }
            registry.register(object)
            if !takesNewIdentity { object.flags.insert(.insertedAgain) }
            countAsInserted(object)
            doubts.insertsAgain = true
            recordEvent(.insertedInEvent, of: object)
            object.state?.eventBase = .unchanged
        } else if object.wasNeverSaved {
            countAsInserted(object)
            recordEvent(.insertedInEvent, of: object)
        } else {
            // The undo manager records an insertion, so that redoing deletes it again.
            recordEvent(.insertedInEvent, of: object)
            objectDidChange(object)
        }
    }
}
