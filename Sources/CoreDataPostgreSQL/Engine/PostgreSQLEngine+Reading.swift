@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

extension PostgreSQLEngine {
    /// Reads in the state of a read view: the store as it is, or as it was when the reader was pinned. Nil where the store hadn't
    /// been added then.
    private func read<Value>(
        in view: ReadView, _ body: (PostgreSQLQueries, PostgreSQLConnection) throws -> Value
    ) throws -> Value? {
        let (pool, queries, _) = try current()
        return try Self.translating(NSPersistentStoreOperationError, at: pool.address) {
            switch view.state {
            case .absent: nil
            case .present: try pool.read { try body(queries, $0) }
            case .pinned(let state):
                try (state as? PostgreSQLGeneration)?.read { try body(queries, $0) }
            }
        }
    }

    /// The same for several statements, which see one state.
    private func readConsistently<Value>(in view: ReadView, _ body: (PostgreSQLConnection) throws -> Value) throws
        -> Value
    {
        let (pool, _, _) = try current()
        if case .pinned(let state) = view.state, let generation = state as? PostgreSQLGeneration {
            return try generation.read(body)
        }
        return try pool.transaction(.snapshot, body)
    }

    /// Answers a fetch in SQL, and in memory what SQL can't say, or the server can't compute.
    private func fetch<Value>(
        _ fetch: StoreFetch, in view: ReadView, sql: (PostgreSQLQueries, PostgreSQLConnection) throws -> Value,
        memory: (PostgreSQLFetchPlan, PostgreSQLRecords) throws -> Value
    ) throws -> Value? {
        do {
            return try read(in: view) { queries, connection in
                do {
                    return try sql(queries, connection)
                } catch let failure as PostgreSQLFailure where failure.isOfComputation {
                    throw NotInSQL(asksServer: false, reason: failure.message)
                } catch {
                    guard let part = SQLQueryError.unsupportedPart(error) else { throw error }
                    throw NotInSQL(asksServer: true, reason: part)
                }
            }
        } catch let failure as NotInSQL {
            return try evaluate(fetch, failure, in: view, memory)
        }
    }

    private struct NotInSQL: Error {
        let asksServer: Bool
        let reason: String
    }

    private func evaluate<Value>(
        _ fetch: StoreFetch, _ failure: NotInSQL, in view: ReadView,
        _ memory: (PostgreSQLFetchPlan, PostgreSQLRecords) throws -> Value
    ) throws -> Value {
        let (pool, queries, _) = try current()
        CoreDataLog.write(
            "a fetch of \(fetch.entity.name) is evaluated in memory, at least in part: \(failure.reason)", atLevel: 1)
        return try Self.translating(NSPersistentStoreOperationError, at: pool.address) {
            func run(asksServer: Bool) throws -> Value {
                let plan = try PostgreSQLFetchPlan(fetch, queries, asksServer: asksServer)
                return try readConsistently(in: view) { connection in
                    try memory(plan, PostgreSQLRecords(queries, connection, link: link))
                }
            }
            do {
                return try run(asksServer: failure.asksServer)
            } catch let failed as PostgreSQLFailure where failure.asksServer && failed.isOfComputation {
                return try run(asksServer: false)
            }
        }
    }

    package func fetchRows(_ fetch: StoreFetch, in view: ReadView) throws -> [RowPage] {
        try self.fetch(fetch, in: view, sql: { try $0.fetchRows(fetch, in: $1) }, memory: { try $0.rows($1) }) ?? []
    }

    package func fetchKeys(_ fetch: StoreFetch, in view: ReadView) throws -> [ObjectKey] {
        try self.fetch(fetch, in: view, sql: { try $0.fetchKeys(fetch, in: $1) }, memory: { try $0.keys($1) }) ?? []
    }

    package func count(_ fetch: StoreFetch, in view: ReadView) throws -> Int {
        try self.fetch(
            fetch, in: view, sql: { try $0.count(fetch, in: $1) },
            memory: { fetch.countsDictionaries ? try $0.dictionaries($1).count : try $0.keys($1).count }) ?? 0
    }

    package func fetchDictionaries(_ fetch: StoreFetch, in view: ReadView) throws -> [[String: Any]] {
        try self.fetch(
            fetch, in: view,
            sql: { queries, connection in
                let query = try DictionaryQuery(fetch, queries.builder)
                let result = try queries.run(query.statement, in: connection)
                return try PostgreSQLDictionaryReader(query, queries.schema, result).dictionaries()
            }, memory: { try $0.dictionaries($1) }) ?? []
    }

    package func loadRows(_ keys: [ObjectKey], in view: ReadView) throws -> [RowPage] {
        try read(in: view) { try $0.loadRows(keys, in: $1) } ?? []
    }

    package func loadDestinations(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> [Int64: [ObjectKey]]
    {
        try read(in: view) { try $0.loadDestinations(of: property, from: owners, in: $1) } ?? [:]
    }

    package func loadDestinationRows(of property: PropertyLayout, from owners: [ObjectKey], in view: ReadView) throws
        -> DestinationRows
    {
        try read(in: view) { try $0.loadDestinationRows(of: property, from: owners, in: $1) } ?? DestinationRows()
    }
}
