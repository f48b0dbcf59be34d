@_spi(Engine) import CoreDataRows
import Foundation

/// What an object has beyond its snapshot: changed values, loaded relationships, transient and decoded values.
///
/// A clean object whose relationships weren't accessed has none, so that a fetched object costs little.
final class ObjectState {
    // Safe: the object's context's queue is the only one that uses it, and no access is inside of another one to the same value.
    /// The values by row slot while the object is inserted or changed; empty otherwise.
    @exclusivity(unchecked) var current: ContiguousArray<FieldValue> = []
    /// The row slots that were written since the last save.
    @exclusivity(unchecked) var changed = SlotSet()
    /// The row as it was when the current event began, once the event has changed the object.
    @exclusivity(unchecked) var eventBase: EventBase = .unchanged
    /// Loaded relationships by property index.
    @exclusivity(unchecked) var toOnes: [Int: NSManagedObject?] = [:]
    @exclusivity(unchecked) var toManys: [Int: ToManyValue] = [:]
    /// The identity that a save under way has obtained for an inserted object.
    @exclusivity(unchecked) var reservation: Reservation?
    /// What most objects never have.
    @exclusivity(unchecked) private var rare: RareState?

    /// Called when a save has written the values: the snapshot has them now.
    func didSave() {
        current = []
        changed = SlotSet()
        eventBase = .unchanged
        rare?.confirmed = SlotSet()
        for value in toManys.values { value.didSave() }
    }

    /// What the current event has changed.
    var eventChanges: EventChanges {
        EventChanges(
            base: eventBase, transientBase: transientBase,
            toManys: toManys.isEmpty ? [:] : toManys.compactMapValues(\.eventChanges))
    }

    /// Ends the current event: the present values are what the next one begins with.
    func endEvent() {
        eventBase = .unchanged
        transientBase = nil
        for value in toManys.values { value.endEvent() }
    }

    /// Whether the current event has changed the object.
    @inline(__always)
    var isBeingWritten: Bool {
        if case .unchanged = eventBase { return false }
        return true
    }

    /// Whether nothing would be lost without it, as after the save of an object whose relationships weren't accessed.
    var isEmpty: Bool {
        current.isEmpty && rare == nil && reservation == nil && toOnes.isEmpty && toManys.isEmpty
    }

    enum EventBase {
        case unchanged
        case snapshot
        case row(ContiguousArray<FieldValue>)
    }

    /// How an object was before an event.
    struct EventChanges {
        let base: EventBase
        let transientBase: [Int: Any]?
        let toManys: [Int: ToManyValue.EventChanges]

        var isEmpty: Bool {
            if case .unchanged = base { return transientBase == nil && toManys.isEmpty }
            return false
        }
    }

    /// An identity before its object has it: the registry's number of the store, and the row's.
    struct Reservation {
        let storeIndex: UInt16
        /// Nil until the store gives it out, which it may do inside the transaction of the save.
        var handle: Int64?
        /// The temporary identity by which the object's ID is known to others.
        var identity: UnsavedIdentity?
    }
}

/// The values of an object whose deletion was saved. It shows none, and has them again when it is inserted again.
struct ValuesPutAside {
    let snapshot: RowRef?
    let state: ObjectState?
    let wasFault: Bool
}

extension ObjectState {
    private final class RareState {
        var transients: [Int: Any] = [:]
        var transientBase: [Int: Any]?
        var decoded: [Int: Any] = [:]
        var pendingChanges: [String: Any?] = [:]
        var writtenRow: RowRef?
        var archives: [Int: (value: BoxedValue, data: Data)] = [:]
        var assignedStore: NSPersistentStore?
        var confirmed = SlotSet()
        var announcedKey: String?
        var formerVersion: Int64 = 0
        var putAside: ValuesPutAside?
    }

    private var madeRare: RareState {
        if let rare { return rare }
        let made = RareState()
        rare = made
        return made
    }

    /// Transient values by property index.
    var transients: [Int: Any] {
        get { rare?.transients ?? [:] }
        set { if rare != nil || !newValue.isEmpty { madeRare.transients = newValue } }
    }
    func forgetTransients() { rare?.transients = [:] }
    /// The transient values as they were when the current event began, once the event has changed one.
    var transientBase: [Int: Any]? {
        get { rare?.transientBase }
        set { if rare != nil || newValue != nil { madeRare.transientBase = newValue } }
    }
    /// Values decoded from a row: transformables and fetched properties, by property index.
    var decoded: [Int: Any] {
        get { rare?.decoded ?? [:] }
        set { if rare != nil || !newValue.isEmpty { madeRare.decoded = newValue } }
    }
    /// Destinations of to-one relationships as they were before `willChangeValue(forKey:)`.
    var pendingChanges: [String: Any?] {
        get { rare?.pendingChanges ?? [:] }
        set { if rare != nil || !newValue.isEmpty { madeRare.pendingChanges = newValue } }
    }
    /// The row that the store says a save under way has made, where that isn't just what the object holds.
    var writtenRow: RowRef? {
        get { rare?.writtenRow }
        set { if rare != nil || newValue != nil { madeRare.writtenRow = newValue } }
    }
    /// What a save under way has made of transformables, by row slot, so that each is archived once.
    var archives: [Int: (value: BoxedValue, data: Data)] {
        get { rare?.archives ?? [:] }
        set { if rare != nil || !newValue.isEmpty { madeRare.archives = newValue } }
    }
    /// The row slots of to-ones that a change of their other end has confirmed: what they led to is what they are to lead to,
    /// whatever others have saved since it was read.
    var confirmed: SlotSet {
        get { rare?.confirmed ?? SlotSet() }
        set { if rare != nil || !newValue.isEmpty { madeRare.confirmed = newValue } }
    }
    /// The version of the deleted row, where the object is to be inserted again. Contexts that have read the old row must not
    /// mistake the new one for it.
    var formerVersion: Int64 {
        get { rare?.formerVersion ?? 0 }
        set { if rare != nil || newValue != 0 { madeRare.formerVersion = newValue } }
    }
    /// What the object had when its deletion was saved.
    var putAside: ValuesPutAside? {
        get { rare?.putAside }
        set { if rare != nil || newValue != nil { madeRare.putAside = newValue } }
    }
    /// The property whose change an accessor is announcing to an override of `willChangeValue(forKey:)` or its like.
    var announcedKey: String? {
        get { rare?.announcedKey }
        set { if rare != nil || newValue != nil { madeRare.announcedKey = newValue } }
    }
    /// The store that `assign(_:to:)` named.
    var assignedStore: NSPersistentStore? {
        get { rare?.assignedStore }
        set { if rare != nil || newValue != nil { madeRare.assignedStore = newValue } }
    }
}
