@_spi(Engine) import CoreDataRows
import CoreDataSQL

/// The statements that list the objects of a to-many: key, entity number and owner of each.
struct DestinationQuery {
    let keyReader: KeyReader
    private let table: SQLFragment
    private let link: Link

    private enum Link {
        case foreignKey(SQLForeignKey)
        case join(SQLJoin)
    }

    /// - Throws: an error that names the relationship, where the store doesn't have it.
    init(_ relationship: PropertyLayout, schema: SQLiteSchema) throws {
        guard let destination = relationship.destination,
            let toMany = try schema.entity(relationship.owner).toMany(relationship)
        else { throw SQLQueryError.noColumn(relationship) }
        let name = try schema.entity(destination).table
        table = .name(name)
        keyReader = KeyReader(schema: schema, table: name, entity: destination)
        switch toMany {
        case .foreignKey(let key): link = .foreignKey(key)
        case .join(let join): link = .join(join)
        }
    }

    /// The objects of one owner.
    func statement(owner: ObjectKey) -> SQLStatement {
        statement(ownerIs: "= \(bind: .int(owner.handle))", groupsOwners: false)
    }

    /// The objects of many owners, an owner's together.
    func statement(owners: [Int64]) -> SQLStatement {
        statement(ownerIs: "IN (\(SQLValueList.select(owners)))", groupsOwners: true)
    }

    /// Whether several owners may have the same object.
    var mayRepeatObjects: Bool {
        if case .join = link { return true }
        return false
    }

    /// The rows of the objects of many owners, with the owner behind the columns of the selection. Only the objects of a
    /// relationship that is ordered come in an order.
    func statement(owners: [Int64], selecting selection: RowSelection) -> SQLStatement {
        let condition: SQLFragment = "IN (\(SQLValueList.select(owners)))"
        let columns = selection.list(alias: "t0")
        switch link {
        case .foreignKey(let key):
            let owner = SQLFragment.column(key.column, of: "t0")
            let order: SQLFragment = key.orderColumn.map { self.order(by: .column($0, of: "t0"), owner: nil) } ?? ""
            return SQLStatement("SELECT \(columns), \(owner) FROM \(table) t0 WHERE \(owner) \(condition)\(order)")
        case .join(let join):
            let order: SQLFragment = join.orderColumn == nil ? "" : self.order(by: "t1.place", owner: nil)
            return SQLStatement(
                """
                SELECT \(columns), t1.owner FROM (\(pairs(join, ownerIs: condition))) t1 \
                JOIN \(table) t0 ON t0.\(.key) = t1.destination\(order)
                """)
        }
    }

    private func statement(ownerIs condition: SQLFragment, groupsOwners: Bool) -> SQLStatement {
        switch link {
        case .foreignKey(let key):
            let owner = SQLFragment.column(key.column, of: "t0")
            let order = order(by: key.orderColumn.map { .column($0, of: "t0") }, owner: groupsOwners ? owner : nil)
            return SQLStatement(
                "SELECT t0.\(.key), t0.\(.entity), \(owner) FROM \(table) t0 WHERE \(owner) \(condition)\(order)")
        case .join(let join):
            let owner: SQLFragment = "t1.owner"
            let order = order(by: join.orderColumn == nil ? nil : "t1.place", owner: groupsOwners ? owner : nil)
            return SQLStatement(
                """
                SELECT t0.\(.key), t0.\(.entity), \(owner) FROM (\(pairs(join, ownerIs: condition))) t1 \
                JOIN \(table) t0 ON t0.\(.key) = t1.destination\(order)
                """)
        }
    }

    /// The pairs of keys of a join table, seen from one side, or from both where that is the same.
    private func pairs(_ join: SQLJoin, ownerIs condition: SQLFragment) -> SQLFragment {
        func side(_ owner: String, _ destination: String) -> SQLFragment {
            let place = join.orderColumn.map { ", \(.name($0)) AS place" as SQLFragment } ?? ""
            return """
                SELECT \(.name(owner)) AS owner, \(.name(destination)) AS destination\(place) \
                FROM \(.name(join.table)) WHERE \(.name(owner)) \(condition)
                """
        }
        let forward = side(join.sourceColumn, join.destinationColumn)
        guard join.isReflexive else { return forward }
        // Stores have some pairs in both directions and some in one (seen in three Photos stores).
        let backward = side(join.destinationColumn, join.sourceColumn)
        let place: SQLFragment = join.orderColumn == nil ? "" : ", MIN(place) AS place"
        return "SELECT owner, destination\(place) FROM (\(forward) UNION ALL \(backward)) GROUP BY owner, destination"
    }

    private func order(by place: SQLFragment?, owner: SQLFragment?) -> SQLFragment {
        let terms = [owner, place, "t0.\(.key)"].compactMap { $0 }
        return " ORDER BY \(terms.joined(separator: ", "))"
    }
}
