@_spi(Engine) import CoreDataRows
import Foundation

/// Saves changes of rows, all or nothing.
struct PostgreSQLSaver {
    let pool: PostgreSQLPool
    let keys: PostgreSQLKeys
    let writing: PostgreSQLWriting

    func save(_ save: StoreSave) throws -> SaveOutcome {
        let newKeys = try keys.take(for: save.newEntities, from: pool)
        var changes: RowChanges?
        var othersWereTold = false
        for attempt in 1... {
            do {
                return try pool.transaction { connection in
                    let made = try changes ?? save.changes(newKeys)
                    changes = made
                    let outcome = try write(made, save, in: connection)
                    othersWereTold = true
                    try save.beforeCommit()
                    return outcome
                }
            } catch is PostgreSQLWriting.HistoryHasBegun {
                continue
            } catch let failure as PostgreSQLFailure
                where attempt < PostgreSQLPool.attempts && !othersWereTold
                && (failure.isTransient || failure.isUniqueViolation)
            {
                // Unique values that another writer has committed meanwhile: the next attempt sees its rows, and says which.
                continue
            }
        }
        preconditionFailure("the loop ends by a result or an error")
    }

    private func write(_ changes: RowChanges, _ save: StoreSave, in connection: PostgreSQLConnection) throws
        -> SaveOutcome
    {
        if let metadata = save.metadata {
            let table = PostgreSQLStoreTable(pool.address)
            try PostgreSQLFilling(schema: writing.schema).follow(
                metadata, insteadOf: table.read(connection), in: connection)
            try table.write(metadata, in: connection)
        }
        let history = writing.recorder(save.author)
        var transaction = PostgreSQLSaveTransaction(
            connection, writing.schema, history, PostgreSQLDerivedValues(writing.schema, connection))
        if !changes.isEmpty { try transaction.run(changes) }
        let number = try writing.end(history, in: connection)
        return SaveOutcome(recomputed: transaction.corrected, transactionNumber: number)
    }
}
