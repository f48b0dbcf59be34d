@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

extension PostgreSQLEngine: HistoryKeeping {
    package func lastTransactionNumber() throws -> Int64? {
        let (pool, queries, _) = try current()
        guard state.keepsHistory else { return nil }
        return try Self.translating(NSPersistentStoreOperationError, at: pool.address) {
            try pool.read {
                try PostgreSQLHistoryReader.lastTransactionNumber(PostgreSQLHistoryTables(queries.schema), in: $0)
            }
        }
    }

    package func transactions(for query: HistoryQuery, of identifier: String) throws
        -> [(header: HistoryTransactionHeader, changes: [HistoryChange]?)]
    {
        let (pool, queries, _) = try current()
        guard state.keepsHistory else { return [] }
        return try Self.translating(NSPersistentStoreOperationError, at: pool.address) {
            try pool.transaction(.snapshot) { connection in
                var reader = PostgreSQLHistoryReader(connection, queries, of: identifier)
                try reader.checkExpiry(query.range)
                return query.onlyChecks ? [] : try reader.transactions(for: query)
            }
        }
    }

    package func deleteHistory(_ range: HistoryRange, of identifier: String) throws -> Int {
        let (pool, queries, _) = try writable()
        guard state.keepsHistory else { return 0 }
        let tables = SQLHistoryTables(queries.schema)
        let chosen = tables.numbers(of: tables.condition(range, of: identifier))
        return try Self.translating(NSPersistentStoreSaveError, at: pool.address) {
            try pool.transaction { connection in
                // What is added meanwhile stays: both statements are one, and see one state.
                let result = try queries.run(
                    SQLStatement(
                        """
                        WITH t AS (DELETE FROM \(tables.transactions) WHERE "number" IN (\(chosen)) RETURNING "number"), \
                        c AS (DELETE FROM \(tables.changes) WHERE "transaction" IN (SELECT "number" FROM t) RETURNING 1) \
                        SELECT COUNT(*) FROM c
                        """), in: connection)
                try connection.checkConstraints()
                return Int(result.int8(0, 0))
            }
        }
    }
}
