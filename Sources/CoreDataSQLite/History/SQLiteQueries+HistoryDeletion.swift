@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB

extension SQLiteQueries {
    /// Deletes a part of the history, in the transaction of the caller.
    ///
    /// - Parameter store: the identifier of the store.
    /// - Returns: how many changes were deleted.
    package func deleteHistory(
        _ range: HistoryRange, of store: String, tables: SQLiteHistoryTables, in database: Database
    ) throws -> Int {
        guard try tables.shape(in: database).hasHistory else { return 0 }
        let condition = try SQLiteHistoryReader.condition(range, of: store).fragment
        let chosen: SQLFragment = "SELECT Z_PK FROM ATRANSACTION t0 WHERE \(condition)"
        try run(SQLStatement("DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (\(chosen))"), in: database)
            .forEachRow { _ in }
        let changes = database.changesCount
        try run(SQLStatement("DELETE FROM ATRANSACTION WHERE Z_PK IN (\(chosen))"), in: database)
            .forEachRow { _ in }
        return changes
    }
}
