@_spi(Engine) import CoreDataRows
import Foundation

/// Answers requests for persistent history by an engine.
struct EngineHistory {
    private let engine: any HistoryKeeping
    private let store: NSPersistentStore

    init(_ engine: any HistoryKeeping, of store: NSPersistentStore) {
        self.engine = engine
        self.store = store
    }

    /// Reads or deletes a part of the store's history.
    func answer(_ request: NSPersistentHistoryChangeRequest) throws -> HistoryAnswer {
        let identifier = store.identifier ?? ""
        if request.isDeletion {
            return .deleted(changes: try engine.deleteHistory(request.range, of: identifier))
        }
        let query = HistoryQuery(
            range: request.range, selection: request.selection,
            needsChanges: request.resultType != .transactionsOnly, onlyChecks: request.resultType == .statusOnly)
        return .read(try engine.transactions(for: query, of: identifier).map(transaction))
    }

    private func transaction(
        _ header: HistoryTransactionHeader, _ changes: [HistoryChange]?
    ) throws -> NSPersistentHistoryTransaction {
        guard let entities = store.persistentStoreCoordinator?.layout.entities else {
            throw CoreDataError.make(NSPersistentStoreOperationError, "\(store.place): the store is closed.")
        }
        return NSPersistentHistoryTransaction(
            header,
            changes: changes?.map { change in
                let id = NSManagedObjectID(
                    layout: entities[Int(change.key.entityIndex)], handle: change.key.handle, store: store)
                return NSPersistentHistoryChange(
                    id: change.number, of: id, change.type, in: header, tombstone: change.tombstone,
                    updatedProperties: change.updatedProperties)
            })
    }
}
