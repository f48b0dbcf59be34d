import Foundation
import GRDB

extension SQLiteStore {
    /// Reads or deletes a part of the store's history.
    func execute(_ request: NSPersistentHistoryChangeRequest, in context: NSManagedObjectContext?) throws -> Any {
        request.isDeletion ? try deleteHistory(request.range) : try readHistory(request)
    }

    private func readHistory(_ request: NSPersistentHistoryChangeRequest) throws -> HistoryAnswer {
        let (file, queries) = try open()
        return try file.read { database in
            guard
                var reader = try SQLiteHistoryReader(
                    database, queries: queries, store: self, tables: file.historyTables)
            else { return .read([]) }
            try reader.checkExpiry(request.range)
            guard request.resultType != .statusOnly else { return .read([]) }
            return .read(try reader.transactions(for: request))
        }
    }

    private func deleteHistory(_ range: HistoryRange) throws -> HistoryAnswer {
        let (file, queries) = try open()
        return try file.write { database in
            guard try file.historyTables.shape(in: database).hasHistory else { return .deleted(changes: 0) }
            let condition = try SQLiteHistoryReader.condition(range, of: identifier ?? "").fragment
            let chosen: SQLFragment = "SELECT Z_PK FROM ATRANSACTION t0 WHERE \(condition)"
            try queries.run(SQLStatement("DELETE FROM ACHANGE WHERE ZTRANSACTIONID IN (\(chosen))"), in: database)
                .forEachRow { _ in }
            let changes = database.changesCount
            try queries.run(SQLStatement("DELETE FROM ATRANSACTION WHERE Z_PK IN (\(chosen))"), in: database)
                .forEachRow { _ in }
            return .deleted(changes: changes)
        }
    }
}
