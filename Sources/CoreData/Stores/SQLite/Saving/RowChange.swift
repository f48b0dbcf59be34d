/// What a save does to one row, free of the object graph.
struct RowChange: Sendable {
    var key: ObjectKey
    /// The `Z_OPT` on which the change is based; a row that has another one now was changed by somebody else.
    /// Not used for inserts, whose rows begin with 1.
    var version: Int64 = 0
    /// The values by row slot; empty for deletes.
    var values: ContiguousArray<FieldValue> = []
    /// The row slots whose values differ from the stored ones; for updates only.
    var changedSlots: [Int] = []
    /// To-many relationships that aren't kept by the inverse's column alone: join tables, one-way ones, orders.
    var toManys: [ToManyRowChange] = []
}

/// The change of one to-many relationship of a row.
struct ToManyRowChange: Sendable {
    /// The place in ``EntityLayout/properties``.
    var propertyIndex: Int
    var added: [ObjectKey] = []
    var removed: [ObjectKey] = []
    /// All destinations in their new order, for an ordered relationship.
    var order: [ObjectKey]?
}

/// What one save does to a store.
struct SQLiteChanges: Sendable {
    var inserted: [RowChange] = []
    var updated: [RowChange] = []
    var deleted: [RowChange] = []
    /// Rows that have to be as they were read, though the save doesn't change them.
    var locked: [RowChange] = []
    /// Whether a merge policy has resolved conflicts: what the changes lead to may not agree with them.
    var followsConflicts = false

    var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && locked.isEmpty }
}
