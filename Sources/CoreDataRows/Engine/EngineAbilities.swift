import Foundation

/// An engine that changes many rows at once, without their objects.
package protocol BatchWriting: StoreEngine {
    func insert(_ insertion: BatchInsertion, _ order: BatchOrder) throws -> BatchOutcome
    /// Sets properties of a fetch's results. The keys are names or property descriptions, the values constants or expressions.
    func update(_ fetch: StoreFetch, setting properties: [AnyHashable: Any], _ order: BatchOrder) throws -> BatchOutcome
    /// Deletes a fetch's results, and what the delete rules require in addition.
    func delete(_ fetch: StoreFetch, _ order: BatchOrder) throws -> BatchOutcome
}

/// The author and merge policy of a batch request, and the kind of result that is wanted.
package struct BatchOrder {
    package var author: HistoryAuthor
    /// What to do with rows whose unique values other rows already have.
    package var policy: NSMergePolicyType
    package var wanted: BatchResultKind

    package init(author: HistoryAuthor, policy: NSMergePolicyType, wanted: BatchResultKind) {
        self.author = author
        self.policy = policy
        self.wanted = wanted
    }
}

/// The rows of a batch insert.
package struct BatchInsertion {
    package enum Source {
        case dictionaries([[String: Any]])
        /// Fills in a dictionary for each row, and returns true when there are no more.
        case handler((NSMutableDictionary) -> Bool)
        case rows((BatchColumns) -> any BatchRowSource)
    }

    package var layout: EntityLayout
    package var source: Source

    package init(_ layout: EntityLayout, _ source: Source) {
        self.layout = layout
        self.source = source
    }
}

/// What a batch request did.
package struct BatchOutcome {
    package var count: Int
    /// The rows that were asked for; empty where only their number is wanted.
    package var keys: [ObjectKey]

    package init(count: Int, keys: [ObjectKey]) {
        self.count = count
        self.keys = keys
    }
}

/// An engine that records who changed what, and when.
package protocol HistoryKeeping: StoreEngine {
    /// The number of the last transaction; nil where the store keeps no history.
    func lastTransactionNumber() throws -> Int64?
    /// The transactions in the range of a query, oldest first, with their changes if these are needed.
    ///
    /// - Parameter identifier: the store's UUID, which the query's tokens refer to.
    /// - Throws: `NSPersistentHistoryTokenExpiredError` where the range begins with what was deleted.
    func transactions(for query: HistoryQuery, of identifier: String) throws
        -> [(header: HistoryTransactionHeader, changes: [HistoryChange]?)]
    /// Deletes a part of the history.
    ///
    /// - Returns: how many changes it had.
    func deleteHistory(_ range: HistoryRange, of identifier: String) throws -> Int
}

/// An engine that can keep a state of the store readable for contexts that are pinned to it.
package protocol GenerationPinning: StoreEngine {
    /// Keeps the present state; nil where this store can't.
    func makeGeneration() throws -> (any StoreGeneration)?
}

/// An engine whose file may be damaged so that some reads miss rows which others show, as by a damaged index.
package protocol DamageFinding: StoreEngine {
    /// Reads the whole file. To be asked before a copy is made that takes the store's place.
    ///
    /// - Throws: `NSFileReadCorruptFileError` with what is damaged.
    func requireUndamaged() throws
}

/// An engine that reports what other connections write.
package protocol ChangeWatching: StoreEngine {
    /// Reports every write from now on, until the store is closed, with the number of the last transaction.
    func watch(_ report: @escaping @Sendable (Int64?) -> Void)
}
