@_spi(Engine) import CoreDataRows

/// The pairs of keys of a relationship, wherever a store keeps them: in the owner's rows, the destination's, or a table.
package struct SQLLinks: Hashable, Sendable {
    package let table: String
    /// The column with the keys of the owners.
    package let source: String
    /// The column with the keys of the destinations.
    package let destination: String
    /// The column with the place of a destination among those of its owner.
    package let order: String?
    /// The column with the place of an owner among those of its destination.
    package let inverseOrder: String?
    /// Whether a row of the table holds for both directions.
    package let isReflexive: Bool
    /// The column of every entity's table with the keys of its rows.
    private let rowKey: String

    private init(
        table: String, source: String, destination: String, order: String? = nil, inverseOrder: String? = nil,
        isReflexive: Bool = false, rowKey: String
    ) {
        self.table = table
        self.source = source
        self.destination = destination
        self.order = order
        self.inverseOrder = inverseOrder
        self.isReflexive = isReflexive
        self.rowKey = rowKey
    }

    /// Where an entity keeps a relationship; nil for what isn't kept.
    package init?<Schema: SQLMigratedSchema>(
        _ property: PropertyLayout, of entity: Schema.Entity, in schema: Schema
    ) {
        let rowKey = schema.keyColumn
        switch property.kind {
        case .toOne:
            guard let column = entity.keyColumn(ofToOne: property) else { return nil }
            self.init(
                table: entity.table, source: rowKey, destination: column,
                inverseOrder: schema.orderColumn(beside: property, of: entity), rowKey: rowKey)
        case .toMany:
            switch entity.toMany(property) {
            case .foreignKey(let key)?:
                self.init(
                    table: key.table, source: key.column, destination: rowKey, order: key.orderColumn, rowKey: rowKey)
            case .join(let join)?:
                self.init(
                    table: join.table, source: join.sourceColumn, destination: join.destinationColumn,
                    order: join.orderColumn, inverseOrder: join.isReflexive ? nil : join.inverseOrderColumn,
                    isReflexive: join.isReflexive, rowKey: rowKey)
            case nil: return nil
            }
        default: return nil
        }
    }

    /// The same pairs seen from the other end.
    package var reversed: SQLLinks {
        SQLLinks(
            table: table, source: destination, destination: source, order: inverseOrder, inverseOrder: order,
            isReflexive: isReflexive, rowKey: rowKey)
    }

    /// Whether the rows of this table are the owners themselves.
    package func areOwnRows(of table: String) -> Bool { self.table == table && source == rowKey }

    /// Whether the rows of the table are the destinations themselves.
    package var areDestinationRows: Bool { destination == rowKey }

    /// Whether the pairs have a table of their own.
    package var haveOwnTable: Bool { source != rowKey && destination != rowKey }
}
