@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB

extension SQLiteQueries {
    /// Deletes a part of the history, in the transaction of the caller.
    ///
    /// - Parameter store: the identifier of the store.
    /// - Returns: how many changes were deleted.
    package func deleteHistory(
        _ range: HistoryRange, of store: String, knownShape: SQLiteKnownHistoryShape, in database: Database
    ) throws -> Int {
        let shape = try knownShape.shape(in: database)
        guard shape.hasHistory else { return 0 }
        let names = SQLHistoryTables(schema, hasStrings: shape.hasStrings)
        let chosen = names.numbers(of: names.condition(range, of: store))
        try run(SQLStatement("DELETE FROM \(.changeTable) WHERE \(.transactionOfChange) IN (\(chosen))"), in: database)
            .forEachRow { _ in }
        let changes = database.changesCount
        try run(SQLStatement("DELETE FROM \(.transactionTable) WHERE \(.key) IN (\(chosen))"), in: database)
            .forEachRow { _ in }
        return changes
    }
}
