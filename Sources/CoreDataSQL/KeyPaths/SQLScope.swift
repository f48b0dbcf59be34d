@_spi(Engine) import CoreDataRows

/// The rows that one `SELECT` ranges over: an entity's table under an alias, and the joins that key paths asked for.
///
/// A statement has one scope for itself and one for each subquery in it; aliases are numbered through the statement,
/// so that a subquery can refer to the rows of the scopes around it.
package final class SQLScope {
    package let entity: EntityLayout
    package let alias: String
    package let schema: any SQLSchema
    private let tableName: String
    private let aliases: AliasNumbers
    /// In the order in which they were asked for; a later one may depend on an earlier one.
    package private(set) var joins: [SQLFragment] = []
    private var aliasByJoin: [JoinKey: String] = [:]

    /// The scope of a statement.
    package init(entity: EntityLayout, schema: any SQLSchema) throws {
        self.entity = entity
        tableName = try schema.table(of: entity)
        self.schema = schema
        aliases = AliasNumbers()
        alias = aliases.next()
    }

    /// The scope of a subquery.
    package init(entity: EntityLayout, inside outer: SQLScope) throws {
        self.entity = entity
        tableName = try outer.schema.table(of: entity)
        schema = outer.schema
        aliases = outer.aliases
        alias = aliases.next()
    }

    package var dialect: SQLDialect { schema.dialect }

    package var primaryKey: SQLFragment { dialect.column(schema.keyColumn, of: alias) }

    /// An alias for a table that isn't an entity's, such as a join table.
    func freshAlias() -> String { aliases.next() }

    /// The entity's table under its alias.
    package var table: SQLFragment { "\(dialect.table(tableName)) \(raw: alias)" }

    /// The joins made so far, each after a space.
    var joinClause: SQLFragment { joins.map { " \($0)" }.joined(separator: "") }

    /// The `FROM` clause's content, with the joins made so far.
    package var source: SQLFragment { "\(table)\(joinClause)" }

    /// The alias of the rows at the other end of a to-one, joined once however many key paths go through it.
    ///
    /// An outer join, so that a row without a destination stays, with null for what lies beyond.
    package func join(to destination: EntityLayout, from sourceAlias: String, column: String)
        throws -> String
    {
        let key = JoinKey(alias: sourceAlias, column: column)
        if let known = aliasByJoin[key] { return known }
        let alias = aliases.next()
        let table = dialect.table(try schema.table(of: destination))
        let foreignKey = dialect.column(column, of: sourceAlias)
        joins.append(
            "LEFT OUTER JOIN \(table) \(raw: alias) ON \(foreignKey) = \(dialect.column(schema.keyColumn, of: alias))")
        aliasByJoin[key] = alias
        return alias
    }

    private struct JoinKey: Hashable {
        let alias: String
        let column: String
    }

    private final class AliasNumbers {
        private var count = 0

        func next() -> String {
            defer { count += 1 }
            return "t\(count)"
        }
    }
}
