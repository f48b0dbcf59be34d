@_spi(Engine) import CoreDataRows
import Foundation

/// Saves changes of rows, all or nothing.
struct PostgreSQLSaver {
    let pool: PostgreSQLPool
    let schema: PostgreSQLSchema
    let keys: PostgreSQLKeys
    /// Who is told of the save.
    let channel: String?

    /// How often a save is tried that others are in the way of: each time one of them has gone on.
    private static let attempts = 10

    func save(_ save: StoreSave) throws -> SaveOutcome {
        var changes: RowChanges?
        var othersWereTold = false
        for attempt in 1... {
            do {
                return try pool.transaction { connection in
                    let made = try changes ?? save.changes(keys.take(for: save.newEntities, in: connection))
                    changes = made
                    let corrected = try write(made, save.metadata, in: connection)
                    othersWereTold = true
                    try save.beforeCommit()
                    return SaveOutcome(recomputed: corrected)
                }
            } catch let failure as PostgreSQLFailure
                where attempt < Self.attempts && !othersWereTold && (failure.isTransient || failure.isUniqueViolation)
            {
                // Unique values that another writer has committed meanwhile: the next attempt sees its rows, and says which.
                continue
            }
        }
        preconditionFailure("the loop ends by a result or an error")
    }

    private func write(_ changes: RowChanges, _ metadata: [String: Any]?, in connection: PostgreSQLConnection) throws
        -> [ObjectKey]
    {
        if let metadata { try PostgreSQLStoreTable(pool.address).write(metadata, in: connection) }
        var transaction = PostgreSQLSaveTransaction(connection, schema)
        if !changes.isEmpty { try transaction.run(changes) }
        try connection.checkConstraints(notifying: channel)
        return transaction.corrected
    }
}
