/// Why an object's values were set at once from outside (Apple: NSSnapshotEventType).
public struct NSSnapshotEventType: OptionSet, Sendable {
    /// Apple's bits for the reasons.
    public let rawValue: UInt
    /// Makes a set of reasons of Apple's bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }

    /// The insertion of the object was undone.
    public static let undoInsertion = NSSnapshotEventType(rawValue: 1 << 1)
    /// The deletion of the object was undone.
    public static let undoDeletion = NSSnapshotEventType(rawValue: 1 << 2)
    /// A change of the object was undone.
    public static let undoUpdate = NSSnapshotEventType(rawValue: 1 << 3)
    /// The context was rolled back.
    public static let rollback = NSSnapshotEventType(rawValue: 1 << 4)
    /// The object was refreshed from its store.
    public static let refresh = NSSnapshotEventType(rawValue: 1 << 5)
    /// A merge policy resolved a conflict of the object.
    public static let mergePolicy = NSSnapshotEventType(rawValue: 1 << 6)
}
