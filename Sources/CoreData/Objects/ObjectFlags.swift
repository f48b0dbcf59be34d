/// The states of a managed object that its context keeps on it.
struct ObjectFlags: OptionSet {
    let rawValue: UInt32

    // As the protocols' own, which are generic: in a program that isn't optimised those take a good part of each access.

    func contains(_ other: ObjectFlags) -> Bool { rawValue & other.rawValue == other.rawValue }
    func isSuperset(of other: ObjectFlags) -> Bool { contains(other) }
    func isDisjoint(with other: ObjectFlags) -> Bool { rawValue & other.rawValue == 0 }

    @discardableResult
    mutating func insert(_ other: ObjectFlags) -> (inserted: Bool, memberAfterInsert: ObjectFlags) {
        let inserted = !contains(other)
        self = ObjectFlags(rawValue: rawValue | other.rawValue)
        return (inserted, other)
    }

    @discardableResult
    mutating func remove(_ other: ObjectFlags) -> ObjectFlags? {
        let removed = rawValue & other.rawValue
        self = ObjectFlags(rawValue: rawValue & ~other.rawValue)
        return removed == 0 ? nil : ObjectFlags(rawValue: removed)
    }

    init(rawValue: UInt32) { self.rawValue = rawValue }

    init(arrayLiteral flags: ObjectFlags...) {
        var rawValue: UInt32 = 0
        for flag in flags { rawValue |= flag.rawValue }
        self.rawValue = rawValue
    }

    static let fault = ObjectFlags(rawValue: 1 << 0)
    static let inserted = ObjectFlags(rawValue: 1 << 1)
    static let updated = ObjectFlags(rawValue: 1 << 2)
    static let deleted = ObjectFlags(rawValue: 1 << 3)
    /// What the current event has done to it.
    static let insertedInEvent = ObjectFlags(rawValue: 1 << 4)
    static let updatedInEvent = ObjectFlags(rawValue: 1 << 5)
    static let deletedInEvent = ObjectFlags(rawValue: 1 << 6)
    static let refreshedInEvent = ObjectFlags(rawValue: 1 << 7)
    /// Its fault is being fired, or it is being turned into one: changes made now aren't the user's.
    static let inTransition = ObjectFlags(rawValue: 1 << 8)
    /// Its delete rules have been applied.
    static let deletePropagated = ObjectFlags(rawValue: 1 << 9)
    /// Its row is gone, and it stands for nothing.
    static let inaccessible = ObjectFlags(rawValue: 1 << 10)
    /// Marked by `detectConflicts(for:)`.
    static let locked = ObjectFlags(rawValue: 1 << 11)
    /// Its context was reset or has gone, or its store has.
    static let invalidated = ObjectFlags(rawValue: 1 << 12)

    /// The save under way has called its `willSave()`.
    static let askedInSave = ObjectFlags(rawValue: 1 << 13)

    /// Its values are or were observed (see ``ObservedObjects``).
    static let observed = ObjectFlags(rawValue: 1 << 14)

    /// Every access checks the queue (see ``ConcurrencyCheck``).
    static let watched = ObjectFlags(rawValue: 1 << 15)
    /// It had its values when its context was reset. Those of its row can still be read (our choice: Apple's have none).
    static let forgotten = ObjectFlags(rawValue: 1 << 16)
    /// It is deleted by another's delete rule, and not by the program.
    static let deletedByRule = ObjectFlags(rawValue: 1 << 17)
    /// The same, and it was a merge that brought the rule to it: no event that can be undone has deleted it.
    static let deletedByMerge = ObjectFlags(rawValue: 1 << 18)
    /// A merge policy or an undo has inserted it again under its identity: others may still tell of its deletion.
    static let insertedAgain = ObjectFlags(rawValue: 1 << 19)
    /// Its class overrides `willChangeValue(forKey:)` or `didChangeValue(forKey:)` (see ``ChangeNoticeOverrides``).
    static let announcesChanges = ObjectFlags(rawValue: 1 << 20)
    /// The program has inserted it again, as it was: the event tells of it, and has nothing to undo.
    static let reinsertedInEvent = ObjectFlags(rawValue: 1 << 21)
    /// This context has inserted and saved it: a merge of the parent's save must not report it as inserted.
    static let savedAsNew = ObjectFlags(rawValue: 1 << 22)
    /// It was deleted, by others or by a save, or was never saved: it has left its context for good, unless it is inserted again.
    static let departed = ObjectFlags(rawValue: 1 << 23)
    /// It stands for an object that isn't there (see ``AbsentObject``).
    static let absent = ObjectFlags(rawValue: 1 << 24)
    /// It counts as deleted as its row was gone when it was read; the program hasn't deleted it.
    static let deletedAsGone = ObjectFlags(rawValue: 1 << 25)
    /// Its deletion was saved: its values are put aside (see ``NSManagedObject/putValuesAside()``).
    static let emptied = ObjectFlags(rawValue: 1 << 26)
    /// A deletion that others have saved was merged, and the context hasn't saved since.
    static let deletionMerged = ObjectFlags(rawValue: 1 << 27)
    /// What a change has to look at before it is made.
    static let told: ObjectFlags = [.observed, .announcesChanges]
    /// What an access has to look at before it goes on.
    static let attention: ObjectFlags = [.fault, .watched]

    static let changed: ObjectFlags = [.inserted, .updated, .deleted]
    static let changedInEvent: ObjectFlags = [
        .insertedInEvent, .updatedInEvent, .deletedInEvent, .refreshedInEvent, .reinsertedInEvent,
    ]
    /// What the current event did other than refreshing it.
    static let editedInEvent: ObjectFlags = [.insertedInEvent, .updatedInEvent, .deletedInEvent]
}
