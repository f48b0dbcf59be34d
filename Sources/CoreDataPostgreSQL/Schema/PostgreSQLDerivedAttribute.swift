@_spi(Engine) import CoreDataRows
import CoreDataSQL
import FoundationCompat
import ManagedObjectModel

/// How one derived attribute is computed, and on which rows it depends.
struct PostgreSQLDerivedAttribute: Sendable {
    enum Source: Sendable {
        /// The value of ``expression``.
        case expression
        /// A text that is made of this value by our own code.
        case text(BuiltInFunction)
        /// When the row was written.
        case now
    }

    /// What else than its own row the value depends on: rows of a table, and the rows that have the value.
    struct Dependency: Sendable {
        let table: String
        /// The keys of the rows that are affected by those in the first parameter.
        let owners: SQLFragment
    }

    let column: PostgreSQLColumn
    /// The entity that declares the attribute, and all below it.
    let entities: ClosedRange<Int>
    /// The table, as it stands in a statement.
    let table: SQLFragment
    /// The numbers of the entities, as a list.
    let numbers: SQLFragment
    let source: Source
    /// The value, over the row under the alias o.
    let expression: SQLFragment
    let dependencies: [Dependency]
    /// Whether the value may depend on one that is derived itself.
    let followsDerived: Bool

    /// Nil where the property isn't derived, or by an expression of another kind.
    init?(
        _ property: PropertyLayout, of entity: PostgreSQLEntity, _ entities: [PostgreSQLEntity?], _ dialect: SQLDialect
    ) {
        guard let column = entity.columns[property.rowSlot], column.isDerived,
            let derivation = SQLDerivation(property, of: entity.layout)
        else { return nil }
        self.column = column
        self.entities = entity.layout.index...entity.layout.lastDescendantIndex
        table = dialect.table(entity.table)
        numbers = .numbers(entities[self.entities].compactMap { $0.map { Int64($0.number) } })
        var found: (expression: SQLFragment, dependencies: [Dependency])?
        var attribute: PropertyLayout?
        switch derivation {
        case .now: (source, found) = (.now, ("NULL", []))
        case .count(let relationship):
            source = .expression
            found = Self.aggregate(entity.toManys[relationship.index], relationship, nil, entities, dialect)
        case .sum(let relationship, let summed):
            (source, attribute) = (.expression, summed)
            found = Self.aggregate(entity.toManys[relationship.index], relationship, summed, entities, dialect)
        case .path(let path):
            (source, attribute) = (.expression, path.attribute)
            found = Self.path(path, from: entity, entities, dialect)
        case .text(let function, let path):
            (source, attribute) = (.text(function), path.attribute)
            found = Self.path(path, from: entity, entities, dialect)
        }
        guard let found else { return nil }
        (expression, dependencies) = found
        followsDerived = attribute?.attribute is NSDerivedAttributeDescription
    }

    // MARK: Counts and sums

    private static func aggregate(
        _ toMany: SQLToMany?, _ relationship: PropertyLayout, _ summed: PropertyLayout?,
        _ entities: [PostgreSQLEntity?],
        _ dialect: SQLDialect
    ) -> (SQLFragment, [Dependency])? {
        guard let destination = relationship.destination.flatMap({ entities[$0.index] }) else { return nil }
        var value: SQLFragment = "COUNT(*)"
        if let summed {
            guard let column = destination.columns[summed.rowSlot] else { return nil }
            value = "COALESCE(SUM(\(dialect.value(dialect.column(column.name, of: "d"), of: summed.kind))), 0)"
        }
        let table = dialect.table(destination.table)
        switch toMany {
        case .foreignKey(let key)?:
            let owner = dialect.column(key.column, of: "d")
            return (
                "(SELECT \(value) FROM \(table) d WHERE \(owner) = o.\"_id\")",
                [
                    Dependency(
                        table: destination.table,
                        owners: "SELECT \(owner) FROM \(table) d WHERE d.\"_id\" = ANY($1) AND \(owner) IS NOT NULL")
                ]
            )
        case .join(let join)?:
            let (pairs, owner) = (dialect.table(join.table), dialect.column(join.sourceColumn, of: "j"))
            let member = dialect.column(join.destinationColumn, of: "j")
            return (
                "(SELECT \(value) FROM \(pairs) j JOIN \(table) d ON d.\"_id\" = \(member) WHERE \(owner) = o.\"_id\")",
                [
                    Dependency(
                        table: destination.table, owners: "SELECT \(owner) FROM \(pairs) j WHERE \(member) = ANY($1)")
                ]
            )
        case nil: return nil
        }
    }

    // MARK: Paths

    private static func path(
        _ path: SQLDerivation.Path, from entity: PostgreSQLEntity, _ entities: [PostgreSQLEntity?],
        _ dialect: SQLDialect
    ) -> (SQLFragment, [Dependency])? {
        var steps: [(key: String, table: String)] = []
        var current = entity
        for toOne in path.toOnes {
            guard let key = current.columns[toOne.rowSlot], let next = toOne.destination.flatMap({ entities[$0.index] })
            else { return nil }
            steps.append((key.name, next.table))
            current = next
        }
        guard let column = current.columns[path.attribute.rowSlot] else { return nil }
        guard let first = steps.first else { return (dialect.column(column.name, of: "o"), []) }
        /// The tables from the first destination on, up to a step.
        func joins(to last: Int, from start: SQLFragment) -> SQLFragment {
            steps[1..<(last + 1)].enumerated().reduce(start) { text, step in
                let (place, alias) = (step.offset + 1, "s\(.number(step.offset + 2))" as SQLFragment)
                let key = dialect.column(step.element.key, of: "s\(place)")
                return text + " JOIN \(dialect.table(step.element.table)) \(alias) ON \(alias).\"_id\" = \(key)"
            }
        }
        let destination: SQLFragment = "\(dialect.table(first.table)) s1"
        let value = dialect.column(column.name, of: "s\(steps.count)")
        let own = dialect.column(first.key, of: "o")
        let dependencies = steps.indices.map { step in
            let start: SQLFragment =
                "\(dialect.table(entity.table)) p JOIN \(destination) ON s1.\"_id\" = \(dialect.column(first.key, of: "p"))"
            return Dependency(
                table: steps[step].table,
                owners: """
                    SELECT p."_id" FROM \(joins(to: step, from: start)) \
                    WHERE s\(.number(step + 1))."_id" = ANY($1)
                    """)
        }
        return (
            "(SELECT \(value) FROM \(joins(to: steps.count - 1, from: destination)) WHERE s1.\"_id\" = \(own))",
            dependencies
        )
    }
}
