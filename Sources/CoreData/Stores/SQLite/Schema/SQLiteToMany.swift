/// How a to-many relationship lies in the file.
enum SQLiteToMany: Sendable, Hashable {
    /// The destination's rows point at the owner: the inverse to-one, or, where there is no inverse, a column of its own.
    case foreignKey(SQLiteForeignKey)
    /// Pairs of keys in a table of their own.
    case join(SQLiteJoin)
}

/// A to-many that is kept in a column of the destination's table.
struct SQLiteForeignKey: Sendable, Hashable {
    /// The destination's table.
    var table: String
    /// The column of ``table`` that holds the owner's `Z_PK`.
    var column: String
    /// The column that holds the owner's concrete `Z_ENT`, where the owner's declared entity has subentities.
    var entityColumn: String?
    /// The column that holds the place among the owner's objects (`Z_FOK_…`), for an ordered relationship.
    var orderColumn: String?
    /// Whether the relationship has no inverse, so that the column belongs to no property of the destination
    /// and only a save of the owner writes it.
    var isOneWay: Bool
}

/// A many-to-many relationship seen from one of its two sides.
struct SQLiteJoin: Sendable, Hashable {
    /// The table that both sides share.
    var table: String
    /// The column that holds the `Z_PK` of the objects at this side.
    var sourceColumn: String
    /// The column that holds the `Z_PK` of the objects that the relationship leads to.
    var destinationColumn: String
    /// The column that holds the place of a destination among the source's objects, when this side is ordered.
    var orderColumn: String?
    /// The column that orders the other side, when that one is ordered.
    var inverseOrderColumn: String?
    /// Whether the relationship is its own inverse. A row then says both directions: older systems write a row for
    /// each, newer ones a single row (both seen in Photos stores), so that a reader has to look from both sides.
    var isReflexive: Bool

    /// The same table seen from the other side.
    var inverse: SQLiteJoin {
        SQLiteJoin(
            table: table, sourceColumn: destinationColumn, destinationColumn: sourceColumn,
            orderColumn: inverseOrderColumn, inverseOrderColumn: orderColumn, isReflexive: isReflexive)
    }
}
