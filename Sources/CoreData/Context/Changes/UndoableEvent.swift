@_spi(Engine) import CoreDataRows
import ManagedObjectModel

/// What one event has done to the objects of a context, kept so that it can be taken back.
///
/// Taking it back is an event of its own, whose record is what redoing takes back in turn.
struct UndoableEvent {
    private let changes: [Change]

    struct Change {
        let object: NSManagedObject
        fileprivate let kind: Kind
        fileprivate let fields: [FieldChange]
        fileprivate let transients: [TransientChange]
        fileprivate let toManys: [ToManyChange]
    }

    /// What a row slot held before the event. Slots that the event didn't change aren't recorded: a merge may have
    /// changed them since.
    fileprivate struct FieldChange {
        let property: PropertyLayout
        let before: FieldValue
    }

    fileprivate struct TransientChange {
        let index: Int
        let before: Any?
    }

    fileprivate enum Kind {
        case inserted, updated, deleted
    }

    fileprivate struct ToManyChange {
        let index: Int
        let added: Set<NSManagedObject>
        let removed: Set<NSManagedObject>
        let sequence: ContiguousArray<NSManagedObject>?
    }

    /// Records the event that is just ending; nil when nothing of it can be undone.
    init?(_ objects: ContiguousArray<NSManagedObject>) {
        changes = objects.compactMap { object -> Change? in
            let flags = object.flags
            // Its row was deleted by another writer. It can't be restored, as its values aren't known.
            if flags.contains(.inaccessible) { return nil }
            let kind: Kind
            switch (flags.contains(.insertedInEvent), flags.contains(.deletedInEvent)) {
            case (true, true): return nil
            case (true, false): kind = .inserted
            case (false, true): kind = .deleted
            case (false, false):
                guard flags.contains(.updatedInEvent) else { return nil }
                kind = .updated
            }
            return Change(object, kind)
        }
        if changes.isEmpty { return nil }
    }

    /// Takes the event back.
    func undo(in context: NSManagedObjectContext) {
        let revived = changes.filter { $0.kind == .deleted && !context.hasAnotherInstance(of: $0.object) }.map(\.object)
        let stored = context.broughtBackByOthers(revived)
        for object in revived { stored.contains(object) ? context.rejoin(object) : context.revive(object) }
        let all = context.deferredRestorations.takeChanges(of: revived) + changes
        settleInverses(all, all.map { $0.restoreValues(in: context) })
        for object in revived {
            for place in context.deferredRestorations.takeReferences(to: object) { place.restore(object) }
        }
        for change in changes where change.kind == .deleted { change.object.takeBackDeletionsByMerges() }
        for change in changes where change.kind == .inserted { context.withdraw(change.object) }
        for change in changes { change.object.awake(fromSnapshotEvents: change.event) }
    }
}

// MARK: What was merged since

extension UndoableEvent {
    fileprivate struct DisplacedDestination {
        let property: PropertyLayout
        let destination: NSManagedObject?
    }

    /// Makes both ends of each restored relationship agree: a merge may have changed one of them since the event. The
    /// restored to-one prevails.
    fileprivate func settleInverses(_ changes: [Change], _ displaced: [[DisplacedDestination]]) {
        let live = zip(changes, displaced).filter { change, _ in
            change.kind != .inserted && change.object.ownContext != nil
                && change.object.flags.isDisjoint(with: [.inaccessible, .deleted])
        }
        var settled: Set<ObjectAndProperty> = []
        for (change, displaced) in live {
            for place in displaced {
                settled.insert(ObjectAndProperty(object: change.object, index: place.property.index))
                change.object.settle(place.property, displacing: place.destination)
            }
        }
        for (change, _) in live {
            for toMany in change.toManys {
                let property = change.object.layout.properties[toMany.index]
                let gone = toMany.removed.filter(\.isGone)
                change.object.leaveOut(gone, of: property)
                for member in gone { change.object.deferRestoring(property, to: member) }
                func others(_ members: Set<NSManagedObject>) -> [(NSManagedObject, PropertyLayout)] {
                    members.compactMap { member in
                        guard !member.isGone, let inverse = member.inverse(of: property),
                            !settled.contains(ObjectAndProperty(object: member, index: inverse.index))
                        else { return nil }
                        return (member, inverse)
                    }
                }
                for (member, inverse) in others(toMany.added) { member.unlink(inverse, from: change.object) }
                for (member, inverse) in others(toMany.removed) { member.link(inverse, to: change.object) }
            }
            guard change.kind == .deleted else { continue }
            change.object.rejoinMembers()
            // What others have saved may lead elsewhere than the object did when it was deleted.
            for property in change.object.layout.relationships where property.kind == .toOne {
                let place = ObjectAndProperty(object: change.object, index: property.index)
                if property.inverse != nil, settled.insert(place).inserted {
                    change.object.settle(property, displacing: nil)
                }
            }
        }
    }

    private struct ObjectAndProperty: Hashable {
        let object: NSManagedObject
        let index: Int
    }
}

extension NSManagedObject {
    /// Adds the object to the other end of a to-one relationship that was restored.
    fileprivate final func settle(_ property: PropertyLayout, displacing before: NSManagedObject?) {
        let destination = toOne(property)
        if let before, before !== destination, !before.isGone, let inverse = before.inverse(of: property),
            before.holdsInMemory(self, as: inverse)
        {
            before.unlink(inverse, from: self)
        }
        // Of a pair, the context needn't have read the end that has to be parted.
        if property.inverse?.kind == .toOne { ownContext?.doubts.inversesMayDisagree = true }
        guard let destination else { return }
        // Others may have deleted what the event led to.
        if destination.ownContext != nil { destination.fireIfNeeded() }
        if destination.isGone && !destination.isHeld(by: property) || destination.flags.contains(.inaccessible) {
            deferRestoring(property, to: destination)
            observably(property) { setPrimitiveToOne(nil, of: property) }
            reportChange()
        } else if let inverse = destination.inverse(of: property) {
            destination.link(inverse, to: self)
        }
    }

    /// Whether the object is known to be a destination. Destinations that aren't loaded are checked when they are read.
    private func holdsInMemory(_ object: NSManagedObject, as property: PropertyLayout) -> Bool {
        guard property.kind == .toMany else {
            // Reading a fault doesn't check that both ends agree.
            fireIfNeeded()
            return toOne(property) === object
        }
        guard let members = state?.toManys[property.index] else { return false }
        return members.isLoaded ? members.contains(object) : members.added.contains(object)
    }

    /// Takes the object out of what still leads to it, and leaves its own relationships to redoing. What has no inverse can lead to
    /// it unknown: the next save looks for that.
    final func leaveDestinations() {
        ownContext?.doubts.hasMetStrangers = true
        for property in layout.relationships where property.inverse != nil {
            let destinations = property.kind == .toOne ? toOne(property).map { [$0] } ?? [] : members(property).ordered
            for destination in destinations where !destination.isGone {
                guard let inverse = destination.inverse(of: property), destination.holdsInMemory(self, as: inverse)
                else { continue }
                destination.unlink(inverse, from: self)
            }
        }
    }

    /// Has a relationship lead to an object again once that is there again.
    fileprivate final func deferRestoring(_ property: PropertyLayout, to object: NSManagedObject) {
        if object.ownContext == nil { ownContext?.deferredRestorations.add(property, of: self, leadingTo: object) }
    }

    /// Takes restored members out that others have deleted meanwhile.
    fileprivate final func leaveOut(_ gone: Set<NSManagedObject>, of property: PropertyLayout) {
        guard !gone.isEmpty else { return }
        let members = toMany(property)
        for object in gone { members.remove(object) }
    }
}

extension UndoableEvent.Change {
    fileprivate init(_ object: NSManagedObject, _ kind: UndoableEvent.Kind) {
        self.object = object
        self.kind = kind
        fields = object.fieldsChangedInEvent.map { UndoableEvent.FieldChange(property: $0, before: $1) }
        transients = object.transientsChangedInEvent.map { UndoableEvent.TransientChange(index: $0, before: $1) }
        toManys = (object.state?.toManys ?? [:]).compactMap { index, value in
            guard value.hasChangesInEvent else { return nil }
            return UndoableEvent.ToManyChange(
                index: index, added: value.addedInEvent, removed: value.removedInEvent, sequence: value.eventSequence)
        }
    }

    fileprivate var event: NSSnapshotEventType {
        switch kind {
        case .inserted: .undoInsertion
        case .deleted: .undoDeletion
        case .updated: .undoUpdate
        }
    }

    /// Restores the object's own values and its end of each relationship. The other ends are in the same event, unless
    /// other contexts have added members since; see ``UndoableEvent/settleInverses(_:)``.
    ///
    /// - Returns: where to-one relationships led until now.
    fileprivate func restoreValues(in context: NSManagedObjectContext) -> [UndoableEvent.DisplacedDestination] {
        if kind == .inserted { return [] }
        // Others may have deleted it meanwhile, or a merge may have made it a fault.
        guard object.ownContext != nil else {
            if kind == .updated { context.deferredRestorations.add(self) }
            return []
        }
        object.fireIfNeeded()
        if object.flags.contains(.inaccessible) { return [] }
        let displaced = fields.compactMap { change -> UndoableEvent.DisplacedDestination? in
            guard change.property.kind == .toOne, change.property.inverse != nil else { return nil }
            return UndoableEvent.DisplacedDestination(
                property: change.property, destination: object.toOne(change.property))
        }
        object.observably(restoredProperties, restore)
        object.ownContext?.objectDidChange(object)
        return displaced
    }

    /// The properties that taking the event back changes.
    private var restoredProperties: [PropertyLayout] {
        let slots = Set(
            fields.filter { !object.isSame($0.before, object.field($0.property), of: $0.property) }
                .map(\.property.rowSlot))
        let others = Set(transients.map(\.index) + toManys.map(\.index))
        return object.layout.properties.filter { property in
            others.contains(property.index) || property.storedLeaves.contains { slots.contains($0.rowSlot) }
        }
    }

    private func restore() {
        for change in fields { object.restore(change.before, of: change.property) }
        if !transients.isEmpty {
            let state = object.writableState
            if state.transientBase == nil { state.transientBase = state.transients }
            for change in transients { state.transients[change.index] = change.before }
        }
        for change in toManys {
            let property = object.layout.properties[change.index]
            // An ordered relationship has to be there to be changed.
            let value = property.isOrdered ? object.members(property) : object.toMany(property)
            for member in change.added { value.remove(member) }
            for member in change.removed where !member.isGone { value.add(member) }
            if let sequence = change.sequence { value.reorder(value.ordered(beginningWith: sequence)) }
        }
    }
}

extension NSManagedObject {
    /// The row slots that the current event has changed, with what they held before it.
    fileprivate final var fieldsChangedInEvent: [(PropertyLayout, FieldValue)] {
        guard let state, !state.current.isEmpty else { return [] }
        return layout.storedLeaves.compactMap { property in
            let before = eventBaseField(property, in: state)
            return before == state.current[property.rowSlot] ? nil : (property, lasting(before))
        }
    }

    /// The same of transient values, by property index.
    fileprivate final var transientsChangedInEvent: [(Int, Any?)] {
        guard let state, let base = state.transientBase else { return [] }
        return Set(base.keys).union(state.transients.keys).compactMap { index in
            ObjectValidation.isSame(base[index], state.transients[index]) ? nil : (index, base[index])
        }
    }

    /// Restores a row slot, and discards what was decoded from the value that it held.
    fileprivate final func restore(_ field: FieldValue, of property: PropertyLayout) {
        setField(field, of: property)
        guard let state, property.index >= 0 else { return }
        state.decoded[property.index] = nil
        guard property.kind == .toOne else { return }
        if let destination = field.destination {
            state.toOnes[property.index] = .some(destination)
        } else {
            state.toOnes.removeValue(forKey: property.index)
        }
    }
}

extension DeferredRestorations.Reference {
    /// Has the place lead to an object that is there again, unless it leads elsewhere by now.
    fileprivate func restore(_ object: NSManagedObject) {
        let place = owner.layout.properties[property]
        guard owner.ownContext != nil, owner.flags.isDisjoint(with: [.inaccessible, .deleted]), !object.isGone else {
            return
        }
        let inverse = object.inverse(of: place)
        if let inverse, inverse.kind == .toOne, let other = object.toOne(inverse), other !== owner { return }
        if place.kind == .toMany {
            owner.addMember(object, to: place)
        } else if owner.toOne(place) == nil {
            owner.observably(place) { owner.setPrimitiveToOne(object, of: place) }
            owner.reportChange()
        } else {
            return
        }
        if let inverse { object.link(inverse, to: owner) }
    }
}
