@_spi(Engine) import CoreDataRows
import FoundationCompat
import ManagedObjectModel

/// Turns fetches into SQL statements. Pure: nothing is read from a store.
package struct SQLStatementBuilder {
    package let schema: any SQLSchema
    package let coder: SQLObjectGraph

    package init(schema: any SQLSchema, coder: SQLObjectGraph) {
        self.schema = schema
        self.coder = coder
    }

    /// The rows of a fetch.
    ///
    /// - Parameter columns: what is selected of the table under an alias.
    package func rows(_ fetch: StoreFetch, columns: (String) -> SQLFragment) throws -> SQLStatement {
        try select(fetch) { columns($0.scope.alias) }
    }

    /// The primary keys and entity numbers of a fetch, in order.
    package func keys(_ fetch: StoreFetch) throws -> SQLStatement {
        try select(fetch) { translator in
            "\(translator.scope.primaryKey), \(schema.dialect.column(schema.entityColumn, of: translator.scope.alias))"
        }
    }

    /// The number of rows of a fetch, within its limit and behind its offset.
    package func count(_ fetch: StoreFetch) throws -> SQLStatement {
        var unordered = fetch
        unordered.sortDescriptors = nil
        guard fetch.limit > 0 || fetch.offset > 0 else {
            return try select(unordered) { _ in "COUNT(*)" }
        }
        let limited = try fragment(unordered) { _ in "1" }
        return SQLStatement("SELECT COUNT(*) FROM \(schema.dialect.derivedTable(limited))")
    }

    private func select(
        _ fetch: StoreFetch, _ result: (SQLTranslator) throws -> SQLFragment
    ) throws -> SQLStatement {
        SQLStatement(try fragment(fetch, result))
    }

    package func fragment(_ fetch: StoreFetch, _ result: (SQLTranslator) throws -> SQLFragment) throws -> SQLFragment {
        let scope = try SQLScope(entity: fetch.entity, schema: schema)
        return try fragment(fetch, SQLTranslator(scope: scope, coder: coder), result)
    }

    /// The statement of a fetch, whose clauses are translated before the joins that they need are known.
    package func fragment(
        _ fetch: StoreFetch, _ translator: SQLTranslator, _ result: (SQLTranslator) throws -> SQLFragment
    ) throws -> SQLFragment {
        let scope = translator.scope
        let condition = try condition(of: fetch, translator)
        let order = try SQLOrdering.clause(fetch.sortDescriptors ?? [], translator)
        let columns = try result(translator)
        let tie = scope.dialect.tie(
            scope.primaryKey, ordered: !order.text.isEmpty, paged: fetch.limit > 0 || fetch.offset > 0)
        let clause = Self.whereClause(condition, scope.dialect)
        return "SELECT \(columns) FROM \(scope.source)\(clause)\(order)\(tie)\(Self.limitClause(fetch, scope.dialect))"
    }

    /// What rows have to fulfil: to be of the entity, and the predicate.
    package func condition(of fetch: StoreFetch, _ translator: SQLTranslator) throws -> SQLCondition {
        let entity = entityCondition(fetch, translator.scope)
        guard let predicate = fetch.predicate else { return entity }
        let box = try schema.restriction(by: predicate, translator)
        return .all([entity, box, try translator.condition(predicate)])
    }

    /// The restriction to an entity's rows, where its table holds those of other entities too.
    private func entityCondition(_ fetch: StoreFetch, _ scope: SQLScope) -> SQLCondition {
        Self.entityCondition(fetch.entity, includesSubentities: fetch.includesSubentities, scope)
    }

    package static func entityCondition(_ entity: EntityLayout, includesSubentities: Bool, _ scope: SQLScope)
        -> SQLCondition
    {
        let root = entity.root
        guard root.lastDescendantIndex > root.index, !(entity === root && includesSubentities) else {
            return .always
        }
        let last = includesSubentities ? entity.lastDescendantIndex : entity.index
        let numbers = (entity.index...last).compactMap { scope.schema.number(ofEntityAt: $0) }
        let column = scope.dialect.column(scope.schema.entityColumn, of: scope.alias)
        if numbers.count == 1 { return .sql("\(column) = \(raw: numbers[0])") }
        return .sql("\(column) IN (\(raw: numbers.map(String.init).joined(separator: ", ")))")
    }

    package static func whereClause(_ condition: SQLCondition, _ dialect: SQLDialect = .sqlite) -> SQLFragment {
        condition == .always ? "" : " WHERE \(dialect.condition(condition))"
    }

    /// The limit and offset, as parameters: pages of the same fetch are the same statement.
    static func limitClause(_ fetch: StoreFetch, _ dialect: SQLDialect) -> SQLFragment {
        guard fetch.limit > 0 || fetch.offset > 0 else { return "" }
        let limit = dialect.limit(fetch.limit)
        return fetch.offset > 0 ? "\(limit) OFFSET \(bind: .int(Int64(fetch.offset)))" : limit
    }
}
