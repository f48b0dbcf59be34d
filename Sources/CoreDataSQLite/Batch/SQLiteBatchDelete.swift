@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import GRDBSQLite

/// Deletes the results of a fetch and what delete rules take along: by one `DELETE` where nothing refers to the rows,
/// otherwise by statements for many keys each.
package struct SQLiteBatchDelete {
    private let environment: SQLiteBatchEnvironment
    private let fetch: StoreFetch

    package init(_ fetch: StoreFetch, _ environment: SQLiteBatchEnvironment) {
        self.fetch = fetch
        self.environment = environment
    }

    /// - Throws: an error that names the relationship whose delete rule forbids the deletion.
    package func run(in database: Database, files: inout SQLiteBatchOutcome) throws {
        let history = try SQLiteHistoryRecorder.forStore(
            database, schema: environment.schema, author: environment.author, knownShape: environment.knownHistoryShape)
        if history == nil, try standsAlone { return try deleteDirectly(in: database, files: &files) }
        let keys = try environment.queries.fetchKeys(fetch, in: database)
        var deletion = SQLiteCascadingDeletion(environment: environment, database: database, history: history)
        try deletion.run(keys)
        files.count = keys.count
        if environment.wanted == .objectIDs { files.keys = keys }
        files.obsoleteFiles = deletion.obsoleteFiles
    }

    /// Whether deleting rows concerns nothing but the rows: no relationships, no files.
    private var standsAlone: Bool {
        get throws {
            let last = fetch.includesSubentities ? fetch.entity.lastDescendantIndex : fetch.entity.index
            return try (fetch.entity.index...last).allSatisfy { index in
                guard environment.schema.entities[index] != nil else { return true }
                let plan = SQLiteRowPlan(try environment.schema.entity(environment.schema.model.entities[index]))
                return plan.entity.layout.relationships.allSatisfy(\.isTransient)
                    && !plan.bindings.contains(where: \.isExternal)
            }
        }
    }

    private func deleteDirectly(in database: Database, files: inout SQLiteBatchOutcome) throws {
        let table = try environment.schema.entity(fetch.entity).table
        let returning: SQLFragment = environment.wanted == .objectIDs ? " RETURNING \(.key), \(.entity)" : ""
        let statement = SQLStatement(
            "DELETE FROM \(.name(table)) AS t0\(SQLStatementBuilder.whereClause(try condition()))\(returning)")
        var reader = KeyReader(schema: environment.schema, table: table, entity: fetch.entity)
        try environment.queries.run(statement, in: database).forEachRow { row in
            files.keys.append(try reader.key(of: row, at: 0))
        }
        files.count =
            environment.wanted == .objectIDs ? files.keys.count : Int(sqlite3_changes(database.sqliteConnection))
    }

    private func condition() throws -> SQLCondition {
        let builder = environment.queries.builder
        let isLimited = fetch.limit > 0 || fetch.offset > 0
        let scope = try SQLScope(entity: fetch.entity, schema: environment.schema)
        let condition = try builder.condition(of: fetch, SQLTranslator(scope: scope, coder: environment.coder))
        if !isLimited, scope.joins.isEmpty { return condition }
        var unordered = fetch
        if !isLimited { unordered.sortDescriptors = nil }
        let keys = try builder.fragment(unordered) { $0.scope.primaryKey }
        return .sql("t0.\(.key) IN (\(keys))")
    }
}
