@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// What key columns get from the relationships in a file.
struct SQLiteReferenceMigration {
    let map: SQLiteMigrationMap

    /// The columns of each to-one of an entity, with what they get.
    func toOneColumns(of entity: SQLiteEntity, from source: SQLiteEntity) -> [String: SQLiteColumnSource] {
        var columns: [String: SQLiteColumnSource] = [:]
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
    func oneWayColumns(of entity: SQLiteEntity, from source: SQLiteEntity) -> [String: SQLiteColumnSource] {
        var columns: [String: SQLiteColumnSource] = [:]
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
    let map: SQLiteMigrationMap
    let relationship: SQLiteMigrationMap.Relationship
    let source: SQLiteEntity
    /// Which entities of the file a destination may be of, and what they become.
    private let kept: [(old: SQLiteEntity, new: SQLiteEntity)]
    private let isComplete: Bool
    private var isFirstOwnerOnly = false

    init(
        map: SQLiteMigrationMap, relationship: SQLiteMigrationMap.Relationship, destination: EntityLayout,
        in source: SQLiteEntity
    ) {
        self.map = map
        self.relationship = relationship
        self.source = source
        (kept, isComplete) = map.surviving(relationship.destinations, as: destination)
    }

    /// A destination that several rows refer to stays with the first of them only.
    mutating func keepOnlyFirstOwner() { isFirstOwnerOnly = true }

    private var links: SQLLinks { relationship.links }
    private var isOwn: Bool { links.areOwnRows(of: source.table) }
    private var table: SQLFragment? { relationship.destinations.first.map { .name($0.table) } }
    private var isAlone: Bool { relationship.destinations.first.map(map.isAlone) ?? false }
    private var keptNumbers: SQLFragment { .numbers(kept.map(\.old.number)) }

    var key: SQLiteColumnSource {
        guard !kept.isEmpty, let table else { return .null }
        let column = SQLFragment.name(links.destination)
        guard isOwn else {
            var condition: SQLFragment = "l.\(.name(links.source)) = o.\(.key)"
            if !isComplete, !isAlone {
                condition +=
                    links.areDestinationRows
                    ? " AND l.\(.entity) IN (\(keptNumbers))"
                    : " AND l.\(column) IN (SELECT \(.key) FROM \(table) WHERE \(.entity) IN (\(keptNumbers)))"
            }
            return SQLiteColumnSource(
                "(SELECT MIN(l.\(column)) FROM \(.name(links.table)) AS l WHERE \(condition))", .otherRows)
        }
        if isFirstOwnerOnly {
            let first: SQLFragment =
                "(SELECT MIN(l.\(.key)) FROM \(.name(links.table)) AS l WHERE l.\(column) = o.\(column))"
            return SQLiteColumnSource("CASE WHEN \(first) = o.\(.key) THEN o.\(column) END", .otherRows)
        }
        if isComplete || isAlone { return SQLiteColumnSource(copying: links.destination) }
        if let entityColumn = relationship.entityColumn.map(SQLFragment.name) {
            // Where the file doesn't say which entity it is, the key is kept rather than lost.
            let isKept: SQLFragment = "o.\(entityColumn) IS NULL OR o.\(entityColumn) IN (\(keptNumbers))"
            return SQLiteColumnSource("CASE WHEN \(isKept) THEN o.\(column) END", .row)
        }
        let number: SQLFragment = "(SELECT d.\(.entity) FROM \(table) AS d WHERE d.\(.key) = o.\(column))"
        return SQLiteColumnSource("CASE WHEN \(number) IN (\(keptNumbers)) THEN o.\(column) END", .otherRows)
    }

    var entityNumber: SQLiteColumnSource {
        guard let first = kept.first, let table else { return .null }
        let key = key
        if isAlone || relationship.destinations.count == 1 {
            return SQLiteColumnSource(
                "CASE WHEN \(key.sql) IS NOT NULL THEN \(.number(first.new.number)) END", key.reach)
        }
        if isOwn, let column = relationship.entityColumn {
            if kept.allSatisfy({ $0.old.number == $0.new.number }), isComplete {
                return SQLiteColumnSource(copying: column)
            }
            return SQLiteColumnSource("CASE o.\(.name(column)) \(renumbering) END", .row)
        }
        return SQLiteColumnSource(
            "(SELECT CASE d.\(.entity) \(renumbering) END FROM \(table) AS d WHERE d.\(.key) = \(key.sql))", .otherRows)
    }

    private var renumbering: SQLFragment {
        kept.map { "WHEN \(.number($0.old.number)) THEN \(.number($0.new.number))" as SQLFragment }.joined(
            separator: " ")
    }

    var order: SQLiteColumnSource {
        if isOwn, let column = links.inverseOrder { return SQLiteColumnSource(copying: column) }
        let key = key
        return SQLiteColumnSource(OrderKeys.expression(of: key.sql, by: "o.\(.key)"), .otherRows)
    }
}

extension OrderKeys {
    /// New numbers for what has the same owner, in the order of an expression; none where there is no owner.
    package static func expression(of owner: SQLFragment, by order: SQLFragment) -> SQLFragment {
        let place: SQLFragment = "ROW_NUMBER() OVER (PARTITION BY \(owner) ORDER BY \(order))"
        return "CASE WHEN \(owner) IS NOT NULL THEN \(.number(first - step)) + \(.number(step)) * \(place) END"
    }
}
