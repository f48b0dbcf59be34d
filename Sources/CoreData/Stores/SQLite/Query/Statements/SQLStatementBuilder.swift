import FoundationCompat
import ManagedObjectModel

/// Turns fetches into SQL statements. Pure: nothing is read from a store.
struct SQLStatementBuilder {
    let schema: SQLiteSchema
    let coder: SQLiteValueCoder

    /// The rows of a fetch, with the columns of a selection.
    func rows(_ fetch: StoreFetch, selection: RowSelection) throws -> SQLStatement {
        try select(fetch) { selection.list(alias: $0.scope.alias) }
    }

    /// The primary keys and entity numbers of a fetch, in order.
    func keys(_ fetch: StoreFetch) throws -> SQLStatement {
        try select(fetch) { translator in
            "\(translator.scope.primaryKey), \(.column(SQLiteNaming.entity, of: translator.scope.alias))"
        }
    }

    /// The number of rows of a fetch, within its limit and behind its offset.
    func count(_ fetch: StoreFetch) throws -> SQLStatement {
        var unordered = fetch
        unordered.sortDescriptors = nil
        guard fetch.limit > 0 || fetch.offset > 0 else {
            return try select(unordered) { _ in "COUNT(*)" }
        }
        let limited = try fragment(unordered) { _ in "1" }
        return SQLStatement("SELECT COUNT(*) FROM (\(limited))")
    }

    private func select(
        _ fetch: StoreFetch, _ result: (SQLTranslator) throws -> SQLFragment
    ) throws -> SQLStatement {
        SQLStatement(try fragment(fetch, result))
    }

    func fragment(_ fetch: StoreFetch, _ result: (SQLTranslator) throws -> SQLFragment) throws -> SQLFragment {
        let scope = try SQLScope(entity: fetch.entity, schema: schema)
        return try fragment(fetch, SQLTranslator(scope: scope, coder: coder), result)
    }

    /// The statement of a fetch, whose clauses are translated before the joins that they need are known.
    func fragment(
        _ fetch: StoreFetch, _ translator: SQLTranslator, _ result: (SQLTranslator) throws -> SQLFragment
    ) throws -> SQLFragment {
        let scope = translator.scope
        let condition = try condition(of: fetch, translator)
        let order = try SQLOrdering.clause(fetch.sortDescriptors ?? [], translator)
        let columns = try result(translator)
        return "SELECT \(columns) FROM \(scope.source)\(Self.whereClause(condition))\(order)\(Self.limitClause(fetch))"
    }

    /// What rows have to fulfil: to be of the entity, and the predicate.
    func condition(of fetch: StoreFetch, _ translator: SQLTranslator) throws -> SQLCondition {
        let entity = entityCondition(fetch, translator.scope)
        guard let predicate = fetch.predicate else { return entity }
        let box = try SQLRTreeRestriction.condition(predicate, translator)
        return .all([entity, box, try translator.condition(predicate)])
    }

    /// The restriction to an entity's rows, where its table holds those of other entities too.
    private func entityCondition(_ fetch: StoreFetch, _ scope: SQLScope) -> SQLCondition {
        Self.entityCondition(fetch.entity, includesSubentities: fetch.includesSubentities, scope)
    }

    static func entityCondition(_ entity: EntityLayout, includesSubentities: Bool, _ scope: SQLScope) -> SQLCondition {
        let root = entity.root
        guard root.lastDescendantIndex > root.index, !(entity === root && includesSubentities) else {
            return .always
        }
        let last = includesSubentities ? entity.lastDescendantIndex : entity.index
        let numbers = (entity.index...last).compactMap { scope.schema.entities[$0]?.number }
        let column = SQLFragment.column(SQLiteNaming.entity, of: scope.alias)
        if numbers.count == 1 { return .sql("\(column) = \(raw: numbers[0])") }
        return .sql("\(column) IN (\(raw: numbers.map(String.init).joined(separator: ", ")))")
    }

    static func whereClause(_ condition: SQLCondition) -> SQLFragment {
        condition == .always ? "" : " WHERE \(condition.fragment)"
    }

    /// The limit and offset, as parameters: pages of the same fetch are the same statement.
    static func limitClause(_ fetch: StoreFetch) -> SQLFragment {
        guard fetch.limit > 0 || fetch.offset > 0 else { return "" }
        let limit: SQLFragment = " LIMIT \(bind: .int(fetch.limit > 0 ? Int64(fetch.limit) : -1))"
        return fetch.offset > 0 ? "\(limit) OFFSET \(bind: .int(Int64(fetch.offset)))" : limit
    }
}
