/// How a to-many relationship lies in the file.
package enum SQLToMany: Sendable, Hashable {
    /// The destination's rows point at the owner: the inverse to-one, or, where there is no inverse, a column of its own.
    case foreignKey(SQLForeignKey)
    /// Pairs of keys in a table of their own.
    case join(SQLJoin)
}

/// A to-many that is kept in a column of the destination's table.
package struct SQLForeignKey: Sendable, Hashable {
    /// The destination's table.
    package var table: String
    /// The column of ``table`` that holds the owner's `Z_PK`.
    package var column: String
    /// The column that holds the owner's concrete `Z_ENT`, where the owner's declared entity has subentities.
    package var entityColumn: String?
    /// The column that holds the place among the owner's objects (`Z_FOK_…`), for an ordered relationship.
    package var orderColumn: String?
    /// Whether the relationship has no inverse, so that the column belongs to no property of the destination
    /// and only a save of the owner writes it.
    package var isOneWay: Bool

    package init(table: String, column: String, entityColumn: String? = nil, orderColumn: String? = nil, isOneWay: Bool)
    {
        self.table = table
        self.column = column
        self.entityColumn = entityColumn
        self.orderColumn = orderColumn
        self.isOneWay = isOneWay
    }
}

/// A many-to-many relationship seen from one of its two sides.
package struct SQLJoin: Sendable, Hashable {
    /// The table that both sides share.
    package var table: String
    /// The column that holds the `Z_PK` of the objects at this side.
    package var sourceColumn: String
    /// The column that holds the `Z_PK` of the objects that the relationship leads to.
    package var destinationColumn: String
    /// The column that holds the place of a destination among the source's objects, when this side is ordered.
    package var orderColumn: String?
    /// The column that orders the other side, when that one is ordered.
    package var inverseOrderColumn: String?
    /// Whether the relationship is its own inverse. A row then says both directions: older systems write a row for
    /// each, newer ones a single row (both seen in Photos stores), so that a reader has to look from both sides.
    package var isReflexive: Bool

    package init(
        table: String, sourceColumn: String, destinationColumn: String, orderColumn: String? = nil,
        inverseOrderColumn: String? = nil, isReflexive: Bool
    ) {
        self.table = table
        self.sourceColumn = sourceColumn
        self.destinationColumn = destinationColumn
        self.orderColumn = orderColumn
        self.inverseOrderColumn = inverseOrderColumn
        self.isReflexive = isReflexive
    }

    /// The same table seen from the other side.
    package var inverse: SQLJoin {
        SQLJoin(
            table: table, sourceColumn: destinationColumn, destinationColumn: sourceColumn,
            orderColumn: inverseOrderColumn, inverseOrderColumn: orderColumn, isReflexive: isReflexive)
    }
}
