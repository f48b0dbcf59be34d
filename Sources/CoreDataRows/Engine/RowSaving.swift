/// Writes the rows of a store that is open.
package protocol RowSaving: AnyObject, Sendable {
    /// Reserves keys for new objects of these entities, in their order. A key isn't given out again, even if its object
    /// is never saved.
    func reserveKeys(for entities: [EntityLayout]) throws -> [ObjectKey]
    /// Writes a save in one transaction: keys, rows, history and metadata.
    ///
    /// - Throws: ``RowConflicts`` with every conflict where others changed rows, or else where values aren't unique; an error that names
    ///   the store for everything else, and what ``StoreSave/beforeCommit`` throws. Nothing is written then.
    func save(_ save: StoreSave) throws -> SaveOutcome
}

/// What a save has done besides what it was told.
package struct SaveOutcome {
    /// Further rows whose values the store has computed or corrected.
    package var recomputed: [ObjectKey]
    /// The number of the save in the store's history; nil where it keeps none.
    package var transactionNumber: Int64?

    package init(recomputed: [ObjectKey] = [], transactionNumber: Int64? = nil) {
        self.recomputed = recomputed
        self.transactionNumber = transactionNumber
    }
}

/// One save, as one value.
package struct StoreSave {
    /// All of the store's metadata, where it was changed.
    package var metadata: [String: Any]?
    /// Who saves, for the store's history.
    package var author: HistoryAuthor
    /// The entities of the new objects that are given their keys in the transaction.
    package var newEntities: [EntityLayout]
    /// The changes, once the new objects have their keys, which come in the order of the entities. Called once, inside the
    /// transaction.
    package var changes: ([ObjectKey]) throws -> RowChanges
    /// Whether ``beforeCommit`` commits to other stores: what can fail for want of room is to fail before it is called.
    package var othersFollow: Bool
    /// Further work that must succeed before the changes are committed.
    package var beforeCommit: () throws -> Void

    package init(
        metadata: [String: Any]? = nil, author: HistoryAuthor, newEntities: [EntityLayout] = [],
        changes: @escaping ([ObjectKey]) throws -> RowChanges, othersFollow: Bool = false,
        beforeCommit: @escaping () throws -> Void = {}
    ) {
        self.metadata = metadata
        self.author = author
        self.newEntities = newEntities
        self.changes = changes
        self.othersFollow = othersFollow
        self.beforeCommit = beforeCommit
    }
}
