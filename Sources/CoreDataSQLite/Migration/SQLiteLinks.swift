@_spi(Engine) import CoreDataRows

/// The pairs of keys of a relationship, wherever a file keeps them: in the owner's rows, the destination's, or a table.
struct SQLiteLinks: Hashable {
    var table: String
    /// The column with the keys of the owners.
    var source: String
    /// The column with the keys of the destinations.
    var destination: String
    /// The column with the place of a destination among those of its owner.
    var order: String?
    /// The column with the place of an owner among those of its destination.
    var inverseOrder: String?
    /// Whether a row of the table holds for both directions.
    var isReflexive = false

    /// The same pairs seen from the other end.
    var reversed: SQLiteLinks {
        SQLiteLinks(
            table: table, source: destination, destination: source, order: inverseOrder, inverseOrder: order,
            isReflexive: isReflexive)
    }

    /// Whether the rows of this table are the owners themselves.
    func areOwnRows(of table: String) -> Bool { self.table == table && source == SQLiteNaming.key }

    /// Whether the rows of the table are the destinations themselves.
    var areDestinationRows: Bool { destination == SQLiteNaming.key }

    /// Where an entity keeps a relationship; nil for what isn't kept.
    init?(_ property: PropertyLayout, of entity: SQLiteEntity) {
        switch property.kind {
        case .toOne:
            guard let column = entity.column(of: property)?.name else { return nil }
            let isOrdered = property.inverse.map { $0.kind == .toMany && $0.isOrdered } ?? false
            self.init(
                table: entity.table, source: SQLiteNaming.key, destination: column, order: nil,
                inverseOrder: isOrdered ? SQLiteNaming.orderColumn(beside: column) : nil)
        case .toMany:
            switch entity.toMany(property) {
            case .foreignKey(let key)?:
                self.init(
                    table: key.table, source: key.column, destination: SQLiteNaming.key, order: key.orderColumn,
                    inverseOrder: nil)
            case .join(let join)?:
                self.init(
                    table: join.table, source: join.sourceColumn, destination: join.destinationColumn,
                    order: join.orderColumn, inverseOrder: join.inverseOrderColumn, isReflexive: join.isReflexive)
            case nil: return nil
            }
        default: return nil
        }
    }

    private init(
        table: String, source: String, destination: String, order: String?, inverseOrder: String?,
        isReflexive: Bool = false
    ) {
        self.table = table
        self.source = source
        self.destination = destination
        self.order = order
        self.inverseOrder = inverseOrder
        self.isReflexive = isReflexive
    }
}
