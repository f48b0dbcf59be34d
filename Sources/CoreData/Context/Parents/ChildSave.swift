@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// Hands a child's changes over to its parent, as one event of the parent that can be undone. No store is written.
struct ChildSave: SaveOperation {
    private let child: NSManagedObjectContext
    private let parent: NSManagedObjectContext

    init(from child: NSManagedObjectContext, to parent: NSManagedObjectContext) {
        self.child = child
        self.parent = parent
    }

    func commit() throws {
        try parent.runOnQueue {
            parent.processPendingChanges()
            var transfer = ChildTransfer(to: parent)
            let deleted = child.deleted.objects.filter { !$0.wasNeverSaved && !$0.flags.contains(.inaccessible) }
            let updated = ContiguousArray(
                child.updated.objects.filter { $0.hasChangesToSave || $0.state?.transients.isEmpty == false })
            try transfer.find(updated.filter(\.hasChangesToSave), comparing: false)
            try transfer.find(
                child.comparable.filter { !$0.hasChanges || $0.isUpdated && !$0.hasChangesToSave }, comparing: true)
            try transfer.requireNoConflicts()
            for object in deleted { try transfer.find(deleted: object) }
            let inserted = child.inserted.objects
            for object in inserted + updated { object.readRearrangedMembers() }
            for object in inserted { try transfer.insert(object) }
            for object in inserted { try transfer.copyValues(of: object, all: true) }
            for object in updated { try transfer.copyValues(of: object, all: false) }
            for object in inserted { transfer.leaveOutFormerMembers(of: object) }
            for object in inserted + updated { try transfer.copyMembers(of: object) }
            for object in deleted { transfer.delete(object) }
            parent.processPendingChanges()
        }
    }

    var unwritten: [NSManagedObject] { child.updated.objects.filter { !$0.hasChangesToSave } }
    var corrected: [NSManagedObject] { [] }
    var historyToken: NSPersistentHistoryToken? { nil }
    var committed: CommittedChanges? { nil }
    func includeNewObjects() throws {}
    func finish() {}
    func end() {}
}

/// The two sides of one save: which object of the parent stands for which of the child.
private struct ChildTransfer {
    private let parent: NSManagedObjectContext
    private var counterparts: [ObjectIdentifier: NSManagedObject] = [:]
    /// Objects of the parent that this save has made.
    private var made: Set<ObjectIdentifier> = []
    private var conflicts: [StoreConflict] = []

    init(to parent: NSManagedObjectContext) { self.parent = parent }

    // MARK: Conflicts

    /// Finds the parent's object of each. What the child has changed replaces what the parent has there, saved or not, whatever the
    /// merge policies say (seen in tests of INCoreData). One that the parent no longer has is a conflict (our choice: it
    /// would be lost without a word).
    ///
    /// - Parameter comparing: whether values that differ from what the child has read are a conflict as well, as the program has asked
    ///   for by `detectConflicts(for:)`. Versions don't count, as a parent's objects change without these.
    mutating func find(_ objects: some Sequence<NSManagedObject>, comparing: Bool) throws {
        for (object, base) in objects.map({ ($0, parent.base(for: $0)) }) {
            guard let mine = try parent.existing(object.identity) else {
                conflicts.append(StoreConflict(object: object, persisted: nil))
                continue
            }
            if !comparing { parent.rebase(mine, on: base, for: object.slotsToSave, of: object) }
            counterparts[ObjectIdentifier(object)] = mine
            if comparing, let read = object.snapshot, mine.differs(from: read) {
                conflicts.append(StoreConflict(object: object, persisted: try parent.copiedRow(of: object.identity)))
            }
        }
    }

    /// Finds the parent's object of one that the child deletes. Nothing is left to do where the parent has deleted it too.
    mutating func find(deleted object: NSManagedObject) throws {
        let base = parent.base(for: object)
        guard let mine = try parent.existing(object.identity) else { return }
        parent.rebase(mine, on: base, for: nil, of: object)
        counterparts[ObjectIdentifier(object)] = mine
    }

    /// - Throws: ``StoreConflicts`` with the conflicts that were found.
    func requireNoConflicts() throws {
        if !conflicts.isEmpty { throw StoreConflicts(conflicts: conflicts) }
    }

    // MARK: Changes

    /// Makes the parent's object of one that the child has inserted, under the same identity.
    mutating func insert(_ object: NSManagedObject) throws {
        // The child's object keeps the temporary identity, by which it later finds its permanent one.
        let known = try parent.insertedCounterpart(of: object.identity)
        let mine = known ?? parent.makeCounterpart(of: object.identity, assignedTo: object.state?.assignedStore)
        if known == nil { made.insert(ObjectIdentifier(mine)) }
        if object.flags.contains(.insertedAgain), mine.isInserted, mine.storeIndex != 0 {
            // Others may bring the row back, too.
            mine.flags.insert(.insertedAgain)
            parent.doubts.insertsAgain = true
        }
        if let state = mine.state { state.formerVersion = max(state.formerVersion, object.versionBeforeSave) }
        counterparts[ObjectIdentifier(object)] = mine
    }

    /// Sets what the child has set; the parent keeps inverses up itself, as it may have other members by now.
    func copyValues(of object: NSManagedObject, all: Bool) throws {
        let mine = counterpart(of: object)
        mine.fireIfNeeded()
        let setBefore = mine.state?.changed ?? SlotSet()
        for property in all ? object.layout.storedLeaves : object.slotsToSave {
            if property.kind == .toOne {
                let destination = try object.toOne(property).flatMap { try self.destination(for: $0, of: object) }
                mine.setValue(destination, of: property)
            } else {
                mine.copyField(object.field(property), of: property)
            }
        }
        for (index, value) in object.state?.transients ?? [:] {
            mine.observably(mine.layout.properties[index]) { mine.writableState.transients[index] = value }
        }
        if made.contains(ObjectIdentifier(mine)) { mine.leaveDefaultsUnset(setBefore, set: object.state?.changed) }
        parent.objectDidChange(mine)
    }

    /// Takes out the members that the parent's object had when it was deleted, and that the child's has no more since it was
    /// brought back.
    func leaveOutFormerMembers(of object: NSManagedObject) {
        let mine = counterpart(of: object)
        guard mine.state?.toManys.isEmpty == false else { return }
        for (index, value) in object.state?.toManys ?? [:] where value.isLoaded {
            let property = object.layout.properties[index]
            let members = mine.members(property).ordered
            if members.isEmpty { continue }
            let wanted = Set(value.ordered.map(counterpart))
            for member in members where !wanted.contains(member) { mine.removeMember(member, of: property) }
        }
    }

    /// Adds and removes the members that the child has added and removed, once all to-ones are set.
    func copyMembers(of object: NSManagedObject) throws {
        for (index, value) in object.state?.toManys ?? [:] where value.hasChanges {
            let property = object.layout.properties[index]
            try copyMembers(value, of: property, from: object, into: counterpart(of: object))
        }
    }

    private func copyMembers(
        _ value: ToManyValue, of property: PropertyLayout, from object: NSManagedObject, into mine: NSManagedObject
    ) throws {
        for member in value.removed.map(counterpart) where isMember(member, of: property, in: mine) ?? true {
            mine.removeMember(member, of: property)
        }
        let added =
            property.isOrdered ? value.ordered.filter { value.added.contains($0) } : ContiguousArray(value.added)
        for member in try added.compactMap({ try destination(for: $0, of: object) })
        where !(isMember(member, of: property, in: mine) ?? false) {
            mine.addMember(member, to: property)
        }
        guard property.isOrdered else { return }
        let members = mine.members(property)
        let wanted = ContiguousArray(try value.ordered.compactMap { try destination(for: $0, of: object) })
        mine.reorder(members, of: property, to: members.ordered(beginningWith: wanted))
        mine.reportChange()
    }

    /// Whether the other side says that an object is a member, so that the members needn't be read; nil where it doesn't
    /// know.
    private func isMember(_ object: NSManagedObject, of property: PropertyLayout, in mine: NSManagedObject) -> Bool? {
        guard !property.isOrdered, let inverse = object.inverse(of: property), inverse.kind == .toOne else {
            return nil
        }
        return object.value(of: inverse) as? NSManagedObject === mine
    }

    func delete(_ object: NSManagedObject) {
        // What the program does when the parent deletes another one may have taken it away.
        guard let mine = counterparts[ObjectIdentifier(object)], mine.ownContext != nil else { return }
        parent.delete(mine)
        // It comes back with its owner where a merge policy takes the owner's deletion back.
        if object.flags.contains(.deletedByRule), mine.isToBeDeleted { mine.flags.insert(.deletedByRule) }
    }

    /// The parent's object that a relationship is to lead to; nil where the parent has deleted it, as its delete rule has
    /// run already and wouldn't run again, and where it was never saved and the parent has undone its insertion.
    ///
    /// An object that is brought back may lead to others that went with it.
    private func destination(for object: NSManagedObject, of owner: NSManagedObject) throws -> NSManagedObject? {
        let mine = counterpart(of: object)
        if mine.isToBeDeleted { return nil }
        if mine.isInserted || mine.storeIndex != 0 && !owner.flags.contains(.insertedAgain) { return mine }
        return try parent.existing(mine.identity)
    }

    private func counterpart(of object: NSManagedObject) -> NSManagedObject {
        counterparts[ObjectIdentifier(object)] ?? parent.object(for: object.identity)
    }
}

extension NSManagedObjectContext {
    /// The object that a child has brought back, if this context has one; it is inserted again.
    fileprivate func insertedCounterpart(of identity: ObjectIdentity) throws -> NSManagedObject? {
        let (key, storeIndex) = registration(of: identity)
        guard let known = registeredObject(for: key, layout: identity.layout, storeIndex: storeIndex) else {
            return nil
        }
        if try known.flags.contains(.inaccessible) || !known.realize(in: self) {
            bringBack(known)
        } else if known.isToBeDeleted {
            insert(known)
        }
        return known
    }

    /// A new object under an identity that a child has given it.
    fileprivate func makeCounterpart(of identity: ObjectIdentity, assignedTo store: NSPersistentStore?)
        -> NSManagedObject
    {
        let (key, storeIndex) = registration(of: identity)
        let object = identity.layout.makeObject()
        object.registry = registry
        object.becomeNew()
        object.handle = key.handle
        object.storeIndex = storeIndex
        object.state?.assignedStore = store
        register(inserted: object)
        return object
    }

    /// Inserts an object again whose row was deleted and whose values aren't in memory.
    private func bringBack(_ object: NSManagedObject) {
        if object.flags.contains(.deleted) { deleted.remove(object) }
        object.flags.remove([.fault, .inaccessible, .deleted, .deletePropagated, .deletedInEvent])
        let version = object.versionBeforeSave
        object.snapshot = nil
        object.setDefaultValues()
        object.state?.formerVersion = version
        insertAgain(object)
        recordEvent(.insertedInEvent, of: object)
        object.state?.eventBase = .unchanged
    }
}

extension NSManagedObject {
    /// Reads the members of ordered relationships that were rearranged and then refreshed, to lay the order over what the parent has
    /// before it has any of what the child has added.
    fileprivate final func readRearrangedMembers() {
        for (index, value) in state?.toManys ?? [:] where value.hasChanges && !value.isLoaded {
            let property = layout.properties[index]
            if property.isOrdered { _ = members(property) }
        }
    }

    /// Counts a default that was copied as set no more than it is in the child: an upsert is to leave it alone.
    fileprivate final func leaveDefaultsUnset(_ before: SlotSet, set: SlotSet?) {
        guard let state else { return }
        for property in layout.storedLeaves where state.changed.contains(property.rowSlot) {
            let slot = property.rowSlot
            if before.contains(slot) || set?.contains(slot) ?? false { continue }
            if isSame(state.current[slot], layout.defaultRow[slot], of: property) { state.changed.remove(slot) }
        }
    }

    /// Sets an attribute to the value that a child's object has.
    fileprivate final func copyField(_ field: FieldValue, of property: PropertyLayout) {
        if property.kind == .transformable, property.index >= 0 { state?.decoded[property.index] = nil }
        let whole =
            property.index >= 0 ? property : layout.properties.first { $0.storedLeaves.contains { $0 === property } }
        observably(whole ?? property) { setField(field, of: property) }
        reportChange()
    }

    /// Whether an attribute or a to-one has another value than a row that a child has read.
    fileprivate final func differs(from row: RowRef) -> Bool {
        let isUnchanged = state?.current.isEmpty ?? true
        if isUnchanged, snapshotPage === row.page, Int(snapshotRow) == row.row { return false }
        return layout.storedLeaves.contains { property in
            !isSame(field(property), row.page.value(row.row, property), of: property)
        }
    }
}
