@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB

/// Writes what relationships keep outside their objects' rows: join tables, one-way keys, orders.
struct SQLiteRelationshipWriter {
    private let database: Database
    private let schema: SQLiteSchema
    private var statements: [String: SQLiteStatement] = [:]
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
            try run("DELETE FROM \(join.table) WHERE \(join.sourceColumn) = ?", [owner.handle])
            if join.isReflexive {
                try run("DELETE FROM \(join.table) WHERE \(join.destinationColumn) = ?", [owner.handle])
            }
        }
        for key in plan.oneWays {
            let order = key.orderColumn.map { ", \($0) = NULL" } ?? ""
            try run("UPDATE \(key.table) SET \(key.column) = NULL\(order) WHERE \(key.column) = ?", [owner.handle])
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
            let table = SQLIdentifier.quoted(try schema.entity(destination).table)
            func remove(_ own: String, _ other: String) throws {
                try database.run(
                    "DELETE FROM \(join.table) WHERE \(own) = ? AND \(other) NOT IN (SELECT Z_PK FROM \(table))",
                    arguments: [row.key.handle])
            }
            try remove(join.sourceColumn, join.destinationColumn)
            if join.isReflexive { try remove(join.destinationColumn, join.sourceColumn) }
        }
        return database.totalChangesCount > changesBefore
    }

    private mutating func apply(_ change: ToManyRowChange, owner: Int64, join: SQLJoin) throws {
        let deletion = "DELETE FROM \(join.table) WHERE \(join.sourceColumn) = ? AND \(join.destinationColumn) = ?"
        for removed in change.removed {
            try run(deletion, [owner, removed.handle])
            if join.isReflexive { try run(deletion, [removed.handle, owner]) }
        }
        // Both ends may tell of the same pair.
        let insertion =
            "INSERT OR IGNORE INTO \(join.table) (\(join.sourceColumn), \(join.destinationColumn)) VALUES (?, ?)"
        for added in change.added {
            try run(insertion, [owner, added.handle])
            if join.isReflexive { try run(insertion, [added.handle, owner]) }
            if join.inverseOrderColumn != nil {
                addedToOrders.append(AddedPair(join: join, source: owner, destination: added.handle))
            }
        }
        if let orderColumn = join.orderColumn, let order = change.order {
            try setOrder(
                order, owner: owner, table: join.table, ownerColumn: join.sourceColumn,
                keyColumn: join.destinationColumn, orderColumn: orderColumn)
        }
    }

    private mutating func apply(_ change: ToManyRowChange, owner: Int64, key: SQLForeignKey) throws {
        if key.isOneWay {
            for removed in change.removed {
                let order = key.orderColumn.map { ", \($0) = NULL" } ?? ""
                try run(
                    "UPDATE \(key.table) SET \(key.column) = NULL\(order) WHERE Z_PK = ? AND \(key.column) = ?",
                    [removed.handle, owner])
            }
            for added in change.added {
                try run("UPDATE \(key.table) SET \(key.column) = ? WHERE Z_PK = ?", [owner, added.handle])
            }
        }
        if let orderColumn = key.orderColumn, let order = change.order {
            try setOrder(
                order, owner: owner, table: key.table, ownerColumn: key.column, keyColumn: SQLiteNaming.key,
                orderColumn: orderColumn)
        }
    }

    /// Gives a row an order number exactly where it has an owner, as in every fixture.
    ///
    /// What the owner didn't place comes last.
    mutating func assignOrderKey(_ row: RowChange, plan: SQLiteRowPlan, isNew: Bool) throws {
        for ordered in plan.orderedKeys where isNew || row.changedSlots.contains(ordered.slot) {
            let (table, key, order) = (plan.entity.table, ordered.column, ordered.orderColumn)
            try run(
                "UPDATE \(table) SET \(order) = NULL WHERE Z_PK = ? AND \(key) IS NULL AND \(order) IS NOT NULL",
                [row.key.handle])
            let last = "SELECT MAX(\(order)) FROM \(table) AS other WHERE other.\(key) = \(table).\(key)"
            try run(
                "UPDATE \(table) SET \(order) = IFNULL((\(last)), \(OrderKeys.first - OrderKeys.step)) "
                    + "+ \(OrderKeys.step) WHERE Z_PK = ? AND \(key) IS NOT NULL AND \(order) IS NULL",
                [row.key.handle])
        }
    }

    /// Places new pairs of joins of which the ordered side said nothing. To be called when all changes are applied.
    mutating func assignOrderKeysOfAddedPairs() throws {
        for pair in addedToOrders {
            guard let order = pair.join.inverseOrderColumn else { continue }
            let (table, source, destination) = (pair.join.table, pair.join.sourceColumn, pair.join.destinationColumn)
            try run(
                "UPDATE \(table) SET \(order) = IFNULL((SELECT MAX(\(order)) FROM \(table) WHERE \(destination) = ?2), "
                    + "\(OrderKeys.first - OrderKeys.step)) + \(OrderKeys.step) "
                    + "WHERE \(source) = ?1 AND \(destination) = ?2 AND \(order) IS NULL",
                [pair.source, pair.destination])
        }
        addedToOrders = []
    }

    /// Gives the rows of an owner numbers that rise along their order, changing as few as possible.
    private mutating func setOrder(
        _ order: [ObjectKey], owner: Int64, table: String, ownerColumn: String, keyColumn: String, orderColumn: String
    ) throws {
        let query = try prepared("SELECT \(keyColumn), \(orderColumn) FROM \(table) WHERE \(ownerColumn) = ?")
        query.bind(owner, 1)
        var present: [Int64: Int64] = [:]
        while try query.next() {
            if !query.isNull(1) { present[query.int(0)] = query.int(1) }
        }
        let existing = order.map { present[$0.handle] }
        let numbers = OrderKeys.assign(existing)
        let update = "UPDATE \(table) SET \(orderColumn) = ? WHERE \(keyColumn) = ? AND \(ownerColumn) = ?"
        for place in order.indices where existing[place] != numbers[place] {
            try run(update, [numbers[place], order[place].handle, owner])
        }
    }

    private mutating func run(_ sql: String, _ keys: [Int64]) throws {
        let statement = try prepared(sql)
        for (place, key) in keys.enumerated() { statement.bind(key, Int32(place + 1)) }
        try statement.run()
    }

    private mutating func prepared(_ sql: String) throws -> SQLiteStatement {
        if let statement = statements[sql] { return statement }
        let statement = try SQLiteStatement(database, sql)
        statements[sql] = statement
        return statement
    }
}
