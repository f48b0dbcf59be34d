@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// What a batch request did to the rows of a store.
package struct SQLiteBatchOutcome {
    package var count = 0
    /// The rows that were asked for; empty where only their number is wanted.
    package var keys: [ObjectKey] = []
    /// Files that new values are in; to be removed where the transaction fails.
    package var writtenFiles: [URL] = []
    /// Files that no row names any more, once the transaction is committed.
    package var obsoleteFiles: [URL] = []

    package init() {}
}

/// What all batch requests need of a store, inside their transaction.
package struct SQLiteBatchEnvironment {
    package let queries: SQLiteQueries
    package let external: SQLiteExternalData
    package let encode: SQLiteRowWriter.ObjectEncoder
    package let author: HistoryAuthor
    package let knownHistoryShape: SQLiteKnownHistoryShape
    package let policy: NSMergePolicyType
    /// What the result is to say.
    package let wanted: BatchResultKind

    package init(
        queries: SQLiteQueries, external: SQLiteExternalData, encode: @escaping SQLiteRowWriter.ObjectEncoder,
        author: HistoryAuthor,
        knownHistoryShape: SQLiteKnownHistoryShape, policy: NSMergePolicyType, wanted: BatchResultKind
    ) {
        self.queries = queries
        self.external = external
        self.encode = encode
        self.author = author
        self.knownHistoryShape = knownHistoryShape
        self.policy = policy
        self.wanted = wanted
    }

    package var schema: SQLiteSchema { queries.schema }
    package var coder: SQLObjectGraph { queries.coder }
}
