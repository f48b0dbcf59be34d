/// The members of one object's to-many relationship, and how they differ from what the store holds.
///
/// Adding and removing members of an unordered relationship doesn't read the store: the differences are kept and laid
/// over the members when these are read.
final class ToManyValue {
    private(set) var isLoaded = false
    /// The members of an unordered relationship, once loaded.
    private var set: Set<NSManagedObject> = []
    /// The members of an ordered relationship, once loaded.
    private var sequence: ContiguousArray<NSManagedObject> = [] {
        didSet { knownInSequence = nil }
    }
    /// Which objects `sequence` holds, once that was asked of a long one: a search through it for each member that is added
    /// would make adding n of them take n² steps.
    private var knownInSequence: Set<ObjectIdentifier>?
    private let isOrdered: Bool
    /// A counter that goes up with each member that is added or removed.
    private(set) var revision = 0

    /// Members that the store doesn't have yet, and members that it still has.
    private(set) var added: Set<NSManagedObject> = []
    private(set) var removed: Set<NSManagedObject> = []
    /// The order before the first change since the last save, of an ordered relationship.
    private(set) var savedSequence: ContiguousArray<NSManagedObject>?

    /// The same since the current event began.
    private(set) var addedInEvent: Set<NSManagedObject> = []
    private(set) var removedInEvent: Set<NSManagedObject> = []
    private(set) var eventSequence: ContiguousArray<NSManagedObject>?

    /// The stored and the wanted order of an ordered relationship at the time when its row was read anew; kept until
    /// the members are read too.
    private var ownOrder: (before: ContiguousArray<NSManagedObject>, now: ContiguousArray<NSManagedObject>)?

    init(isOrdered: Bool) { self.isOrdered = isOrdered }

    /// Makes the relationship of a new object, of which the store has no members.
    static func empty(isOrdered: Bool) -> ToManyValue {
        let value = ToManyValue(isOrdered: isOrdered)
        value.isLoaded = true
        return value
    }

    var hasChanges: Bool { !added.isEmpty || !removed.isEmpty || savedSequence != nil || ownOrder != nil }
    var hasChangesInEvent: Bool { !addedInEvent.isEmpty || !removedInEvent.isEmpty || eventSequence != nil }

    /// Sets what the store holds, and lays the changes over it. Members that the store has added or removed as well
    /// meanwhile are no longer changes.
    func load(_ members: [NSManagedObject]) {
        isLoaded = true
        revision += 1
        if isOrdered { return loadInOrder(members) }
        set = Set(members)
        if !removed.isEmpty {
            removed.formIntersection(set)
            set.subtract(removed)
        }
        if !added.isEmpty {
            added.subtract(set)
            set.formUnion(added)
        }
    }

    private func loadInOrder(_ members: [NSManagedObject]) {
        let stored = ContiguousArray(members.uniqued())
        guard hasChanges else {
            sequence = stored
            return
        }
        let (before, now) = ownOrder ?? (stored, stored)
        ownOrder = nil
        let known = Set(stored)
        removed.formIntersection(known)
        added.subtract(known)
        let changes = OrderChange(from: before, to: now + added.filter { !now.contains($0) })
        sequence = changes.applied(to: stored, adding: added, removing: removed)
        savedSequence = sequence == stored ? nil : stored
    }

    /// Makes the next access read the members anew, as those in the store may have changed.
    func unload() {
        guard isLoaded else { return }
        if isOrdered, hasChanges { ownOrder = (savedSequence ?? sequence, sequence) }
        isLoaded = false
        revision += 1
        savedSequence = nil
        sequence = []
        set = []
    }

    /// Leaves out objects that are members in the store, but not in this context, which has changed them.
    func leaveOut(_ objects: Set<NSManagedObject>) {
        if objects.isEmpty { return }
        revision += 1
        added.subtract(objects)
        removed.formUnion(objects)
        if isOrdered {
            if savedSequence == nil { savedSequence = sequence }
            sequence.removeAll(where: objects.contains)
        } else {
            set.subtract(objects)
        }
    }

    /// Puts others in the places of some objects.
    func replace(by keepers: [NSManagedObject: NSManagedObject]) {
        revision += 1
        func exchanged(_ objects: Set<NSManagedObject>) -> Set<NSManagedObject> {
            Set(objects.map { keepers[$0] ?? $0 })
        }
        func exchanged(_ objects: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
            ContiguousArray(objects.map { keepers[$0] ?? $0 }.uniqued())
        }
        for objects in [\ToManyValue.set, \.added, \.removed, \.addedInEvent, \.removedInEvent] {
            self[keyPath: objects] = exchanged(self[keyPath: objects])
        }
        sequence = exchanged(sequence)
        savedSequence = savedSequence.map(exchanged)
        eventSequence = eventSequence.map(exchanged)
        ownOrder = ownOrder.map { (exchanged($0.before), exchanged($0.now)) }
    }

    // MARK: Reading

    var members: Set<NSManagedObject> { isOrdered ? Set(sequence) : set }
    var ordered: ContiguousArray<NSManagedObject> { isOrdered ? sequence : ContiguousArray(set) }
    var count: Int { isOrdered ? sequence.count : set.count }

    /// The members as the store holds them.
    var saved: ContiguousArray<NSManagedObject> {
        if isOrdered { return savedSequence ?? sequence }
        return ContiguousArray(set.subtracting(added).union(removed))
    }

    /// What an event has changed.
    struct EventChanges {
        fileprivate let added: Set<NSManagedObject>
        fileprivate let removed: Set<NSManagedObject>
        fileprivate let sequence: ContiguousArray<NSManagedObject>?
    }

    /// What the current event has changed; nil where that is nothing.
    var eventChanges: EventChanges? {
        guard hasChangesInEvent else { return nil }
        return EventChanges(added: addedInEvent, removed: removedInEvent, sequence: eventSequence)
    }

    /// The members as they were before changes that are the last ones.
    func members(before changes: EventChanges) -> ContiguousArray<NSManagedObject> {
        if isOrdered { return changes.sequence ?? sequence }
        return ContiguousArray(set.subtracting(changes.added).union(changes.removed))
    }

    /// The members in a new order: first the given objects, if they are members, then the others in their present
    /// order.
    func ordered(beginningWith wanted: ContiguousArray<NSManagedObject>) -> ContiguousArray<NSManagedObject> {
        let (present, known) = (members, Set(wanted))
        return wanted.filter(present.contains) + ordered.filter { !known.contains($0) }
    }

    func contains(_ object: NSManagedObject) -> Bool {
        if added.contains(object) { return true }
        if removed.contains(object) { return false }
        return isOrdered ? isInSequence(object) : set.contains(object)
    }

    private func isInSequence(_ object: NSManagedObject) -> Bool {
        if let knownInSequence { return knownInSequence.contains(ObjectIdentifier(object)) }
        if sequence.count < 16 { return sequence.contains { $0 === object } }
        let known = Set(sequence.lazy.map(ObjectIdentifier.init))
        knownInSequence = known
        return known.contains(ObjectIdentifier(object))
    }

    /// Changes one place of the sequence, and what is known of it likewise.
    private func changeSequence(
        _ change: (inout ContiguousArray<NSManagedObject>, inout Set<ObjectIdentifier>?) -> Void
    ) {
        var known = knownInSequence
        knownInSequence = nil
        change(&sequence, &known)
        knownInSequence = known
    }

    // MARK: Changing

    /// Adds a member; false when it was one. An ordered relationship must be loaded.
    @discardableResult
    func add(_ object: NSManagedObject, at index: Int? = nil) -> Bool {
        if isLoaded ? contains(object) : added.contains(object) { return false }
        revision += 1
        if isOrdered {
            keepSequences()
            changeSequence {
                $0.insert(object, at: index ?? $0.count)
                $1?.insert(ObjectIdentifier(object))
            }
        } else if isLoaded {
            set.insert(object)
        }
        if removed.remove(object) == nil { added.insert(object) }
        if removedInEvent.remove(object) == nil { addedInEvent.insert(object) }
        if isOrdered { dropIdleSequences() }
        return true
    }

    /// Removes a member; false when it was none. An ordered relationship must be loaded.
    @discardableResult
    func remove(_ object: NSManagedObject) -> Bool {
        if isLoaded ? !contains(object) : removed.contains(object) { return false }
        revision += 1
        if isOrdered {
            keepSequences()
            changeSequence {
                if let place = $0.firstIndex(where: { $0 === object }) { $0.remove(at: place) }
                $1?.remove(ObjectIdentifier(object))
            }
        } else if isLoaded {
            set.remove(object)
        }
        if added.remove(object) == nil { removed.insert(object) }
        if addedInEvent.remove(object) == nil { removedInEvent.insert(object) }
        if isOrdered { dropIdleSequences() }
        return true
    }

    /// Puts the members of an ordered relationship in another order.
    func reorder(_ members: ContiguousArray<NSManagedObject>) {
        guard isOrdered, members != sequence else { return }
        keepSequences()
        revision += 1
        sequence = members
        dropIdleSequences()
    }

    private func keepSequences() {
        if savedSequence == nil { savedSequence = sequence }
        if eventSequence == nil { eventSequence = sequence }
    }

    /// Clears the recorded order where it equals the present one: then nothing has changed.
    private func dropIdleSequences() {
        if added.isEmpty, removed.isEmpty, savedSequence == sequence { savedSequence = nil }
        if addedInEvent.isEmpty, removedInEvent.isEmpty, eventSequence == sequence { eventSequence = nil }
    }

    /// Whether any of these objects is a member, or was one.
    func mentions(_ objects: Set<NSManagedObject>) -> Bool {
        if isOrdered, sequence.contains(where: objects.contains) { return true }
        if let ownOrder, ownOrder.now.contains(where: objects.contains) { return true }
        return !set.isDisjoint(with: objects) || !added.isDisjoint(with: objects) || !removed.isDisjoint(with: objects)
    }

    /// Removes objects that the store no longer has, without recording that as a change.
    func forget(_ objects: Set<NSManagedObject>) {
        if objects.isEmpty { return }
        revision += 1
        set.subtract(objects)
        sequence.removeAll(where: objects.contains)
        added.subtract(objects)
        removed.subtract(objects)
        addedInEvent.subtract(objects)
        removedInEvent.subtract(objects)
        savedSequence?.removeAll(where: objects.contains)
        eventSequence?.removeAll(where: objects.contains)
        ownOrder?.before.removeAll(where: objects.contains)
        ownOrder?.now.removeAll(where: objects.contains)
        dropIdleSequences()
    }

    // MARK: Ends of things

    func endEvent() {
        addedInEvent = []
        removedInEvent = []
        eventSequence = nil
    }

    /// Called when the store no longer has any of the members: the next save writes all of them again.
    func didLoseRow() {
        if !isLoaded {
            if isOrdered { sequence = ownOrder?.now ?? [] } else { set = added }
        }
        isLoaded = true
        removed = []
        added = members
        ownOrder = nil
    }

    /// Called when a save has written the members: they no longer differ from the stored ones.
    func didSave() {
        added = []
        removed = []
        savedSequence = nil
        ownOrder = nil
    }
}
