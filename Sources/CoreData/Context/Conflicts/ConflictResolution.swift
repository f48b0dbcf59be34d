@_spi(Engine) import CoreDataRows
import Foundation

/// The conflicts of a save: objects of which the store has another version than the context had read, and objects whose
/// values break a uniqueness constraint.
struct StoreConflicts: Error {
    var conflicts: [StoreConflict]
    var constraints: [StoreConstraintConflict] = []
}

// Safe: it is handed over from the store to the context that waits for it.
/// One such object, and its row as the store has it now.
struct StoreConflict: @unchecked Sendable {
    let object: NSManagedObject
    /// Nil when the object was deleted in the store.
    let persisted: RowRef?

    /// Whether the change was saved through the context's own coordinator, which knows its version even where no object holds the
    /// row any more.
    var isKnownToCoordinator: Bool {
        guard let context = object.ownContext, context.parent == nil,
            let store = context.registry.store(at: object.storeIndex)
        else { return false }
        switch store.rowCache.newest(object.savedKey, root: object.layout.root) {
        case .row(let row): return isNews(row.version)
        case .gone(let version), .elsewhere(let version): return isNews(version)
        case .deleted: return persisted == nil
        case .unknown: return false
        }
    }

    private func isNews(_ version: Int64) -> Bool {
        version == persisted?.version && version != object.snapshotVersion
    }
}

/// Resolves conflicts by a merge policy: changes a context's objects so that they can be saved.
enum ConflictResolution {
    /// - Parameter own: the objects that were changed when the save began. Others that are in conflict were changed to settle
    ///   their relationships with these.
    /// - Returns: the objects that the policy has changed.
    static func resolve(
        _ conflicts: StoreConflicts, in context: NSManagedObjectContext, changedAtFirst own: Set<NSManagedObject>
    ) throws -> [NSManagedObject] {
        let changed = conflicts.conflicts.map { NSMergeConflict($0, isOfOwnChange: own.contains($0.object)) }
        let constraints = NSConstraintConflict.conflicts(of: conflicts.constraints, in: context)
        let policy = context.mergePolicy as? NSMergePolicy ?? .error
        try policy.resolve(mergeConflicts: changed + constraints)
        // What is gone and was given up leaves the relationships of those that stay, as by the merge of its deletion.
        let gone = conflicts.conflicts.filter { $0.persisted == nil && $0.object.ownContext == nil }.map(\.object)
        context.forgetReferences(toDeletedElsewhere: Set(gone))
        // What others have made to lead to an object that this save deletes leads nowhere.
        if !context.deleted.isEmpty {
            for conflict in conflicts.conflicts { conflict.object.leaveDeletedDestinations() }
        }
        let settled = context.eventObjects.filter { !$0.flags.isDisjoint(with: .editedInEvent) && !$0.isToBeDeleted }
        context.refreshOutdatedNeighbours(except: Set(conflicts.conflicts.map(\.object)))
        context.endEvent(registersUndo: false)
        return Array(settled)
    }

    /// The error of a save whose conflicts the policy doesn't resolve.
    static func error(for conflicts: StoreConflicts, in context: NSManagedObjectContext) -> NSError {
        conflicts.conflicts.isEmpty
            ? ConstraintError.make(NSConstraintConflict.conflicts(of: conflicts.constraints, in: context))
            : error(for: conflicts.conflicts.map { NSMergeConflict($0) })
    }

    static func error(for conflicts: [NSMergeConflict]) -> NSError {
        let list = conflicts.prefix(20).map { "  - \($0)" }.joined(separator: "\n")
        return CoreDataError.make(
            NSManagedObjectMergeError,
            "Could not merge changes: \(conflicts.count) object\(conflicts.count == 1 ? " was" : "s were") changed in the "
                + "store since the context read them.\n\(list)\nSet a merge policy, or refresh the objects and try again.",
            [NSPersistentStoreSaveConflictsErrorKey: conflicts])
    }

    static func resolve(_ conflict: NSMergeConflict, by type: NSMergePolicyType) {
        let object = conflict.sourceObject
        guard let context = object.ownContext else { return }
        guard let row = conflict.persistedRow else { return context.resolveDeletedElsewhere(object, by: type) }
        // All that a new object says is its own, also what a new one begins with.
        let isNew = object.isInserted
        let own = isNew ? object.wholeState : object.slotsToSave
        if type != .errorMergePolicyType { context.countAsStored(object) }
        switch type {
        case .errorMergePolicyType: break
        case .rollbackMergePolicyType: context.giveWay(to: row, object)
        case .overwriteMergePolicyType:
            // An object that only the save itself has changed is written by what it changed, not by its old values.
            context.adopt(
                row, of: object,
                keeping: conflict.isOfOwnChange ? object.wholeState : own,
                prefersOwnChanges: true)
        case .mergeByPropertyObjectTrumpMergePolicyType:
            context.adopt(row, of: object, keeping: own, prefersOwnChanges: true)
        case .mergeByPropertyStoreTrumpMergePolicyType:
            // A deletion would lose what others have changed (our choice: Apple doesn't say).
            if object.isToBeDeleted || isNew { return context.giveWay(to: row, object) }
            let mine = own.filter { property in
                object.isSame(row.page.value(row.row, property), object.committedField(property), of: property)
            }
            context.adopt(row, of: object, keeping: mine, prefersOwnChanges: false)
        }
    }
}

extension NSManagedObjectContext {
    /// Makes the store's row the object's snapshot, and lays some of the object's own values over it.
    ///
    /// Unsaved changes of members are kept, and so is a deletion.
    ///
    /// - Parameter prefersOwnChanges: whether a one-to-one partner that the context has given to another stays with that one.
    fileprivate func adopt(
        _ row: RowRef, of object: NSManagedObject, keeping properties: [PropertyLayout], prefersOwnChanges: Bool
    ) {
        cacheRow(row, of: object)
        guard let state = object.state, !object.isToBeDeleted else {
            object.snapshot = row
            // What was made of the older row; an undo of the deletion begins with this one.
            if let state = object.state, state.current.isEmpty {
                state.toOnes.removeAll()
                state.decoded.removeAll()
            }
            return
        }
        guard !properties.isEmpty || state.toManys.contains(where: { $0.value.hasChanges }) else {
            return giveWay(to: row, object)
        }
        let partners = OneToOnePartner.all(of: object)
        let kept = Set(properties.map(\.rowSlot))
        revert(relationshipsOf: object, appliesRulesAgain: false) {
            $0.kind == .toOne && !kept.contains($0.rowSlot)
        }
        let rivals = ConflictingDestination.all(of: object, properties.filter { $0.rowSlot >= 0 }, in: row)
        object.observably(object.propertiesChanged(byMerging: row, keepingSlots: kept)) {
            object.lay(properties, of: state, over: row)
        }
        settle(rivals)
        for partner in partners { partner.followStore() }
        object.rejoinToOnesInMemory(exceptTakenByChanges: prefersOwnChanges)
        object.awake(fromSnapshotEvents: .mergePolicy)
    }

    /// Gives the object the store's values: it is neither changed nor deleted any more. What leads away from an object that the save
    /// deletes stays: what the store has there leads nowhere then.
    fileprivate func giveWay(to row: RowRef, _ object: NSManagedObject) {
        if !deleted.isEmpty, !object.isToBeDeleted {
            let partings = partings(of: object, in: row)
            if !partings.isEmpty || hasMembersOfDeleted(object) {
                let kept = Set(partings.map(\.rowSlot))
                revert(relationshipsOf: object, appliesRulesAgain: false) { !kept.contains($0.rowSlot) }
                return adopt(row, of: object, keeping: partings, prefersOwnChanges: false)
            }
        }
        cacheRow(row, of: object)
        let partners = OneToOnePartner.all(of: object)
        let wasDeleted = object.isToBeDeleted
        if wasDeleted {
            object.takeBackPartings()
            deleted.remove(object)
        } else {
            revert(relationshipsOf: object, appliesRulesAgain: false)
            updated.remove(object)
        }
        object.flags.remove([.updated, .deleted, .deletePropagated])
        if wasDeleted { object.takeBackDeleteRules() }
        object.observably(object.propertiesChanged(by: row)) {
            object.snapshot = row
            object.state = nil
        }
        for partner in partners { partner.followStore() }
        if wasDeleted { object.rejoinToOnes() } else { object.rejoinToOnesInMemory(exceptTakenByChanges: false) }
        object.awake(fromSnapshotEvents: .mergePolicy)
    }

    /// The to-ones that this context has changed where the row leads to an object that it deletes.
    private func partings(of object: NSManagedObject, in row: RowRef) -> [PropertyLayout] {
        guard let state = object.state else { return [] }
        return object.layout.relationships.filter { property in
            guard property.rowSlot >= 0, object.isChanged(property, in: state),
                case .reference(let key) = row.page.value(row.row, property)
            else { return false }
            // What can't be read is met again, with its error, when the row's destination is looked up.
            return (try? destination(key, of: property, from: object))?.isToBeDeleted ?? false
        }
    }

    private func hasMembersOfDeleted(_ object: NSManagedObject) -> Bool {
        object.layout.relationships.contains { property in
            object.state?.toManys[property.index]?.added.contains { $0.hasLeftDeleted(forMembersOf: property) } ?? false
        }
    }

    private func cacheRow(_ row: RowRef, of object: NSManagedObject) {
        parentStore.cacheRows(
            row.page, of: object.layout.root, in: registry.store(at: object.storeIndex), wereSaved: false)
    }

    /// Resolves the conflict of an object whose row has gone from the store: a policy that prefers the context's side
    /// inserts it anew, any other gives it up.
    fileprivate func resolveDeletedElsewhere(_ object: NSManagedObject, by type: NSMergePolicyType) {
        registry.store(at: object.storeIndex)?.rowCache.forget(handle: object.handle, root: object.layout.root)
        if object.isToBeDeleted {
            deleted.remove(object)
        } else if type == .overwriteMergePolicyType || type == .mergeByPropertyObjectTrumpMergePolicyType {
            return insertAgain(object)
        } else {
            updated.remove(object)
            object.withdrawNewLinks()
        }
        object.flags.remove(.changed)
        registry.unregister(object)
        object.leaveContext()
    }
}

extension NSManagedObject {
    /// All that a policy which overwrites writes of the object: everything but a one-to-one partner that it was read with, where this
    /// context knows that the partner has another.
    fileprivate final var wholeState: [PropertyLayout] {
        let elsewhere = Set(OneToOnePartner.all(of: self).filter(\.isKnownToBeElsewhere).map(\.property.rowSlot))
        return layout.storedLeaves.filter { !elsewhere.contains($0.rowSlot) }
    }

    /// Lets go of the destinations that this save deletes.
    fileprivate final func leaveDeletedDestinations() {
        guard ownContext != nil, !isToBeDeleted, !isFault else { return }
        for property in layout.relationships where property.rowSlot >= 0 && !property.isTransient {
            guard let destination = toOne(property), destination.isToBeDeleted,
                let inverse = destination.inverse(of: property), inverse.deleteRule != .noActionDeleteRule
            else { continue }
            setValue(nil, of: property)
        }
    }
}
