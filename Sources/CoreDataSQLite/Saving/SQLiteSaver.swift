@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

/// Saves changes of rows into a store, all or nothing.
package struct SQLiteSaver: Sendable {
    package let file: SQLiteFile
    package let schema: SQLiteSchema
    package let encode: SQLiteRowWriter.ObjectEncoder
    private let external: SQLiteExternalData
    private let recomputedRows: SQLiteRecomputedRows

    /// - Parameter encode: turns values that only the object graph can encode into something that a row can hold.
    package init(
        file: SQLiteFile, schema: SQLiteSchema, recomputedRows: SQLiteRecomputedRows = SQLiteRecomputedRows(),
        encode: @escaping SQLiteRowWriter.ObjectEncoder
    ) {
        self.recomputedRows = recomputedRows
        self.file = file
        self.schema = schema
        self.encode = encode
        external = SQLiteExternalData(store: file.url)
    }

    /// Takes primary keys for new objects of these entities, in their order.
    package func reserveKeys(for entities: [EntityLayout]) throws -> [ObjectKey] {
        try file.write { try reserveKeys(for: entities, in: $0) }
    }

    /// Takes primary keys inside a transaction; they are free again where it is rolled back.
    package func reserveKeys(for entities: [EntityLayout], in database: Database) throws -> [ObjectKey] {
        try SQLiteKeyReservation(schema: schema).reserve(for: entities, in: database)
    }

    /// Writes all changes in one transaction, and records them where the store keeps persistent history.
    ///
    /// - Parameters:
    ///   - author: who makes the save, for the history.
    ///   - others: further work that must succeed before the changes are committed.
    /// - Throws: ``RowConflicts`` with every conflict where others changed rows, or else where values aren't unique;
    ///   a Cocoa error that names the file for everything else. Nothing is written then.
    @discardableResult
    package func save(
        _ changes: RowChanges, author: HistoryAuthor = HistoryAuthor(),
        beforeCommit others: () throws -> Void = {}
    ) throws -> SaveOutcome {
        guard !changes.isEmpty else {
            try others()
            return SaveOutcome()
        }
        return try save(metadata: nil, author: author, beforeCommit: others) { _ in changes }
    }

    /// Writes metadata and changes in one transaction.
    ///
    /// - Parameters:
    ///   - metadata: all of it, where it was changed; only the entries that were are written.
    ///   - writesAhead: whether the pages are to be on the disk when the further work begins, so that a full disk fails before it.
    ///   - others: further work that must succeed before the changes are committed.
    ///   - make: makes the changes; called inside the transaction.
    package func save(
        metadata: [String: Any]?, author: HistoryAuthor, writesAhead: Bool = false,
        beforeCommit others: () throws -> Void,
        changes make: (Database) throws -> RowChanges
    ) throws -> SaveOutcome {
        var recomputed: Set<SQLiteRecomputedRows.Row> = []
        var outcome = SaveOutcome()
        var written: [URL] = []
        var obsolete: [URL] = []
        do {
            try file.write { database in
                var transaction = try SQLiteSaveTransaction(
                    database: database, schema: schema, external: external, author: author,
                    knownShape: file.knownHistoryShape,
                    encode: encode)
                defer {
                    written = transaction.rows.writtenFiles
                    obsolete = transaction.rows.obsoleteFiles
                }
                _ = recomputedRows.drain()
                if let metadata { try file.knownMetadata.write(metadata, to: database) }
                let changes = try make(database)
                if !changes.isEmpty { try transaction.run(changes) }
                recomputed = recomputedRows.drain()
                outcome.recomputed = Array(transaction.corrected.keys)
                outcome.transactionNumber = transaction.number
                if !transaction.rows.writtenFiles.isEmpty { try external.synchronizeNames() }
                if writesAhead { try database.writeChangedPages() }
                try others()
            }
        } catch {
            SQLiteExternalData.remove(written)
            throw error
        }
        if let metadata { try file.knownMetadata.record(written: metadata) }
        file.removeObsolete(obsolete)
        outcome.recomputed += recomputed.compactMap(key)
        return outcome
    }

    private func key(of row: SQLiteRecomputedRows.Row) -> ObjectKey? {
        guard let table = schema.tables.first(where: { $0.name == row.table }) else { return nil }
        return ObjectKey(handle: row.handle, entityIndex: table.rootIndex)
    }
}
