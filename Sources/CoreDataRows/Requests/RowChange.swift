/// What a save does to one row, free of the object graph.
package struct RowChange: Sendable {
    package var key: ObjectKey
    /// The `Z_OPT` on which the change is based; a row that has another one now was changed by another writer. Of a new row, that of
    /// the row that had its key before and was deleted, mostly 0: the new one goes on with the next.
    package var version: Int64 = 0
    /// The values by row slot; empty for deletes.
    package var values: ContiguousArray<FieldValue> = []
    /// The row slots whose values differ from the stored ones; for updates only.
    package var changedSlots: [Int] = []
    /// To-many relationships that aren't kept by the inverse's column alone: join tables, one-way ones, orders.
    package var toManys: [ToManyRowChange] = []

    package init(key: ObjectKey, version: Int64 = 0) {
        self.key = key
        self.version = version
    }
}

/// The change of one to-many relationship of a row.
package struct ToManyRowChange: Sendable {
    /// The place in ``EntityLayout/properties``.
    package var propertyIndex: Int
    package var added: [ObjectKey] = []
    package var removed: [ObjectKey] = []
    /// All destinations in their new order, for an ordered relationship.
    package var order: [ObjectKey]?

    package init(propertyIndex: Int, added: [ObjectKey] = [], removed: [ObjectKey] = [], order: [ObjectKey]? = nil) {
        self.propertyIndex = propertyIndex
        self.added = added
        self.removed = removed
        self.order = order
    }
}

/// What one save does to a store.
package struct RowChanges: Sendable {
    package var inserted: [RowChange] = []
    package var updated: [RowChange] = []
    package var deleted: [RowChange] = []
    /// Rows that have to be as they were read, though the save doesn't change them.
    package var locked: [RowChange] = []
    /// Whether what the changes lead to may not agree with them, because the context has resolved conflicts, or has known
    /// only one end of what others have saved.
    package var settlesInverses = false

    package init(
        inserted: [RowChange] = [], updated: [RowChange] = [], deleted: [RowChange] = [], locked: [RowChange] = [],
        settlesInverses: Bool = false
    ) {
        self.settlesInverses = settlesInverses
        self.inserted = inserted
        self.updated = updated
        self.deleted = deleted
        self.locked = locked
    }

    package var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && locked.isEmpty }
}
