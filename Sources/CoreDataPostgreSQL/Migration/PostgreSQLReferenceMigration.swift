@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// What key columns get from the relationships of a store.
struct PostgreSQLReferenceMigration {
    let map: PostgreSQLMigrationMap

    /// The columns of each to-one of an entity, with what they get.
    func toOneColumns(of entity: PostgreSQLEntity, from source: PostgreSQLEntity) -> [String: PostgreSQLColumnSource] {
        var columns: [String: PostgreSQLColumnSource] = [:]
        for property in entity.layout.properties where property.kind == .toOne {
            guard let column = entity.columns[property.rowSlot], let destination = property.destination,
                let found = map.relationship(property, of: entity)
            else { continue }
            var reference = Reference(map: map, relationship: found, destination: destination, in: source)
            if property.inverse?.kind == .toOne, !hasFormerKey(property.inverse, of: destination) {
                reference.keepOnlyFirstOwner()
            }
            columns[column.name] = reference.key
            if let name = column.entityColumn { columns[name] = reference.entityNumber }
            if let order = PostgreSQLLinks.orderColumn(beside: property, in: map.new) {
                columns[order] = reference.order
            }
        }
        return columns
    }

    /// Whether the store has a key column of its own for a to-one of the new model.
    private func hasFormerKey(_ property: PropertyLayout?, of layout: EntityLayout) -> Bool {
        guard let property, let entity = map.new.entities[layout.index], let source = map.source(of: entity),
            let former = map.source(of: property, in: entity)
        else { return false }
        return former.kind == .toOne && source.columns[former.rowSlot] != nil
    }

    /// The columns of one-way to-many relationships that lie in the rows of their destination, with what they get.
    func oneWayColumns(of entity: PostgreSQLEntity, from source: PostgreSQLEntity) -> [String: PostgreSQLColumnSource] {
        var columns: [String: PostgreSQLColumnSource] = [:]
        for case let owner? in map.new.entities {
            for property in owner.layout.ownProperties {
                guard case .foreignKey(let key)? = owner.toManys[property.index], key.isOneWay,
                    let destination = property.destination, entity.layout.isKind(of: destination),
                    var found = formerRelationship(property, of: owner)
                else { continue }
                found.links = found.links.reversed
                found.entityColumn = nil
                swap(&found.owners, &found.destinations)
                let reference = Reference(map: map, relationship: found, destination: owner.layout, in: source)
                columns[key.column] = reference.key
                if let order = key.orderColumn { columns[order] = reference.order }
            }
        }
        return columns
    }

    /// The relationship as the entity or, where that is new, one below it had it.
    private func formerRelationship(_ property: PropertyLayout, of owner: PostgreSQLEntity)
        -> PostgreSQLMigrationMap.Relationship?
    {
        let layouts = map.new.model.entities[owner.layout.index...owner.layout.lastDescendantIndex]
        return layouts.lazy.compactMap { layout in
            map.new.entities[layout.index].flatMap { map.relationship(property, of: $0) }
        }.first
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
        (kept, isComplete) = map.surviving(relationship.destinations, as: destination)
    }

    /// A destination that several rows refer to stays with the first of them only.
    mutating func keepOnlyFirstOwner() { isFirstOwnerOnly = true }

    private var links: PostgreSQLLinks { relationship.links }
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
