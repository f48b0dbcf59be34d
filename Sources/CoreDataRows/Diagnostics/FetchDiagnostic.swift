/// Something that a program fetches at a higher cost than need be, and what would cure it.
///
/// An addition to Apple's API: see ``NSPersistentStoreCoordinator/diagnosticsHandler``. It's also logged where
/// `-com.apple.CoreData.SQLDebug` is 1 or more.
public struct FetchDiagnostic: Hashable, Sendable, CustomStringConvertible {
    /// What was noticed.
    public enum Cause: Hashable, Sendable {
        /// A relationship of so many objects was read one object at a time.
        case faultedOneByOne(relationship: String, count: Int)
        /// So many rows of a table were looked through, by the values of attributes that have no index.
        case scannedTable(attributes: [String], rowCount: Int)
    }

    /// The entity whose relationship was followed, or whose table was looked through.
    public let entityName: String
    /// What was noticed, with names and counts.
    public let cause: Cause

    package init(entityName: String, cause: Cause) {
        self.entityName = entityName
        self.cause = cause
    }

    /// What happened, and what to do.
    public var description: String {
        switch cause {
        case .faultedOneByOne(let relationship, let count):
            return "\(entityName).\(relationship) was faulted for \(count) objects, one at a time. "
                + "Set relationshipKeyPathsForPrefetching = [\"\(relationship)\"] on the fetch request for \(entityName), "
                + "or fetch the destinations at once (SELF IN %@)."
        case .scannedTable(let attributes, let rowCount):
            let names = attributes.joined(separator: ", ")
            return "A fetch of \(entityName) looked through \(rowCount) rows. "
                + "An index by \(names) would serve: add a fetch index with it to \(entityName) in the model."
        }
    }
}
