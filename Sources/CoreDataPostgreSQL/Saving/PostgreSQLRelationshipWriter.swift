@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// Writes what relationships keep outside their objects' rows: pairs, one-way keys, orders. All changes of a kind are one
/// statement.
struct PostgreSQLRelationshipWriter {
    private let connection: PostgreSQLConnection
    private let schema: PostgreSQLSchema
    /// Whether objects may have been deleted to which the changes lead.
    private let settlesInverses: Bool
    private var added: [String: [Pair]] = [:]
    private var removed: [String: [Pair]] = [:]
    private var oneWays: [OneWay] = []
    private var orders: [Order: [(owner: Int64, keys: [Int64])]] = [:]

    /// The keys in a join table's two columns.
    private struct Pair: Hashable {
        let source: Int64
        let destination: Int64
    }

    private struct OneWay {
        let key: SQLForeignKey
        let owner: Int64
        let added: [Int64]
        let removed: [Int64]
    }

    /// The columns that keep an order.
    private struct Order: Hashable {
        let table: String
        let owner: String
        let key: String
        let order: String
    }

    init(_ connection: PostgreSQLConnection, _ schema: PostgreSQLSchema, settlesInverses: Bool) {
        self.connection = connection
        self.schema = schema
        self.settlesInverses = settlesInverses
    }

    // MARK: Collecting

    mutating func collect(_ change: ToManyRowChange, owner: ObjectKey) throws {
        switch try schema.entity(at: owner.entityIndex).toManys[change.propertyIndex] {
        case .join(let join): collect(change, owner.handle, join)
        case .foreignKey(let key): collect(change, owner.handle, key)
        case nil:
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "\(schema.model.entities[Int(owner.entityIndex)].name) has no to-many relationship at \(change.propertyIndex)."
            )
        }
    }

    private mutating func collect(_ change: ToManyRowChange, _ owner: Int64, _ join: SQLJoin) {
        // One side of the relationship named the table's columns; both are written as that side has them.
        let isForward = schema.joins.first { $0.table == join.table }?.sourceColumn == join.sourceColumn
        func pair(_ other: ObjectKey) -> Pair {
            isForward ? Pair(source: owner, destination: other.handle) : Pair(source: other.handle, destination: owner)
        }
        removed[join.table, default: []] += change.removed.map(pair)
        added[join.table, default: []] += change.added.map(pair)
        if join.isReflexive {
            removed[join.table, default: []] += change.removed.map { Pair(source: $0.handle, destination: owner) }
            added[join.table, default: []] += change.added.map { Pair(source: $0.handle, destination: owner) }
        }
        if let column = join.orderColumn, let order = change.order {
            let columns = Order(
                table: join.table, owner: join.sourceColumn, key: join.destinationColumn, order: column)
            orders[columns, default: []].append((owner, order.map(\.handle)))
        }
    }

    private mutating func collect(_ change: ToManyRowChange, _ owner: Int64, _ key: SQLForeignKey) {
        if key.isOneWay {
            oneWays.append(
                OneWay(
                    key: key, owner: owner, added: change.added.map(\.handle), removed: change.removed.map(\.handle)))
        }
        if let column = key.orderColumn, let order = change.order {
            let columns = Order(table: key.table, owner: key.column, key: PostgreSQLName.key, order: column)
            orders[columns, default: []].append((owner, order.map(\.handle)))
        }
    }

    // MARK: Writing

    func write() throws {
        for (table, pairs) in removed where !pairs.isEmpty { try remove(pairs, from: table) }
        for (table, pairs) in added where !pairs.isEmpty { try add(pairs, to: table) }
        for change in oneWays { try write(change) }
        for (columns, owners) in orders { try setOrders(owners, columns) }
    }

    private func parameters(_ pairs: [Pair]) -> PostgreSQLParameters {
        var parameters = PostgreSQLParameters()
        parameters.append(pairs.map(\.source))
        parameters.append(pairs.map(\.destination))
        return parameters
    }

    private func join(_ table: String) throws -> SQLJoin {
        if let join = schema.joins.first(where: { $0.table == table }) { return join }
        throw CoreDataError.make(NSPersistentStoreSaveError, "The store has no table \(table).")
    }

    private func remove(_ pairs: [Pair], from table: String) throws {
        let join = try join(table)
        try connection.execute(
            """
            DELETE FROM \(schema.qualified(table)) j USING unnest($1, $2) AS v(source, destination) \
            WHERE j.\(.quoted(join.sourceColumn)) = v.source AND j.\(.quoted(join.destinationColumn)) = v.destination
            """, parameters(pairs))
    }

    /// Both ends may tell of the same pair.
    private func add(_ pairs: [Pair], to table: String) throws {
        let join = try join(table)
        var condition: SQLFragment = ""
        if settlesInverses, let ends = schema.joinEnds[table] {
            condition = """
                 WHERE EXISTS (SELECT 1 FROM \(schema.qualified(ends.source)) o WHERE o."_id" = v.source) \
                AND EXISTS (SELECT 1 FROM \(schema.qualified(ends.destination)) o WHERE o."_id" = v.destination)
                """
        }
        try connection.execute(
            """
            INSERT INTO \(schema.qualified(table)) (\(.quoted(join.sourceColumn)), \(.quoted(join.destinationColumn))) \
            SELECT v.source, v.destination FROM unnest($1, $2) AS v(source, destination)\(condition) ON CONFLICT DO NOTHING
            """, parameters(pairs))
    }

    private func write(_ change: OneWay) throws {
        let table = schema.qualified(change.key.table)
        let column = SQLFragment.quoted(change.key.column)
        let order: SQLFragment = change.key.orderColumn.map { ", \(.quoted($0)) = NULL" } ?? ""
        if !change.removed.isEmpty {
            var parameters = PostgreSQLParameters()
            parameters.append(change.removed)
            parameters.append(change.owner)
            try connection.execute(
                "UPDATE \(table) SET \(column) = NULL\(order) WHERE \"_id\" = ANY($1) AND \(column) = $2", parameters)
        }
        if !change.added.isEmpty {
            var parameters = PostgreSQLParameters()
            parameters.append(change.added)
            parameters.append(change.owner)
            try connection.execute("UPDATE \(table) SET \(column) = $2 WHERE \"_id\" = ANY($1)", parameters)
        }
    }

    // MARK: Orders

    /// Gives the objects of each owner numbers that rise along their order, changing as few as possible.
    private func setOrders(_ owners: [(owner: Int64, keys: [Int64])], _ columns: Order) throws {
        let table = schema.qualified(columns.table)
        var parameters = PostgreSQLParameters()
        parameters.append(owners.map(\.owner))
        let present = try connection.execute(
            """
            SELECT \(.quoted(columns.owner)), \(.quoted(columns.key)), \(.quoted(columns.order)) FROM \(table) \
            WHERE \(.quoted(columns.owner)) = ANY($1) AND \(.quoted(columns.order)) IS NOT NULL
            """, parameters)
        var places: [Pair: Int64] = [:]
        for row in 0..<present.count {
            places[Pair(source: present.int8(row, 0), destination: present.int8(row, 1))] = present.int8(row, 2)
        }
        var changed: [(owner: Int64, key: Int64, place: Int64)] = []
        for (owner, keys) in owners {
            let existing = keys.map { places[Pair(source: owner, destination: $0)] }
            for (index, number) in OrderKeys.assign(existing).enumerated() where existing[index] != number {
                changed.append((owner, keys[index], number))
            }
        }
        guard !changed.isEmpty else { return }
        parameters.removeAll()
        parameters.append(changed.map(\.owner))
        parameters.append(changed.map(\.key))
        parameters.append(changed.map(\.place))
        try connection.execute(
            """
            UPDATE \(table) t SET \(.quoted(columns.order)) = v.place FROM unnest($1, $2, $3) AS v(owner, key, place) \
            WHERE t.\(.quoted(columns.owner)) = v.owner AND t.\(.quoted(columns.key)) = v.key
            """, parameters)
    }

    /// Places what has an owner and no place, as the owner said nothing about it: behind all others. And takes the place from
    /// what has no owner any more.
    func placeLast(_ changes: RowChanges) throws {
        var rows: [Order: [Int64]] = [:]
        for (changed, areNew) in [(changes.inserted, true), (changes.updated, false)] {
            for row in changed {
                let entity = try schema.entity(at: row.key.entityIndex)
                for column in entity.ordered where column.property.kind == .toOne {
                    guard areNew || row.changedSlots.contains(column.slot), let inverse = column.property.inverse,
                        inverse.isOrdered, inverse.kind == .toMany, let destination = column.property.destination,
                        case .foreignKey(let key)? = try schema.entity(destination).toManys[inverse.index],
                        let order = key.orderColumn
                    else { continue }
                    let columns = Order(
                        table: key.table, owner: key.column, key: PostgreSQLName.key, order: order)
                    rows[columns, default: []].append(row.key.handle)
                }
            }
        }
        for (columns, keys) in rows { try placeLast(keys, columns) }
        for (table, pairs) in added where !pairs.isEmpty {
            let join = try join(table)
            if let order = join.orderColumn {
                try placeLast(
                    pairs.map(\.destination),
                    Order(table: table, owner: join.sourceColumn, key: join.destinationColumn, order: order))
            }
            if let order = join.inverseOrderColumn, !join.isReflexive {
                try placeLast(
                    pairs.map(\.source),
                    Order(table: table, owner: join.destinationColumn, key: join.sourceColumn, order: order))
            }
        }
    }

    private func placeLast(_ keys: [Int64], _ columns: Order) throws {
        let table = schema.qualified(columns.table)
        let (owner, key) = (SQLFragment.quoted(columns.owner), SQLFragment.quoted(columns.key))
        let order = SQLFragment.quoted(columns.order)
        var parameters = PostgreSQLParameters()
        parameters.append(keys.uniqued())
        try connection.execute(
            "UPDATE \(table) SET \(order) = NULL WHERE \(key) = ANY($1) AND \(owner) IS NULL AND \(order) IS NOT NULL",
            parameters)
        try connection.execute(
            """
            UPDATE \(table) t SET \(order) = \
            COALESCE((SELECT MAX(o.\(order)) FROM \(table) o WHERE o.\(owner) = t.\(owner)), \(.number(OrderKeys.first - OrderKeys.step))) \
            + \(.number(OrderKeys.step)) * n.place FROM (SELECT p.\(owner) AS owner, p.\(key) AS key, \
            row_number() OVER (PARTITION BY p.\(owner) ORDER BY v.number) AS place FROM \(table) p \
            JOIN unnest($1) WITH ORDINALITY AS v(key, number) ON v.key = p.\(key) \
            WHERE p.\(owner) IS NOT NULL AND p.\(order) IS NULL) n \
            WHERE t.\(owner) = n.owner AND t.\(key) = n.key
            """, parameters)
    }
}
