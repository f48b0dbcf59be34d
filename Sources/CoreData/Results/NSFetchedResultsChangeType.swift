/// What happened to an object or a section of a fetched results controller (Apple: NSFetchedResultsChangeType).
public enum NSFetchedResultsChangeType: UInt, Sendable {
    /// It is among the results now.
    case insert = 1
    /// It is no longer among the results.
    case delete = 2
    /// It is in another place, and was changed. Objects only.
    case move = 3
    /// It was changed, and is where it was among the others. Objects only.
    case update = 4
}
