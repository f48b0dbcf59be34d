@_spi(Engine) import CoreDataRows
import CoreDataSQL
import ManagedObjectModel

/// How the rows of one table of the new model come to be: they stay where they are as far as they can, and columns are renamed,
/// added, computed and removed.
struct PostgreSQLTableMigration {
    /// A column of the new table, with what it gets.
    struct Column {
        let name: String
        let type: PostgreSQLType
        let source: PostgreSQLColumnSource
        /// The old column that becomes this one; nil for one that is added.
        var former: String?
    }

    let table: PostgreSQLTable
    /// The store's table with the rows; nil where there are none to take over.
    let former: String?
    /// The numbers of the entities whose rows are taken over; nil for all.
    let numbers: [Int16]?
    private(set) var columns: [Column]

    init(_ table: PostgreSQLTable, map: PostgreSQLMigrationMap) throws {
        self.table = table
        let pairs = map.new.members(ofRootAt: table.rootIndex).compactMap { entity in
            map.source(of: entity).map { (new: entity, old: $0) }
        }
        guard let first = pairs.first else {
            (former, numbers, columns) = (nil, nil, [])
            return
        }
        former = first.old.table
        let references = PostgreSQLReferenceMigration(map: map)
        var parts: [(number: Int16, columns: Set<String>, sources: [String: PostgreSQLColumnSource])] = []
        for (new, old) in pairs {
            guard old.table == first.old.table else {
                throw MigrationError.make(
                    "\(new.layout.name) and \(first.new.layout.name) would lie in one table now, and come from two: entities "
                        + "without a common ancestor can't get one.")
            }
            var sources = try Self.attributeColumns(of: new, from: old, map)
            sources.merge(references.toOneColumns(of: new, from: old)) { $1 }
            sources.merge(references.oneWayColumns(of: new, from: old)) { $1 }
            parts.append((old.number, map.usedColumns(of: old), sources))
        }
        let wanted =
            table.columns.flatMap { column in
                [(column.name, column.type)] + (column.entityColumn.map { [($0, PostgreSQLType.int2)] } ?? [])
            } + table.linkColumns.map { ($0.name, PostgreSQLType.int8) }
        let types = Self.types(of: first.old.table, in: map.old)
        var taken: Set<String> = []
        columns = wanted.map { name, type in
            let source = PostgreSQLColumnSource.combine(
                parts.map {
                    PostgreSQLColumnSource.Part(
                        number: $0.number, columns: $0.columns, source: $0.sources[name] ?? .null)
                })
            var column = Column(name: name, type: type, source: source)
            if let copied = source.copied, types[copied] == type, taken.insert(copied).inserted {
                column.former = copied
            }
            return column
        }
        let present = map.concrete(map.old.model.entities[first.old.layout.rootIndex]).map(\.number)
        let kept = Set(pairs.map(\.old.number))
        numbers = present.allSatisfy(kept.contains) ? nil : kept.sorted()
    }

    private static func types(of table: String, in schema: PostgreSQLSchema) -> [String: PostgreSQLType] {
        var types: [String: PostgreSQLType] = [:]
        for known in schema.tables where known.name == table {
            for column in known.columns {
                types[column.name] = column.type
                if let entity = column.entityColumn { types[entity] = .int2 }
            }
            for link in known.linkColumns { types[link.name] = .int8 }
        }
        return types
    }

    /// What the attributes of an entity get from the rows of the store.
    private static func attributeColumns(
        of entity: PostgreSQLEntity, from source: PostgreSQLEntity, _ map: PostgreSQLMigrationMap
    ) throws -> [String: PostgreSQLColumnSource] {
        var columns: [String: PostgreSQLColumnSource] = [:]
        func add(_ property: PropertyLayout, was former: PropertyLayout?) throws {
            for element in property.elements {
                try add(element, was: former?.element(thatBecomes: element, of: property))
            }
            guard let column = entity.columns[property.rowSlot] else { return }
            let initial = try PostgreSQLColumnSource.initial(of: property)
            guard let former, former.isPersistent, former.holdsValues(of: property),
                let present = source.columns[former.rowSlot]
            else {
                columns[column.name] = initial
                return
            }
            columns[column.name] = PostgreSQLColumnSource.value(of: present, as: property, initial: initial)
        }
        for property in entity.layout.properties where !property.kind.isRelationship && property.isPersistent {
            try add(property, was: map.source(of: property, in: entity))
        }
        return columns
    }

    /// The new columns that old ones don't become.
    var added: [Column] { columns.filter { $0.former == nil } }

    /// Whether rows are changed or go, so that foreign keys can't stay.
    var changesRows: Bool { numbers != nil || added.contains { !$0.source.isNull } }
}

extension PropertyLayout {
    /// Whether values are those of another property, or become them by a cast.
    fileprivate func holdsValues(of other: PropertyLayout) -> Bool {
        if kind == other.kind { return true }
        guard let own = attribute?.attributeType, let next = other.attribute?.attributeType else { return false }
        return own.widens(to: next)
    }
}

/// How the pairs of one join table of the new model come to be.
struct PostgreSQLJoinMigration {
    let join: SQLJoin
    /// The store's table that has just these pairs, and becomes this one.
    private(set) var former: SQLLinks?
    private let statements: [(links: SQLLinks, conditions: [SQLFragment], isDoubled: Bool)]
    private let dialect: SQLDialect

    init(_ join: SQLJoin, map: PostgreSQLMigrationMap) {
        self.join = join
        dialect = map.new.dialect
        guard let (owner, property) = Self.namingSide(of: join, in: map.new) else {
            statements = []
            return
        }
        let dialect = map.old.dialect
        let found = map.relationships(property, ofAllKindsOf: owner)
        statements = found.map { relationship, owners in
            func areKept(_ key: String, _ all: [PostgreSQLEntity], _ numbers: [Int16]) -> SQLFragment? {
                guard numbers.count < all.count, let table = all.first?.table else { return nil }
                return """
                    l.\(.quoted(key)) IN (SELECT k."_id" FROM \(dialect.table(table)) k \
                    WHERE k."_entity" IN (\(.numbers(numbers.map(Int64.init)))))
                    """
            }
            let survivors = relationship.owners.filter { entity in owners.contains { $0 === entity } }
            var conditions = [areKept(relationship.links.source, relationship.owners, survivors.map(\.number))]
            if let destination = property.destination {
                let kept = map.surviving(relationship.destinations, as: destination).pairs
                conditions.append(
                    areKept(relationship.links.destination, relationship.destinations, kept.map(\.old.number)))
            }
            return (
                relationship.links, conditions.compactMap { $0 }, join.isReflexive && !relationship.links.isReflexive
            )
        }
        // In the same direction, as keys and indexes are by the first column.
        if statements.count == 1, let only = statements.first, only.conditions.isEmpty, !only.isDoubled,
            map.old.joins.contains(where: { $0.table == only.links.table && $0.sourceColumn == only.links.source }),
            only.links.isReflexive == join.isReflexive
        {
            former = only.links
        }
    }

    /// The relationship in whose direction the columns stand.
    private static func namingSide(of join: SQLJoin, in schema: PostgreSQLSchema) -> (PostgreSQLEntity, PropertyLayout)?
    {
        for case let entity? in schema.entities {
            for property in entity.layout.ownProperties {
                if case .join(let own)? = entity.toManys[property.index], own.table == join.table,
                    own.sourceColumn == join.sourceColumn
                {
                    return (entity, property)
                }
            }
        }
        return nil
    }

    /// Copies pairs into a table with the new columns. What has no place in an order is given one later.
    func copyStatements(into table: SQLFragment) -> [SQLFragment] {
        statements.flatMap { links, conditions, isDoubled in
            isDoubled
                ? [copy(links, conditions, into: table), copy(links.reversed, conditions, into: table)]
                : [copy(links, conditions, into: table)]
        }
    }

    private func copy(_ links: SQLLinks, _ conditions: [SQLFragment], into table: SQLFragment) -> SQLFragment {
        var columns: [(String, SQLFragment)] = [
            (join.sourceColumn, "l.\(.quoted(links.source))"),
            (join.destinationColumn, "l.\(.quoted(links.destination))"),
        ]
        if let own = join.orderColumn, let order = links.order { columns.append((own, "l.\(.quoted(order))")) }
        if !join.isReflexive, let own = join.inverseOrderColumn, let order = links.inverseOrder {
            columns.append((own, "l.\(.quoted(order))"))
        }
        let names = columns.map { SQLFragment.quoted($0.0) }.joined(separator: ", ")
        let all = columns.prefix(2).map { "\($0.1) IS NOT NULL" as SQLFragment } + conditions
        return """
            INSERT INTO \(table) (\(names)) SELECT \(columns.map(\.1).joined(separator: ", ")) \
            FROM \(dialect.table(links.table)) l WHERE \(all.joined(separator: " AND ")) ON CONFLICT DO NOTHING
            """
    }
}
