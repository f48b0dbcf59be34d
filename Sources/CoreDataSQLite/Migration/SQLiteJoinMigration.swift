@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// How the pairs of one join table of the new schema come to be.
struct SQLiteJoinMigration {
    let table: SQLiteJoinTable
    /// The table of the file that has just these columns, in this order, and all of whose rows are taken over.
    private(set) var kept: String?
    private let statements: [Statement]

    private struct Statement {
        var links: SQLLinks
        var conditions: [SQLFragment]
        /// Whether each pair is written in both directions.
        var isDoubled: Bool
    }

    private let isForwardOrdered: Bool
    private let isBackwardOrdered: Bool

    init(_ table: SQLiteJoinTable, map: SQLiteMigrationMap) {
        self.table = table
        guard let (owner, property, join) = Self.namingSide(of: table, in: map.new) else {
            statements = []
            isForwardOrdered = false
            isBackwardOrdered = false
            return
        }
        isForwardOrdered = join.orderColumn != nil
        isBackwardOrdered = join.inverseOrderColumn != nil
        let found = map.relationships(property, ofAllKindsOf: owner)
        statements = found.flatMap { relationship, owners -> [Statement] in
            var conditions: [SQLFragment] = []
            let all = relationship.owners
            let survivors = all.filter { entity in owners.contains { $0 === entity } }
            if survivors.count < all.count, let table = all.first?.table {
                conditions.append(
                    Self.isKept(relationship.links.source, of: table, survivors.map(\.number)))
            }
            if let destination = property.destination {
                let (pairs, isComplete) = map.surviving(relationship.destinations, as: destination)
                if !isComplete, let table = relationship.destinations.first?.table {
                    conditions.append(
                        Self.isKept(relationship.links.destination, of: table, pairs.map(\.old.number)))
                }
            }
            let plain = Statement(
                links: relationship.links, conditions: conditions,
                isDoubled: join.isReflexive && !relationship.links.isReflexive)
            guard relationship.links.isReflexive, !join.isReflexive else { return [plain] }
            // Either direction of a pair may be the only one that the file has.
            return [plain, Statement(links: relationship.links.reversed, conditions: conditions, isDoubled: false)]
        }
        if statements.count == 1, let only = statements.first, only.conditions.isEmpty, !only.isDoubled,
            only.links.haveOwnTable,
            (only.links.order != nil) == isForwardOrdered, (only.links.inverseOrder != nil) == isBackwardOrdered
        {
            kept = only.links.table
        }
    }

    /// Whether a key is that of a row of one of these entities.
    private static func isKept(_ key: String, of table: String, _ numbers: [Int64]) -> SQLFragment {
        "l.\(.name(key)) IN (SELECT \(.key) FROM \(.name(table)) WHERE \(.entity) IN (\(.numbers(numbers))))"
    }

    /// The relationship in whose direction the columns stand.
    private static func namingSide(of table: SQLiteJoinTable, in schema: SQLiteSchema)
        -> (owner: SQLiteEntity, property: PropertyLayout, join: SQLJoin)?
    {
        guard let owner = schema.entities[table.namingEntityIndex] else { return nil }
        for property in owner.layout.ownProperties {
            if case .join(let join)? = owner.toMany(property), join.table == table.name,
                join.sourceColumn == table.first
            {
                return (owner, property, join)
            }
        }
        return nil
    }

    /// Whether the rows may stay in a table of the file with these columns.
    func canKeepRows(of physical: [SQLiteColumn]) -> Bool {
        guard kept != nil, let links = statements.first?.links else { return false }
        let wanted = [links.source, links.destination] + [links.inverseOrder, links.order].compactMap { $0 }
        return physical.map(\.name) == wanted && physical.allSatisfy { $0.declaredType == .integer }
    }

    /// Copies the pairs of the file.
    func copyStatements(into name: String) -> [SQLFragment] {
        statements.flatMap { statement -> [SQLFragment] in
            let forward = copy(statement.links, where: statement.conditions, into: name)
            guard statement.isDoubled else { return [forward] }
            return [forward, copy(statement.links, where: statement.conditions, into: name, isSwapped: true)]
        }
    }

    private func copy(
        _ links: SQLLinks, where conditions: [SQLFragment], into name: String, isSwapped: Bool = false
    ) -> SQLFragment {
        let source: SQLFragment = "l.\(.name(links.source))"
        let destination: SQLFragment = "l.\(.name(links.destination))"
        var values = isSwapped ? [destination, source] : [source, destination]
        // The order of the owners of a destination comes first, as its column stands beside the owners' keys.
        if isBackwardOrdered {
            values.append(
                links.inverseOrder.map { "l.\(.name($0))" }
                    ?? OrderKeys.expression(of: destination, by: source))
        }
        if isForwardOrdered {
            values.append(
                links.order.map { "l.\(.name($0))" } ?? OrderKeys.expression(of: source, by: destination))
        }
        let names = ([table.first, table.second] + table.orderColumns).map(SQLFragment.name)
        let all: [SQLFragment] = ["\(source) IS NOT NULL", "\(destination) IS NOT NULL"] + conditions
        return """
            INSERT OR IGNORE INTO \(.name(name)) (\(names.joined(separator: ", "))) \
            SELECT \(values.joined(separator: ", ")) FROM \(.name(links.table)) AS l \
            WHERE \(all.joined(separator: " AND "))
            """
    }
}
