import Foundation

/// What a batch request did to the rows of a store.
struct SQLiteBatchOutcome {
    var count = 0
    /// The rows that were asked for; empty where only their number is wanted.
    var keys: [ObjectKey] = []
    /// Files that new values are in; to be removed where the transaction fails.
    var writtenFiles: [URL] = []
    /// Files that no row names any more, once the transaction is committed.
    var obsoleteFiles: [URL] = []
}

/// What all batch requests need of a store, inside their transaction.
struct SQLiteBatchEnvironment {
    let queries: SQLiteQueries
    let external: SQLiteExternalData
    let encode: SQLiteRowWriter.ObjectEncoder
    let author: SQLiteHistoryAuthor
    let historyTables: SQLiteHistoryTables
    let policy: NSMergePolicyType
    /// What the result is to say.
    let wanted: BatchResultKind

    var schema: SQLiteSchema { queries.schema }
    var coder: SQLiteValueCoder { queries.coder }
}
