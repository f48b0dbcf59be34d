@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB

/// Writes what relationships keep outside their objects' rows: join tables, one-way keys, orders.
struct SQLiteRelationshipWriter {
    private let database: Database
    private let schema: SQLiteSchema
    private var statements: [SQLiteRelationshipStatement: SQLiteStatement] = [:]
    /// New pairs of joins that the other side orders, and may say nothing about.
    private var addedToOrders: [AddedPair] = []

    private struct AddedPair {
        var join: SQLJoin
        var source: Int64
        var destination: Int64
    }

    init(_ database: Database, schema: SQLiteSchema) {
        self.database = database
        self.schema = schema
    }

    mutating func apply(_ change: ToManyRowChange, owner: ObjectKey) throws {
        let entity = try schema.entity(schema.model.entities[Int(owner.entityIndex)])
        guard change.propertyIndex < entity.toManys.count, let toMany = entity.toManys[change.propertyIndex] else {
            throw SQLiteStoreError.schema("\(entity.name) has no to-many relationship at \(change.propertyIndex)")
        }
        switch toMany {
        case .join(let join): try apply(change, owner: owner.handle, join: join)
        case .foreignKey(let key): try apply(change, owner: owner.handle, key: key)
        }
    }

    /// Removes every trace of a row that is deleted.
    mutating func removeAll(of owner: ObjectKey, plan: SQLiteRowPlan) throws {
        for join in plan.joins {
            try run(.deletePairsOfSource(join), [owner.handle])
            if join.isReflexive { try run(.deletePairsOfSource(join.inverse), [owner.handle]) }
        }
        for key in plan.oneWays {
            try run(.emptyKeys(key), [owner.handle])
        }
    }

    /// Removes pairs of the joins that a save has added to, where the other end has no row: others have deleted it.
    ///
    /// - Returns: whether there were any.
    func removeAddedPairsWithoutDestination(of row: RowChange) throws -> Bool {
        let layout = schema.model.entities[Int(row.key.entityIndex)]
        let entity = try schema.entity(layout)
        let changesBefore = database.totalChangesCount
        for change in row.toManys where !change.added.isEmpty {
            guard case .join(let join) = entity.toManys[change.propertyIndex],
                let destination = layout.properties[change.propertyIndex].destination
            else { continue }
            let table = SQLFragment.name(try schema.entity(destination).table)
            func remove(_ own: SQLFragment, _ other: SQLFragment) throws {
                try database.run(
                    """
                    DELETE FROM \(.name(join.table)) WHERE \(own) = \(bind: .int(row.key.handle)) \
                    AND \(other) NOT IN (SELECT \(.key) FROM \(table))
                    """)
            }
            try remove(.name(join.sourceColumn), .name(join.destinationColumn))
            if join.isReflexive { try remove(.name(join.destinationColumn), .name(join.sourceColumn)) }
        }
        return database.totalChangesCount > changesBefore
    }

    private mutating func apply(_ change: ToManyRowChange, owner: Int64, join: SQLJoin) throws {
        for removed in change.removed {
            try run(.deletePair(join), [owner, removed.handle])
            if join.isReflexive { try run(.deletePair(join), [removed.handle, owner]) }
        }
        // Both ends may tell of the same pair.
        for added in change.added {
            try run(.insertPair(join), [owner, added.handle])
            if join.isReflexive { try run(.insertPair(join), [added.handle, owner]) }
            if join.inverseOrderColumn != nil {
                addedToOrders.append(AddedPair(join: join, source: owner, destination: added.handle))
            }
        }
        if let orderColumn = join.orderColumn, let order = change.order {
            let columns = SQLiteOrderColumns(
                table: join.table, owner: join.sourceColumn, key: join.destinationColumn, order: orderColumn)
            try setOrder(order, owner: owner, in: columns)
        }
    }

    private mutating func apply(_ change: ToManyRowChange, owner: Int64, key: SQLForeignKey) throws {
        if key.isOneWay {
            for removed in change.removed {
                try run(.emptyKey(key), [removed.handle, owner])
            }
            for added in change.added { try run(.setKey(key), [owner, added.handle]) }
        }
        if let orderColumn = key.orderColumn, let order = change.order {
            let columns = SQLiteOrderColumns(
                table: key.table, owner: key.column, key: SQLiteName.key.rawValue, order: orderColumn)
            try setOrder(order, owner: owner, in: columns)
        }
    }

    /// Gives a row an order number exactly where it has an owner, as in every fixture.
    ///
    /// What the owner didn't place comes last.
    mutating func assignOrderKey(_ row: RowChange, plan: SQLiteRowPlan, isNew: Bool) throws {
        for ordered in plan.orderedKeys where isNew || row.changedSlots.contains(ordered.slot) {
            let columns = SQLiteOrderColumns(
                table: plan.entity.table, owner: ordered.column, key: SQLiteName.key.rawValue,
                order: ordered.orderColumn)
            try run(.emptyPlace(columns), [row.key.handle])
            try run(.placeLast(columns), [row.key.handle])
        }
    }

    /// Places new pairs of joins of which the ordered side said nothing. To be called when all changes are applied.
    mutating func assignOrderKeysOfAddedPairs() throws {
        for pair in addedToOrders {
            guard let order = pair.join.inverseOrderColumn else { continue }
            let columns = SQLiteOrderColumns(
                table: pair.join.table, owner: pair.join.destinationColumn, key: pair.join.sourceColumn, order: order)
            try run(.placePairLast(columns), [pair.source, pair.destination])
        }
        addedToOrders = []
    }

    /// Gives the rows of an owner numbers that rise along their order, changing as few as possible.
    private mutating func setOrder(_ order: [ObjectKey], owner: Int64, in columns: SQLiteOrderColumns) throws {
        let query = try prepared(.places(columns))
        query.bind(owner, 1)
        var present: [Int64: Int64] = [:]
        while try query.next() {
            if !query.isNull(1) { present[query.int(0)] = query.int(1) }
        }
        let existing = order.map { present[$0.handle] }
        let numbers = OrderKeys.assign(existing)
        for place in order.indices where existing[place] != numbers[place] {
            try run(.setPlace(columns), [numbers[place], order[place].handle, owner])
        }
    }

    private mutating func run(_ shape: SQLiteRelationshipStatement, _ keys: [Int64]) throws {
        let statement = try prepared(shape)
        for (place, key) in keys.enumerated() { statement.bind(key, Int32(place + 1)) }
        try statement.run()
    }

    private mutating func prepared(_ shape: SQLiteRelationshipStatement) throws -> SQLiteStatement {
        if let statement = statements[shape] { return statement }
        let statement = try SQLiteStatement(database, shape.sql)
        statements[shape] = statement
        return statement
    }
}
