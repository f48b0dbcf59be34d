@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension NSManagedObjectContext {
    func update(_ object: NSManagedObject, keepingChanges flag: Bool) {
        checkQueue("refresh(_:mergeChanges:)")
        guard object.ownContext === self else { return }
        if object.isToBeDeleted {
            if flag, !object.wasNeverSaved { renewRow(ofDeleted: object) }
            return
        }
        if object.wasNeverSaved {
            if !flag { turnNewIntoFault(object) }
            return
        }
        parentStore.forgetReadAhead(of: object)
        guard flag, object.hasChanges else {
            turnIntoFault(object, keepingTransients: flag)
            recordEvent(.refreshedInEvent, of: object)
            return
        }
        guard let row = currentRow(of: object) else { return }
        let conflicts = lay(changesOf: object, over: row)
        if rivals == nil { settle(conflicts) } else { rivals?.append(contentsOf: conflicts) }
        object.awake(fromSnapshotEvents: .refresh)
        recordEvent(.refreshedInEvent, of: object)
    }

    /// Refreshes all objects, keeping changes. Transient values of unchanged objects go, as on Apple's platforms (seen in tests
    /// of CoreDataPlus).
    func updateAll() {
        checkQueue("refreshAllObjects()")
        parentStore.forgetReadAhead(of: nil)
        advanceRevision()
        refreshingTogether {
            for object in registry.allObjects() {
                if !object.hasChanges, !object.isFault { object.state?.forgetTransients() }
                refresh(object, mergeChanges: true)
            }
        }
    }

    /// Refreshes several objects, and then makes the two ends of their relationships agree.
    func refreshingTogether(_ refresh: () -> Void) {
        let isOutermost = rivals == nil
        if isOutermost { rivals = [] }
        refresh()
        guard isOutermost, let found = rivals else { return }
        rivals = nil
        settle(found)
        if propagatesDeletesAtEndOfEvent, !deleted.isEmpty { propagateDeletes() }
    }

    private func turnIntoFault(_ object: NSManagedObject, keepingTransients: Bool) {
        let isFault = object.flags.contains(.fault)
        if !isFault, object.hasChanges { revert(relationshipsOf: object) }
        let transients = keepingTransients ? object.state?.transients ?? [:] : [:]
        if isFault { return object.forgetFetchedRow(keeping: transients) }
        // Observers of the object are notified of what changes, not just that something may.
        let row = object.flags.contains(.observed) ? currentRow(of: object) : nil
        object.observably(object.propertiesChanged(by: row, keeping: Set(transients.keys))) {
            if object.hasChanges { drop(changesOf: object) }
            object.becomeFaultAgain(keeping: transients)
            if let row { object.snapshot = row }
        }
    }

    /// A new object becomes one with the values that it began with. It stays inserted (seen in tests of CoreDataPlus).
    private func turnNewIntoFault(_ object: NSManagedObject) {
        if object.flags.contains(.fault) { return }
        revert(relationshipsOf: object)
        object.observably(object.layout.properties) { object.becomeNewFault() }
        recordEvent(.refreshedInEvent, of: object)
    }

    /// Undoes an object's changes of its relationships, so that the other ends don't keep what it discards.
    ///
    /// - Parameter appliesRulesAgain: whether the delete rules of destinations that are deleted are to find the object again.
    func revert(
        relationshipsOf object: NSManagedObject, appliesRulesAgain: Bool = true,
        where isDropped: (PropertyLayout) -> Bool = { _ in true }
    ) {
        guard let state = object.state else { return }
        for property in object.layout.relationships
        where property.inverse != nil && object.isChanged(property, in: state) && isDropped(property) {
            guard property.kind == .toMany else {
                if state.confirmed.contains(property.rowSlot) { object.takeBackConfirmation(of: property) }
                let before = object.committedValue(of: property) as? NSManagedObject
                let destination = remaining(before, of: property, from: object, appliesRulesAgain)
                object.toOne(property)?.returnToFormerPartner(from: object, property)
                if let destination, destination.hasMovedOn(from: object, property) {
                    object.setValue(nil, of: property)
                    object.setPrimitiveToOne(destination, of: property)
                    destination.takeBackParting(of: property)
                } else {
                    object.setValue(destination, of: property)
                }
                continue
            }
            let members = object.toMany(property)
            for member in members.added
            where !member.isToBeDeleted && (appliesRulesAgain || !member.hasLeftDeleted(forMembersOf: property)) {
                revert(member, addedTo: property, of: object)
            }
            for member in members.removed {
                guard let member = remaining(member, of: property, from: object, appliesRulesAgain) else { continue }
                guard !member.hasMovedOn(from: object, property) else {
                    member.takeBackParting(of: property)
                    continue
                }
                object.addMember(member, to: property)
            }
        }
    }

    /// A destination unless it is to be deleted. The delete rules of a deleted one are applied again if wished, as the object's row
    /// still leads to it, and have to find the object.
    private func remaining(
        _ destination: NSManagedObject?, of property: PropertyLayout, from object: NSManagedObject,
        _ appliesRulesAgain: Bool
    ) -> NSManagedObject? {
        guard let destination, destination.isToBeDeleted else { return destination }
        guard appliesRulesAgain else { return nil }
        destination.flags.remove(.deletePropagated)
        guard let inverse = destination.inverse(of: property) else { return nil }
        if inverse.kind == .toMany {
            let members = inverse.isOrdered ? destination.members(inverse) : destination.toMany(inverse)
            if members.removed.contains(object) { members.add(object) }
        } else if destination.toOne(inverse) == nil {
            destination.setPrimitiveToOne(object, of: inverse)
        }
        return nil
    }

    private func revert(_ member: NSManagedObject, addedTo property: PropertyLayout, of object: NSManagedObject) {
        let inverse = member.inverse(of: property)
        if let inverse, inverse.kind == .toMany {
            let owners = member.toMany(inverse)
            // The store has both ends, of which this one was read before the other.
            if owners.isLoaded, !object.isToBeDeleted, owners.saved.contains(object) { return }
            // Whether the store has it, too, isn't known: both ends are read as they are stored.
            if !owners.isLoaded {
                member.observably(inverse) { owners.forget([object]) }
                return object.toMany(property).forget([member])
            }
        }
        if let inverse, inverse.kind == .toOne {
            let before = member.committedValue(of: inverse) as? NSManagedObject
            member.setValue(remaining(before, of: inverse, from: member, true), of: inverse)
        } else {
            object.removeMember(member, of: property)
        }
    }

    /// Gives a deleted object the row that another context has saved, for the case that the deletion is undone.
    func renewRow(ofDeleted object: NSManagedObject) {
        // A fault reads the newest row anyhow.
        guard !object.isFault, object.snapshotPage != nil, let row = currentRow(of: object) else { return }
        // The delete rules were applied to this version. A parent's objects change without their versions changing.
        if parent == nil, row.version == object.snapshotVersion { return }
        let conflicts = lay(changesOf: object, over: row)
        if rivals == nil { settle(conflicts) } else { rivals?.append(contentsOf: conflicts) }
        // It may have other relationships by now, and must be removed from their other ends too.
        object.flags.remove(.deletePropagated)
    }

    /// The row as the store or the parent has it now; nil where it has gone or can't be read.
    func currentRow(of object: NSManagedObject) -> RowRef? {
        do {
            let row = try followingExchanges { try parentStore.currentRow(of: object.identity, in: self) }
            guard let row, object.canBeRead(from: row) else { return nil }
            return row
        } catch {
            recordReadFailure(error, of: "'\(object.objectID)'")
            return nil
        }
    }

    /// Gives an object another row, and keeps what the context has changed of it.
    ///
    /// - Returns: the to-ones that both the object and the other row have changed.
    func lay(changesOf object: NSManagedObject, over row: RowRef) -> [ConflictingDestination] {
        guard let state = object.state else {
            object.snapshot = row
            return []
        }
        let changed =
            object.slotsToSave
            + OneToOnePartner.all(of: object).filter(\.isByTheirChange).map(\.property).filter { $0.rowSlot >= 0 }
        let isChanged = Set(changed.map(\.rowSlot))
        let rivals = ConflictingDestination.all(of: object, changed, in: row)
        object.observably(object.propertiesChanged(byMerging: row, keepingSlots: isChanged)) {
            object.lay(changed, of: state, over: row)
        }
        return rivals
    }

    /// Removes objects that other contexts have related to this context's objects where these have another destination
    /// here.
    func settle(_ rivals: [ConflictingDestination]) {
        for rival in rivals {
            guard rival.object.ownContext === self else { continue }
            if !rival.object.isToBeDeleted, let mine = rival.object.toOne(rival.property), !mine.isToBeDeleted,
                let inverse = mine.inverse(of: rival.property)
            {
                mine.hold(rival.object, as: inverse)
            }
            guard let destination = formerDestination(rival), !destination.isToBeDeleted,
                rival.object.isToBeDeleted || destination !== rival.object.toOne(rival.property),
                let inverse = destination.inverse(of: rival.property)
            else { continue }
            destination.giveUp(rival.object, as: inverse)
        }
    }

    private func formerDestination(_ rival: ConflictingDestination) -> NSManagedObject? {
        do {
            return try destination(rival.key, of: rival.property, from: rival.object)
        } catch {
            recordReadFailure(error, of: "the relationship '\(rival.property.name)' of '\(rival.object.objectID)'")
            return nil
        }
    }

    func drop(changesOf object: NSManagedObject) {
        if object.flags.contains(.updated) { updated.remove(object) }
        if object.flags.contains(.deleted) { deleted.remove(object) }
        object.flags.remove([.updated, .deleted, .deletePropagated])
        object.state = nil
        // What had no row is looked up again when it is next used.
        if object.flags.contains(.inaccessible) {
            object.flags.remove(.inaccessible)
            object.flags.insert(.fault)
        }
    }
}

extension NSManagedObject {
    /// Whether the object has come to be a member of another one's relationship from an owner that its context deletes.
    final func hasLeftDeleted(forMembersOf property: PropertyLayout) -> Bool {
        guard let inverse = inverse(of: property), inverse.kind == .toOne else { return false }
        return (committedValue(of: inverse) as? NSManagedObject)?.isToBeDeleted ?? false
    }
}
