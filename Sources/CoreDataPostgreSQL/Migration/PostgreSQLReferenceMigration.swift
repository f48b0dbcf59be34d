@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// What key columns get from the relationships of a store.
struct PostgreSQLReferenceMigration {
    let map: PostgreSQLMigrationMap

    /// The columns of each to-one of an entity, with what they get.
    func toOneColumns(of entity: PostgreSQLEntity, from source: PostgreSQLEntity) -> [String: PostgreSQLColumnSource] {
        var columns: [String: PostgreSQLColumnSource] = [:]
        for toOne in map.toOnes(of: entity) {
            var reference = Reference(
                map: map, relationship: toOne.relationship, destination: toOne.destination, in: source)
            if toOne.isFirstOwnerOnly { reference.keepOnlyFirstOwner() }
            columns[toOne.column] = reference.key
            if let name = entity.entityColumn(ofToOne: toOne.property) { columns[name] = reference.entityNumber }
            if let order = map.new.orderColumn(beside: toOne.property, of: entity) { columns[order] = reference.order }
        }
        return columns
    }

    /// The columns of one-way to-many relationships that lie in the rows of their destination, with what they get.
    func oneWayColumns(of entity: PostgreSQLEntity, from source: PostgreSQLEntity) -> [String: PostgreSQLColumnSource] {
        var columns: [String: PostgreSQLColumnSource] = [:]
        for (key, owner, relationship) in map.oneWayColumns(of: entity) {
            let reference = Reference(map: map, relationship: relationship, destination: owner.layout, in: source)
            columns[key.column] = reference.key
            if let order = key.orderColumn { columns[order] = reference.order }
        }
        return columns
    }
}

/// One reference of a row: the key, the concrete entity, and the place in an order.
private struct Reference {
    let map: PostgreSQLMigrationMap
    let relationship: PostgreSQLMigrationMap.Relationship
    let source: PostgreSQLEntity
    /// Which entities of the store a destination may be of.
    private let kept: [PostgreSQLEntity]
    private let isComplete: Bool
    private var isFirstOwnerOnly = false

    init(
        map: PostgreSQLMigrationMap, relationship: PostgreSQLMigrationMap.Relationship, destination: EntityLayout,
        in source: PostgreSQLEntity
    ) {
        self.map = map
        self.relationship = relationship
        self.source = source
        let surviving = map.surviving(relationship.destinations, as: destination)
        (kept, isComplete) = (surviving.pairs.map(\.old), surviving.isComplete)
    }

    /// A destination that several rows refer to stays with the first of them only.
    mutating func keepOnlyFirstOwner() { isFirstOwnerOnly = true }

    private var links: SQLLinks { relationship.links }
    private var isOwn: Bool { links.areOwnRows(of: source.table) }
    private func table(_ name: String) -> SQLFragment { map.old.dialect.table(name) }
    private var destinationTable: SQLFragment? { relationship.destinations.first.map { table($0.table) } }
    private var keptNumbers: SQLFragment { .numbers(kept.map { Int64($0.number) }) }

    var key: PostgreSQLColumnSource {
        guard !kept.isEmpty, let destinationTable else { return .null }
        let column = SQLFragment.quoted(links.destination)
        guard isOwn else {
            var condition: SQLFragment = "l.\(.quoted(links.source)) = o.\"_id\""
            if !isComplete {
                condition +=
                    links.areDestinationRows
                    ? " AND l.\"_entity\" IN (\(keptNumbers))"
                    : " AND l.\(column) IN (SELECT d.\"_id\" FROM \(destinationTable) d WHERE d.\"_entity\" IN (\(keptNumbers)))"
            }
            return PostgreSQLColumnSource("(SELECT MIN(l.\(column)) FROM \(table(links.table)) l WHERE \(condition))")
        }
        if isFirstOwnerOnly {
            let first: SQLFragment =
                "(SELECT MIN(l.\"_id\") FROM \(table(links.table)) l WHERE l.\(column) = o.\(column))"
            return PostgreSQLColumnSource("CASE WHEN \(first) = o.\"_id\" THEN o.\(column) END")
        }
        if isComplete { return PostgreSQLColumnSource(copying: links.destination) }
        let number: SQLFragment = "(SELECT d.\"_entity\" FROM \(destinationTable) d WHERE d.\"_id\" = o.\(column))"
        return PostgreSQLColumnSource("CASE WHEN \(number) IN (\(keptNumbers)) THEN o.\(column) END")
    }

    /// Entities keep their numbers.
    var entityNumber: PostgreSQLColumnSource {
        guard let first = kept.first, let destinationTable else { return .null }
        if isOwn, isComplete, !isFirstOwnerOnly, let column = relationship.entityColumn {
            return PostgreSQLColumnSource(copying: column)
        }
        let key = key
        if relationship.destinations.count == 1 {
            return PostgreSQLColumnSource(
                "CASE WHEN \(key.sql) IS NOT NULL THEN CAST(\(.number(first.number)) AS smallint) END")
        }
        return PostgreSQLColumnSource("(SELECT d.\"_entity\" FROM \(destinationTable) d WHERE d.\"_id\" = \(key.sql))")
    }

    /// What has none is given a place when all keys are there.
    var order: PostgreSQLColumnSource {
        isOwn ? links.inverseOrder.map { PostgreSQLColumnSource(copying: $0) } ?? .null : .null
    }
}
