@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import GRDBSQLite
import Synchronization

/// Reads a store's rows: fetches, single rows, relationships.
///
/// Holds what is compiled once a store. Every method takes the connection to read through, so that many readers can
/// use one instance at the same time; the connection needs the functions of ``SQLiteQueryFunctions``.
package final class SQLiteQueries: Sendable {
    package let schema: SQLiteSchema
    package let storeURL: URL
    package let externalData: SQLiteExternalData
    package let coder: SQLObjectGraph
    /// Receives what is noticed about the cost of fetches.
    private let report: @Sendable (FetchDiagnostic) -> Void
    private let selections = Mutex<[SelectionKey: RowSelection]>([:])

    private struct SelectionKey: Hashable {
        let entityIndex: Int
        let includesSubentities: Bool
    }

    package init(
        schema: SQLiteSchema, storeURL: URL, coder: SQLObjectGraph,
        report: @escaping @Sendable (FetchDiagnostic) -> Void = { _ in }
    ) {
        self.report = report
        self.schema = schema
        self.storeURL = storeURL
        self.coder = coder
        externalData = SQLiteExternalData(store: storeURL)
    }

    package var builder: SQLStatementBuilder { SQLStatementBuilder(schema: schema, coder: coder) }

    package func run(_ statement: SQLStatement, in db: Database) throws -> SQLiteStatementRun {
        try SQLiteStatementRun(statement, in: db, at: storeURL)
    }

    // MARK: Fetches

    /// The rows of a fetch, in order, with all their values.
    ///
    /// - Throws: an error that names a part of the fetch which SQL can't express; a row that doesn't fit the model,
    ///   naming it; SQLite's errors.
    package func fetchRows(_ fetch: StoreFetch, in db: Database) throws -> [RowPage] {
        let selection = try selection(fetch.entity, includesSubentities: fetch.includesSubentities)
        let expected = fetch.limit > 0 ? fetch.limit : RowPage.defaultCapacity
        let run = try run(try builder.rows(fetch) { selection.list(alias: $0) }, in: db)
        var reader = rowReader(run, selection, expectedRows: expected)
        try forEachRow(of: fetch, run) { _ in try reader.appendRow() }
        return reader.finish()
    }

    /// The keys of a fetch, in order.
    package func fetchKeys(_ fetch: StoreFetch, in db: Database) throws -> [ObjectKey] {
        var reader = KeyReader(schema: schema, table: try schema.entity(fetch.entity).table, entity: fetch.entity)
        var keys: [ObjectKey] = []
        if fetch.limit > 0 { keys.reserveCapacity(min(fetch.limit, 1 << 16)) }
        try forEachRow(of: fetch, try run(try builder.keys(fetch), in: db)) { statement in
            keys.append(try reader.key(of: statement, at: 0))
        }
        return keys
    }

    /// The number of rows of a fetch.
    package func count(_ fetch: StoreFetch, in db: Database) throws -> Int {
        var count = 0
        let run = try run(
            fetch.countsDictionaries ? try DictionaryQuery(fetch, builder).count : try builder.count(fetch), in: db)
        _ = run.drainScannedRowCount()
        try run.forEachRow { count = Int(sqlite3_column_int64($0, 0)) }
        advise(fetch, run, resultCount: count)
        return count
    }

    /// Steps through the rows of a fetch, and reports what its cost shows.
    package func forEachRow(
        of fetch: StoreFetch, _ run: SQLiteStatementRun, _ body: (OpaquePointer) throws -> Void
    ) throws {
        _ = run.drainScannedRowCount()
        var count = 0
        try run.forEachRow { statement in
            count += 1
            try body(statement)
        }
        advise(fetch, run, resultCount: count)
    }

    /// Reports a big table that a fetch scanned where an index would have served.
    private func advise(_ fetch: StoreFetch, _ run: SQLiteStatementRun, resultCount: Int) {
        let scanned = run.drainScannedRowCount()
        guard scanned >= IndexAdvice.bigTable else { return }
        if let advice = IndexAdvice.diagnostic(fetch, scannedRows: scanned, resultCount: resultCount) { report(advice) }
    }

    // MARK: Rows by key

    /// The row with a key, or nil where it is gone.
    ///
    /// The row says what the concrete entity is; the key may name a superentity of it.
    package func loadRow(_ key: ObjectKey, in db: Database) throws -> RowRef? {
        let selection = try selection(schema.model.entities[Int(key.entityIndex)], includesSubentities: true)
        let statement = rowsByKey(selection, is: "= \(bind: .int(key.handle))")
        let pages = try read(statement, selection, expectedRows: 1, in: db)
        return pages.first.map { RowRef(page: $0, row: 0) }
    }

    /// The rows with these keys, as far as they are there, in an order of SQLite's choice.
    package func loadRows(_ keys: [ObjectKey], in db: Database) throws -> [RowPage] {
        // One statement for all entities of a table.
        let byRoot = Dictionary(grouping: keys) { schema.model.entities[Int($0.entityIndex)].root.index }
        return try byRoot.sorted { $0.key < $1.key }.flatMap { root, keys in
            let index = keys.allSatisfy { $0.entityIndex == keys[0].entityIndex } ? Int(keys[0].entityIndex) : root
            let selection = try selection(schema.model.entities[index], includesSubentities: true)
            let handles = keys.map(\.handle)
            return try stride(from: 0, to: handles.count, by: Self.keysPerStatement).flatMap { start in
                let chunk = handles[start..<min(start + Self.keysPerStatement, handles.count)]
                let statement = rowsByKey(selection, is: "IN (\(SQLValueList.select(chunk)))")
                return try read(statement, selection, expectedRows: chunk.count, in: db)
            }
        }
    }

    /// Keys are one parameter of text, of which SQLite keeps a copy.
    static let keysPerStatement = 10_000

    private func rowsByKey(_ selection: RowSelection, is condition: SQLFragment) -> SQLStatement {
        let entity = selection.entity
        let table = SQLFragment.name(entity.table)
        var restriction: SQLFragment = ""
        if entity.layout.superlayout != nil {
            let numbers = (entity.layout.index...entity.layout.lastDescendantIndex)
                .compactMap { schema.entities[$0]?.number }
            restriction = " AND t0.\(.entity) IN (\(.numbers(numbers)))"
        }
        return SQLStatement(
            "SELECT \(selection.list(alias: "t0")) FROM \(table) t0 WHERE t0.\(.key) \(condition)\(restriction)")
    }

    private func read(
        _ statement: SQLStatement, _ selection: RowSelection, expectedRows: Int, in db: Database
    ) throws -> [RowPage] {
        let run = try self.run(statement, in: db)
        var reader = rowReader(run, selection, expectedRows: expectedRows)
        try run.forEachRow { _ in try reader.appendRow() }
        return reader.finish()
    }

    func rowReader(
        _ run: SQLiteStatementRun, _ selection: RowSelection, expectedRows: Int = RowPage.defaultCapacity
    ) -> RowReader {
        RowReader(run.handle, selection, schema: schema, externalData: externalData, expectedRows: expectedRows)
    }

    package func selection(_ entity: EntityLayout, includesSubentities: Bool) throws -> RowSelection {
        let key = SelectionKey(entityIndex: entity.index, includesSubentities: includesSubentities)
        return try selections.withLock { known in
            if let selection = known[key] { return selection }
            let selection = try RowSelection(
                schema.entity(entity), includesSubentities: includesSubentities, in: schema)
            known[key] = selection
            return selection
        }
    }
}

extension SQLiteQueries {
    /// The dictionaries of a fetch: an entry for each property or expression that isn't nil.
    package func fetchDictionaries(_ fetch: StoreFetch, in db: Database) throws -> [[String: Any]] {
        let query = try DictionaryQuery(fetch, builder)
        let reader = try DictionaryReader(
            query, schema, table: schema.entity(fetch.entity).table, externalData: externalData)
        var dictionaries: [[String: Any]] = []
        try forEachRow(of: fetch, try run(query.statement, in: db)) { statement in
            dictionaries.append(try reader.dictionary(statement))
        }
        return dictionaries
    }
}
