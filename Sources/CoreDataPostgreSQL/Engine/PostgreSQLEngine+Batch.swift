@_spi(Engine) import CoreDataRows
import Foundation

extension PostgreSQLEngine: BatchWriting {
    package func insert(_ insertion: BatchInsertion, _ order: BatchOrder) throws -> BatchOutcome {
        let columns = BatchColumns(insertion.layout, identity: link.identity, request: "batch insert")
        return try run(order, insertion.layout) { batch in
            var insert = try PostgreSQLBatchInsert(insertion.layout, batch)
            switch insertion.source {
            case .dictionaries(let dictionaries):
                var rows = BatchDictionaryRows(dictionaries, columns: columns)
                return try insert.run(&rows)
            case .handler(let handler):
                var rows = BatchHandlerRows(handler, columns: columns)
                return try insert.run(&rows)
            case .rows(let make):
                var rows = make(columns)
                return try insert.run(&rows)
            }
        }
    }

    package func update(_ fetch: StoreFetch, setting properties: [AnyHashable: Any], _ order: BatchOrder) throws
        -> BatchOutcome
    {
        try run(order, fetch.entity) { try PostgreSQLBatchUpdate(fetch, properties: properties, $0).run() }
    }

    package func delete(_ fetch: StoreFetch, _ order: BatchOrder) throws -> BatchOutcome {
        try run(order, fetch.entity) { batch in
            var deletion = PostgreSQLBatchDelete(batch)
            return try deletion.run(fetch)
        }
    }

    /// Runs a batch request in one transaction.
    private func run(
        _ order: BatchOrder, _ layout: EntityLayout, _ body: (PostgreSQLBatch) throws -> BatchOutcome
    ) throws -> BatchOutcome {
        let (pool, queries, keys) = try writable()
        let writing = writing(queries.schema)
        return try Self.translating(NSPersistentStoreSaveError, at: pool.address) {
            try pool.transaction { connection in
                try writing.begin(layout, in: connection)
                let batch = PostgreSQLBatch(
                    connection: connection, queries: queries, keys: keys, link: link, order: order,
                    history: writing.recorder(order.author),
                    derived: PostgreSQLDerivedValues(queries.schema, connection))
                let outcome = try body(batch)
                _ = try batch.derived?.finish()
                _ = try writing.end(batch.history, in: connection)
                return outcome
            }
        }
    }
}
