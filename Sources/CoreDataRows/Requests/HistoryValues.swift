import Foundation
import ManagedObjectModel

/// What a transaction did to an object.
public enum NSPersistentHistoryChangeType: Int, Sendable {
    /// The object was inserted.
    case insert = 0
    /// The object was updated.
    case update = 1
    /// The object was deleted.
    case delete = 2
}

/// A part of a store's history. Places are the numbers of transactions by the identifier of their store.
package enum HistoryRange: Sendable {
    case all
    case none
    case after([String: Int64])
    case before([String: Int64])
    case afterDate(Date)
    case beforeDate(Date)
}

/// What of a store's history is to be read.
package struct HistoryQuery {
    package var range: HistoryRange
    /// What selects transactions or changes: a request for one of the entities of ``HistoryEntityName``. What it doesn't select
    /// needn't be read, and not all that is read need be selected by it.
    package var selection: AnyFetchRequest?
    package var needsChanges: Bool
    /// Whether it is enough to know that the range can be read.
    package var onlyChecks: Bool

    package init(range: HistoryRange, selection: AnyFetchRequest? = nil, needsChanges: Bool, onlyChecks: Bool = false) {
        self.onlyChecks = onlyChecks
        self.range = range
        self.selection = selection
        self.needsChanges = needsChanges
    }
}

/// The entities that fetch requests for history are made with: the names under which stores list the tables of history.
package enum HistoryEntityName {
    package static let transaction = "TRANSACTION"
    package static let change = "CHANGE"
}

/// What a transaction says of itself, apart from its changes.
package struct HistoryTransactionHeader: Sendable {
    package var number: Int64
    package var timestamp: Date
    package var storeIdentifier: String
    package var bundleIdentifier: String
    package var processName: String
    package var contextName: String?
    package var author: String?

    package init(
        number: Int64, timestamp: Date, storeIdentifier: String, bundleIdentifier: String, processName: String,
        contextName: String? = nil, author: String? = nil
    ) {
        self.number = number
        self.timestamp = timestamp
        self.storeIdentifier = storeIdentifier
        self.bundleIdentifier = bundleIdentifier
        self.processName = processName
        self.contextName = contextName
        self.author = author
    }
}

/// The change of one object, as a store has it.
package struct HistoryChange {
    package var number: Int64
    package var key: ObjectKey
    package var type: NSPersistentHistoryChangeType
    /// For a deletion, the values that the model preserves; nil where there are none.
    package var tombstone: [AnyHashable: Any]?
    /// For an update, the properties that were changed.
    package var updatedProperties: Set<NSPropertyDescription>?

    package init(
        number: Int64, key: ObjectKey, type: NSPersistentHistoryChangeType, tombstone: [AnyHashable: Any]? = nil,
        updatedProperties: Set<NSPropertyDescription>? = nil
    ) {
        self.number = number
        self.key = key
        self.type = type
        self.tombstone = tombstone
        self.updatedProperties = updatedProperties
    }
}
