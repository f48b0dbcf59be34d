@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB

extension SQLiteEngine {
    /// How the values of transformable attributes are archived.
    private static let encoder: SQLiteRowWriter.ObjectEncoder = { value, property in
        .data(try TransformableCoder.archive(value, of: property))
    }

    package func reserveKeys(for entities: [EntityLayout]) throws -> [ObjectKey] {
        try saver().reserveKeys(for: entities)
    }

    private func saver() throws -> SQLiteSaver {
        let (file, queries) = try current()
        return SQLiteSaver(file: file, schema: queries.schema, recomputedRows: recomputedRows, encode: Self.encoder)
    }

    package func save(_ save: StoreSave) throws -> SaveOutcome {
        let saver = try saver()
        return try saver.save(
            metadata: save.metadata, author: save.author, writesAhead: save.othersFollow,
            beforeCommit: save.beforeCommit
        ) {
            try save.changes(save.newEntities.isEmpty ? [] : saver.reserveKeys(for: save.newEntities, in: $0))
        }
    }
}

extension SQLiteEngine: BatchWriting {
    package func insert(_ insertion: BatchInsertion, _ order: BatchOrder) throws -> BatchOutcome {
        let environment = try environment(order)
        let columns = BatchColumns(
            insertion.layout, identity: environment.coder.identity, request: "batch insert")
        return try run(environment) { database, outcome in
            var insert = try SQLiteBatchInsert(insertion.layout, in: database, environment)
            switch insertion.source {
            case .dictionaries(let dictionaries):
                var rows = BatchDictionaryRows(dictionaries, columns: columns)
                try insert.run(&rows, files: &outcome)
            case .handler(let handler):
                var rows = BatchHandlerRows(handler, columns: columns)
                try insert.run(&rows, files: &outcome)
            case .rows(let make):
                var rows = make(columns)
                try insert.run(&rows, files: &outcome)
            }
        }
    }

    package func update(_ fetch: StoreFetch, setting properties: [AnyHashable: Any], _ order: BatchOrder) throws
        -> BatchOutcome
    {
        let environment = try environment(order)
        let update = try SQLiteBatchUpdate(fetch, properties: properties, environment)
        return try run(environment) { try update.run(in: $0, files: &$1) }
    }

    package func delete(_ fetch: StoreFetch, _ order: BatchOrder) throws -> BatchOutcome {
        let environment = try environment(order)
        let deletion = SQLiteBatchDelete(fetch, environment)
        return try run(environment) { try deletion.run(in: $0, files: &$1) }
    }

    private func environment(_ order: BatchOrder) throws -> SQLiteBatchEnvironment {
        let (file, queries) = try current()
        return SQLiteBatchEnvironment(
            queries: queries, external: queries.externalData, encode: Self.encoder, author: order.author,
            knownHistoryShape: file.knownHistoryShape, policy: order.policy, wanted: order.wanted)
    }

    /// Runs a batch request in one transaction.
    private func run(
        _ environment: SQLiteBatchEnvironment, _ body: (Database, inout SQLiteBatchOutcome) throws -> Void
    ) throws -> BatchOutcome {
        let (file, _) = try current()
        var outcome = SQLiteBatchOutcome()
        do {
            try file.write { database in
                try body(database, &outcome)
                if !outcome.writtenFiles.isEmpty { try environment.external.synchronizeNames() }
            }
        } catch {
            SQLiteExternalData.remove(outcome.writtenFiles)
            throw error
        }
        file.removeObsolete(outcome.obsoleteFiles)
        _ = recomputedRows.drain()
        return BatchOutcome(count: outcome.count, keys: outcome.keys)
    }
}
