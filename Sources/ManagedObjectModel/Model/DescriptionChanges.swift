import Synchronization

/// Counts the changes of descriptions that aren't in use yet, all together, so that what was worked out from some of them is
/// known to hold as long as nothing was changed. Building a model takes a few thousand; nothing counts once it is in use.
enum DescriptionChanges {
    private static let changes = Atomic(0)

    static var count: Int { changes.load(ordering: .acquiring) }

    /// Called by everything that changes a description.
    static func increment() { changes.add(1, ordering: .releasing) }
}
