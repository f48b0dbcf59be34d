import ManagedObjectModel

/// What one event has done to the objects of a context, kept so that it can be taken back.
///
/// Taking it back is an event of its own, whose record is what redoing takes back in turn.
struct UndoableEvent {
    private let changes: [Change]

    fileprivate struct Change {
        let object: NSManagedObject
        let kind: Kind
        let row: Row
        let transients: [Int: Any]?
        let toManys: [ToManyChange]
    }

    /// The row before the event. A save may have put another in its place when the event is taken back.
    fileprivate enum Row {
        case unchanged
        case stored(RowRef?)
        case values(ContiguousArray<FieldValue>)
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
        for change in changes where change.kind == .deleted { context.revive(change.object) }
        for change in changes { change.restoreValues() }
        for change in changes where change.kind == .inserted { context.withdraw(change.object) }
        for change in changes { change.object.awake(fromSnapshotEvents: change.event) }
    }
}

extension UndoableEvent.Change {
    fileprivate init(_ object: NSManagedObject, _ kind: UndoableEvent.Kind) {
        self.object = object
        self.kind = kind
        switch object.state?.eventBase ?? .unchanged {
        case .unchanged: row = .unchanged
        case .snapshot: row = .stored(object.snapshot)
        case .row(let values): row = .values(values)
        }
        transients = object.state?.transientBase
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

    /// Puts the object's own side of everything back; the other sides are in the same event.
    fileprivate func restoreValues() {
        if kind == .inserted { return }
        switch row {
        case .unchanged: break
        case .stored(let row): object.restoreRow(object.layout.values(of: row))
        case .values(let values): object.restoreRow(values)
        }
        if let transients {
            let state = object.writableState
            state.transientBase = state.transients
            state.transients = transients
        }
        for change in toManys {
            let value = object.toMany(object.layout.properties[change.index])
            for member in change.added { value.remove(member) }
            for member in change.removed { value.add(member) }
            if let sequence = change.sequence { value.reorder(sequence) }
        }
        object.managedObjectContext?.objectDidChange(object)
    }
}

extension NSManagedObject {
    /// Sets all row slots at once, and forgets what was made of the old ones.
    fileprivate final func restoreRow(_ values: ContiguousArray<FieldValue>) {
        let state = beginWriting()
        for slot in values.indices where state.current[slot] != values[slot] { state.changed.insert(slot) }
        state.current = values
        state.decoded = [:]
        state.toOnes = [:]
        for property in layout.relationships where property.rowSlot >= 0 {
            if case .destination(let destination) = values[property.rowSlot] {
                state.toOnes[property.index] = .some(destination)
            }
        }
    }
}
