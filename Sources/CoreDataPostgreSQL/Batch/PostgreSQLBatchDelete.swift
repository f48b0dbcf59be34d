@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// Deletes the results of a fetch and what delete rules take along, a set of keys at a time.
struct PostgreSQLBatchDelete {
    private let batch: PostgreSQLBatch
    /// The keys that go.
    private var doomed: Set<Int64> = []
    /// The rows that stay and led to those, for history.
    private var cut: [RowChange] = []

    init(_ batch: PostgreSQLBatch) { self.batch = batch }

    private var schema: PostgreSQLSchema { batch.schema }
    private var connection: PostgreSQLConnection { batch.connection }

    /// - Throws: an error that names the relationship whose delete rule forbids the deletion.
    mutating func run(_ fetch: StoreFetch) throws -> BatchOutcome {
        let keys = try batch.lockedKeys(fetch)
        let groups = Dictionary(grouping: try withCascades(keys), by: \.entityIndex).sorted { $0.key < $1.key }
            .map { (layout: schema.model.entities[Int($0.key)], keys: $0.value) }
        for group in groups { try checkDenials(group.layout, group.keys) }
        try batch.derived?.look(at: groups.flatMap(\.keys))
        for group in groups { try cutRelationships(group.layout, group.keys) }
        try batch.rows.deleteRows(groups.flatMap { $0.keys.map { RowChange(key: $0) } })
        for row in cut { try batch.history?.recordUpdate(row) }
        try batch.derived?.wrote(cut.map(\.key))
        return batch.outcome(keys)
    }

    // MARK: What goes along

    private mutating func withCascades(_ keys: [ObjectKey]) throws -> [ObjectKey] {
        var all: [ObjectKey] = []
        var frontier = keys
        while !frontier.isEmpty {
            let new = frontier.filter { doomed.insert($0.handle).inserted }
            all += new
            frontier = []
            for (index, group) in Dictionary(grouping: new, by: \.entityIndex).sorted(by: { $0.key < $1.key }) {
                for property in schema.model.entities[Int(index)].relationships
                where property.deleteRule == .cascadeDeleteRule && property.isPersistent {
                    frontier += try destinations(of: property, group)
                }
            }
        }
        return all
    }

    private func destinations(of property: PropertyLayout, _ owners: [ObjectKey]) throws -> [ObjectKey] {
        if property.kind == .toMany {
            return try batch.queries.loadDestinations(of: property, from: owners, in: connection)
                .sorted { $0.key < $1.key }.flatMap(\.value)
        }
        guard let destination = property.destination,
            let column = try schema.entity(property.owner).columns[property.rowSlot]
        else { return [] }
        let (source, table) = (try schema.entity(property.owner).table, try schema.entity(destination).table)
        var parameters = PostgreSQLParameters()
        parameters.append(owners.map(\.handle))
        let result = try connection.execute(
            """
            SELECT DISTINCT d."_id", d."_entity" FROM \(schema.qualified(source)) s JOIN \(schema.qualified(table)) d \
            ON d."_id" = s.\(.quoted(column.name)) WHERE s."_id" = ANY($1)
            """, parameters)
        return try (0..<result.count).map { try batch.queries.key(result, $0, at: 0) }
    }

    private func checkDenials(_ layout: EntityLayout, _ keys: [ObjectKey]) throws {
        for property in layout.relationships where property.deleteRule == .denyDeleteRule && property.isPersistent {
            guard let left = try destinations(of: property, keys).first(where: { !doomed.contains($0.handle) }) else {
                continue
            }
            throw CoreDataError.make(
                NSValidationRelationshipDeniedDeleteError,
                "A batch delete of \(layout.name) is denied: its relationship '\(property.name)' has the delete rule deny and leads "
                    + "to \(schema.model.entities[Int(left.entityIndex)].name) p\(left.handle), which stays.")
        }
    }

    /// Empties the to-ones of the rows that stay and lead to those that go. Pairs and one-way keys go with the rows.
    private mutating func cutRelationships(_ layout: EntityLayout, _ keys: [ObjectKey]) throws {
        for property in layout.relationships where property.isPersistent && property.deleteRule != .noActionDeleteRule {
            guard let inverse = property.inverse, inverse.kind == .toOne, let destination = property.destination,
                let column = try schema.entity(destination).columns[inverse.rowSlot]
            else { continue }
            var parameters = PostgreSQLParameters()
            parameters.append(keys.map(\.handle))
            parameters.append(Array(doomed))
            let table = schema.qualified(try schema.entity(destination).table)
            let condition: SQLFragment = "\(.quoted(column.name)) = ANY($1) AND \"_id\" <> ALL($2)"
            guard inverse.isOptional else {
                let left = try connection.execute("SELECT 1 FROM \(table) WHERE \(condition) LIMIT 1", parameters)
                if left.count == 0 { continue }
                throw CoreDataError.make(
                    NSManagedObjectConstraintValidationError,
                    "A batch delete of \(layout.name) would leave \(destination.name) without its required \(inverse.name)."
                )
            }
            var names = [column.name, column.entityColumn].compactMap { $0 }
            if inverse.inverse?.isOrdered ?? false,
                case .foreignKey(let key)? = try schema.entity(layout).toManys[property.index],
                let order = key.orderColumn
            {
                names.append(order)
            }
            let list = names.map { "\(.quoted($0)) = NULL" as SQLFragment }.joined(separator: ", ")
            let returning: SQLFragment =
                batch.history == nil && batch.derived == nil ? "" : " RETURNING \"_id\", \"_entity\""
            let result = try connection.execute(
                "UPDATE \(table) SET \(list), \"_version\" = \"_version\" + 1 WHERE \(condition)\(returning)",
                parameters)
            for row in 0..<result.count {
                var change = RowChange(key: try batch.queries.key(result, row, at: 0))
                change.changedSlots = [inverse.rowSlot]
                cut.append(change)
            }
        }
    }
}
