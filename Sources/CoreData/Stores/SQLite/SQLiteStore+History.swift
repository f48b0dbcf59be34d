@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation

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
                    database, queries: queries, storeIdentifier: identifier ?? "", tables: file.historyTables)
            else { return .read([]) }
            try reader.checkExpiry(request.range)
            guard request.resultType != .statusOnly else { return .read([]) }
            let query = HistoryQuery(
                range: request.range, selection: request.selection,
                needsChanges: request.resultType != .transactionsOnly)
            return .read(try reader.transactions(for: query).map(transaction))
        }
    }

    private func transaction(
        _ header: HistoryTransactionHeader, _ changes: [HistoryChange]?
    ) throws -> NSPersistentHistoryTransaction {
        let entities = try open().queries.schema.model.entities
        return NSPersistentHistoryTransaction(
            header,
            changes: changes?.map { change in
                let id = NSManagedObjectID(
                    layout: entities[Int(change.key.entityIndex)], handle: change.key.handle, store: self)
                return NSPersistentHistoryChange(
                    id: change.number, of: id, change.type, in: header, tombstone: change.tombstone,
                    updatedProperties: change.updatedProperties)
            })
    }

    private func deleteHistory(_ range: HistoryRange) throws -> HistoryAnswer {
        let (file, queries) = try open()
        let changes = try file.write {
            try queries.deleteHistory(range, of: identifier ?? "", tables: file.historyTables, in: $0)
        }
        return .deleted(changes: changes)
    }
}
