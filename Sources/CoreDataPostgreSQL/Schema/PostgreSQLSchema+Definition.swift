@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// The statements that make a store.
extension PostgreSQLSchema {
    /// For how many keys each number of the sequence stands, which counts up by it.
    static let keyBlockSize: Int64 = 64

    /// Everything but the schema itself: tables, keys, indexes, and what the store says of itself.
    var definitions: [SQLFragment] { tableDefinitions + parts.map(\.sql) }

    /// The same without keys and indexes.
    var tableDefinitions: [SQLFragment] {
        systemTables + tables.map { tableDefinition($0) } + tables.flatMap(comments) + joins.map { joinDefinition($0) }
    }

    /// What there is beside tables and columns.
    var parts: [PostgreSQLSchemaPart] {
        tables.flatMap(references) + joins.flatMap(joinReferences) + tables.flatMap(indexes) + joins.map(joinIndex)
            + constraintDefinitions
    }

    /// Every table of the store.
    var tableNames: [String] {
        [PostgreSQLName.store, PostgreSQLName.entities] + tables.map(\.name) + joins.map(\.table)
    }

    private var systemTables: [SQLFragment] {
        [
            """
            CREATE TABLE \(qualified(PostgreSQLName.store)) ("only" boolean PRIMARY KEY DEFAULT true CHECK ("only"), \
            "uuid" text NOT NULL, "metadata" bytea NOT NULL, "model" bytea, "tables" text[] NOT NULL, \
            "made_schema" boolean NOT NULL, \
            "model_version" bigint NOT NULL)
            """,
            """
            CREATE TABLE \(qualified(PostgreSQLName.entities)) ("number" smallint PRIMARY KEY, "name" text NOT NULL UNIQUE, \
            "table_name" text NOT NULL)
            """,
            """
            CREATE SEQUENCE \(qualified(PostgreSQLName.keys)) AS bigint INCREMENT BY \(.number(PostgreSQLSchema.keyBlockSize)) MINVALUE 0 \
            START WITH 0
            """,
        ] + entityRows
    }

    /// The statement that writes the rows of all entities; none where there are none.
    var entityRows: [SQLFragment] {
        let rows = entities.compactMap { $0 }.map {
            "(\(.number($0.number)), \(.constant($0.layout.name)), \(.constant($0.table)))" as SQLFragment
        }
        return rows.isEmpty
            ? [] : ["INSERT INTO \(qualified(PostgreSQLName.entities)) VALUES \(rows.joined(separator: ", "))"]
    }

    func tableDefinition(_ table: PostgreSQLTable) -> SQLFragment {
        var columns: [SQLFragment] = [
            "\(.quoted(PostgreSQLName.key)) bigint PRIMARY KEY", "\(.quoted(PostgreSQLName.entity)) smallint NOT NULL",
            "\(.quoted(PostgreSQLName.version)) bigint NOT NULL DEFAULT 1",
        ]
        for column in table.columns {
            columns.append("\(.quoted(column.name)) \(column.type.name)")
            if let entity = column.entityColumn { columns.append("\(.quoted(entity)) smallint") }
        }
        columns += table.linkColumns.map { "\(.quoted($0.name)) bigint" as SQLFragment }
        return "CREATE TABLE \(qualified(table.name)) (\(columns.joined(separator: ", ")))"
    }

    /// What people have to know to read a column.
    func comments(_ table: PostgreSQLTable) -> [SQLFragment] {
        table.columns.compactMap { column in
            let text: String
            switch column.property.kind {
            case .date: text = "Seconds since 2001-01-01 00:00 UTC: to_timestamp(value + 978307200)"
            case .transformable: text = "An archive of the attribute's value transformer"
            default: return nil
            }
            return
                "COMMENT ON COLUMN \(qualified(table.name)).\(.quoted(column.name)) IS \(.constant(text))"
        }
    }

    /// - Parameter name: another name than its own.
    func joinDefinition(_ join: SQLJoin, named name: String? = nil) -> SQLFragment {
        let orders = [join.orderColumn, join.isReflexive ? nil : join.inverseOrderColumn].compactMap { $0 }
        let keys = [join.sourceColumn, join.destinationColumn]
        var columns = keys.map { "\(.quoted($0)) bigint NOT NULL" as SQLFragment }
        columns += orders.map { "\(.quoted($0)) bigint" }
        columns.append("PRIMARY KEY (\(.quoted(keys)))")
        return "CREATE TABLE \(qualified(name ?? join.table)) (\(columns.joined(separator: ", ")))"
    }

    // MARK: References

    /// The foreign keys. They are looked at when a transaction ends, as a save writes its rows in any order.
    ///
    /// Where deleting an object leaves what leads to it as it is (a relationship without inverse, or the delete rule "no
    /// action"), a row may lead to one that has gone, as in any store; a foreign key would forbid it.
    private func references(_ table: PostgreSQLTable) -> [PostgreSQLSchemaPart] {
        table.columns.compactMap { column in
            guard column.property.kind == .toOne, let destination = column.property.destination,
                let inverse = column.property.inverse, inverse.isPersistent, inverse.deleteRule != .noActionDeleteRule,
                let other = entities[destination.index]
            else { return nil }
            return reference(column.name, of: table.name, to: other.table, action: "")
        }
    }

    private func joinReferences(_ join: SQLJoin) -> [PostgreSQLSchemaPart] {
        guard let ends = joinEnds[join.table] else { return [] }
        // A pair is nothing without its two objects.
        return [
            reference(join.sourceColumn, of: join.table, to: ends.source, action: " ON DELETE CASCADE"),
            reference(join.destinationColumn, of: join.table, to: ends.destination, action: " ON DELETE CASCADE"),
        ]
    }

    private func reference(_ column: String, of table: String, to other: String, action: SQLFragment)
        -> PostgreSQLSchemaPart
    {
        let name = PostgreSQLName.fitting("\(table).\(column).reference")
        return PostgreSQLSchemaPart(
            kind: .reference(to: other), name: name, table: table, columns: [column],
            sql: """
                ALTER TABLE \(qualified(table)) ADD CONSTRAINT \(.quoted(name)) FOREIGN KEY (\(.quoted(column))) \
                REFERENCES \(qualified(other)) (\(.quoted(PostgreSQLName.key)))\(action) DEFERRABLE INITIALLY DEFERRED
                """)
    }

    // MARK: Indexes

    private func indexes(_ table: PostgreSQLTable) -> [PostgreSQLSchemaPart] {
        let members = members(ofRootAt: table.rootIndex)
        var definitions = table.columns.filter { $0.property.kind == .toOne }.map { index([$0.name], of: table.name) }
        definitions += table.linkColumns.filter(\.isKey).map { index([$0.name], of: table.name) }
        if members.count > 1 { definitions.append(index([PostgreSQLName.entity], of: table.name)) }
        for member in members {
            definitions += FetchIndex.all(of: member.layout.entity).compactMap { definition(of: $0, member) }
        }
        return definitions
    }

    private func index(_ columns: [String], of table: String) -> PostgreSQLSchemaPart {
        let name = PostgreSQLName.fitting("\(table).\(columns.joined(separator: ",")).index")
        return PostgreSQLSchemaPart(
            kind: .index, name: name, table: table, columns: columns,
            sql: "CREATE INDEX \(.quoted(name)) ON \(qualified(table)) (\(.quoted(columns)))")
    }

    private func joinIndex(_ join: SQLJoin) -> PostgreSQLSchemaPart { index([join.destinationColumn], of: join.table) }

    /// An index of the model, in the order in which fetches sort.
    private func definition(of index: FetchIndex, _ entity: PostgreSQLEntity) -> PostgreSQLSchemaPart? {
        let elements = index.elements.compactMap { element -> SQLFragment? in
            guard let value = indexedValue(named: element.propertyName, of: entity) else { return nil }
            return element.isAscending ? "\(value) ASC NULLS FIRST" : "\(value) DESC NULLS LAST"
        }
        let isReference =
            elements.count == 1
            && index.elements.first.flatMap { entity.layout.property(named: $0.propertyName) }?.kind == .toOne
        guard elements.count == index.elements.count, !elements.isEmpty, !isReference else { return nil }
        let name = PostgreSQLName.fitting("\(entity.layout.name).\(index.name)")
        let condition = index.partialIndexPredicate.flatMap {
            PostgreSQLPartialIndex(entity: entity, dialect: dialect).condition($0)
        }
        // Where the predicate has columns of its own, a migration that changes one of them makes the index anew.
        let columns =
            condition == nil
            ? index.elements.compactMap { indexedColumn(named: $0.propertyName, of: entity)?.name }
            : entity.ordered.map(\.name)
        return PostgreSQLSchemaPart(
            kind: .index, name: name, table: entity.table, columns: columns,
            sql: "CREATE INDEX \(.quoted(name)) ON \(qualified(entity.table)) (\(elements.joined(separator: ", ")))"
                + (condition.map { " WHERE \($0)" as SQLFragment } ?? ""))
    }

    private func indexedColumn(named name: String, of entity: PostgreSQLEntity) -> PostgreSQLColumn? {
        entity.layout.property(named: name).flatMap { entity.columns[$0.rowSlot] }
    }

    private func indexedValue(named name: String, of entity: PostgreSQLEntity) -> SQLFragment? {
        switch name {
        case "self": return .quoted(PostgreSQLName.key)
        case "entity": return .quoted(PostgreSQLName.entity)
        default:
            guard let column = indexedColumn(named: name, of: entity) else { return nil }
            // As fetches compare it.
            let plain = SQLFragment.quoted(column.name)
            let value = dialect.value(plain, of: column.property.kind)
            return value == plain ? value : "(\(value))"
        }
    }

    private var constraintDefinitions: [PostgreSQLSchemaPart] {
        var seen: Set<String> = []
        return entities.compactMap { $0 }.flatMap(\.constraints).filter { seen.insert($0.name).inserted }.map {
            constraint in
            PostgreSQLSchemaPart(
                kind: .unique, name: constraint.name, table: constraint.table, columns: constraint.columns,
                sql: """
                    ALTER TABLE \(qualified(constraint.table)) ADD CONSTRAINT \(.quoted(constraint.name)) \
                    UNIQUE (\(.quoted(constraint.columns))) DEFERRABLE INITIALLY DEFERRED
                    """)
        }
    }
}
