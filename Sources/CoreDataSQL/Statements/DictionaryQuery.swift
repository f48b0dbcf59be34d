@_spi(Engine) import CoreDataRows
import FoundationCompat

/// The statement of a fetch with dictionary results, and its columns.
package struct DictionaryQuery {
    private let fragment: SQLFragment
    package let columns: [DictionaryColumn]
    /// For each column the place of the one with the object's entity number, where the entity may vary.
    package let entityColumns: [Int32?]
    package let builder: SQLStatementBuilder

    /// - Throws: an error that names what SQL can't express; a column that is neither grouped by nor an aggregate.
    package init(_ fetch: StoreFetch, _ builder: SQLStatementBuilder) throws {
        let scope = try SQLScope(entity: fetch.entity, schema: builder.schema)
        var translator = SQLTranslator(scope: scope, coder: builder.coder)
        let condition = try builder.condition(of: fetch, translator)
        translator.allowsGroupAggregates = true
        let items = fetch.propertiesToFetch ?? DictionaryColumn.names(of: fetch.entity)
        var columns = try items.map { try DictionaryColumn($0, translator) }
        guard !columns.isEmpty else {
            throw SQLQueryError.make("propertiesToFetch is empty: dictionaries need at least one property")
        }
        for column in columns { translator.namedOperands[column.name] = .scalar(column.sql, column.type) }
        let groups = try (fetch.propertiesToGroupBy ?? []).map { item in
            if let column = columns.first(where: { $0.name == item as? String }) { return column }
            return try DictionaryColumn(item, translator)
        }
        columns = try Self.ofGroups(columns, groupedBy: groups, scope.dialect)
        for column in columns { translator.namedOperands[column.name] = .scalar(column.sql, column.type) }
        let having = try Self.havingClause(fetch, translator)
        // A property has no value for a group, so a name that is also a column's means the column.
        translator.prefersNames = !groups.isEmpty || columns.contains(where: \.isAggregate)
        let order = try SQLOrdering.clause(fetch.sortDescriptors ?? [], translator)

        self.columns = columns
        var selected = columns.map(\.sql)
        entityColumns = try columns.map { column in
            guard let number = try Self.entityNumber(column, builder.schema) else { return nil }
            selected.append(number)
            return Int32(selected.count - 1)
        }
        self.builder = builder
        let list = selected.joined(separator: ", ")
        let grouping: SQLFragment =
            groups.isEmpty ? "" : " GROUP BY \(groups.map(\.sql).joined(separator: ", "))"
        fragment =
            """
            SELECT \(raw: fetch.returnsDistinctResults ? "DISTINCT " : "")\(list) FROM \(scope.source)\
            \(SQLStatementBuilder.whereClause(condition, scope.dialect))\(grouping)\(having)\(order)\
            \(SQLStatementBuilder.limitClause(fetch, scope.dialect))
            """
    }

    package var statement: SQLStatement { SQLStatement(fragment) }

    /// The number of dictionaries.
    package var count: SQLStatement {
        SQLStatement("SELECT COUNT(*) FROM \(builder.schema.dialect.derivedTable(fragment))")
    }

    /// The number of an object's concrete entity, where the declared one has subentities.
    private static func entityNumber(_ column: DictionaryColumn, _ schema: any SQLSchema) throws -> SQLFragment? {
        guard case .object(let entity) = column.type, entity.lastDescendantIndex > entity.index else { return nil }
        let dialect = schema.dialect
        let table = schema.dialect.table(try schema.table(of: entity))
        return
            "(SELECT \(dialect.name(schema.entityColumn)) FROM \(table) WHERE \(dialect.name(schema.keyColumn)) = \(column.sql))"
    }

    private static func havingClause(_ fetch: StoreFetch, _ translator: SQLTranslator) throws -> SQLFragment {
        guard let predicate = fetch.havingPredicate else { return "" }
        guard !(fetch.propertiesToGroupBy ?? []).isEmpty else {
            throw SQLQueryError.make("havingPredicate needs propertiesToGroupBy")
        }
        let condition = try translator.condition(predicate)
        return condition == .always ? "" : " HAVING \(translator.scope.dialect.condition(condition))"
    }

    /// The columns as groups have them. A value that differs within a group has no place in the group's dictionary.
    private static func ofGroups(
        _ columns: [DictionaryColumn], groupedBy groups: [DictionaryColumn], _ dialect: SQLDialect
    ) throws -> [DictionaryColumn] {
        guard !groups.isEmpty || columns.contains(where: \.isAggregate) else { return columns }
        return try columns.map { column in
            if groups.contains(where: { $0.sql == column.sql }) { return column }
            let result = try column.ofGroup(dialect)
            guard result.isAggregate else {
                throw SQLQueryError.make(
                    "propertiesToFetch has \(column.name), which is neither in propertiesToGroupBy nor an aggregate",
                    suggestion: "Group by it, or fetch its minimum or maximum.")
            }
            return result
        }
    }
}
