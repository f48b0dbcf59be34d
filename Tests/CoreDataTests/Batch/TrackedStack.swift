import CoreData
import Foundation

/// A library in a SQLite store that keeps history, in a folder of its own, which goes with it.
final class TrackedStack {
    let folder: TemporaryFolder
    let url: URL
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    init(tracksHistory: Bool = true, options: [AnyHashable: Any] = [:], model: NSManagedObjectModel? = nil) throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Library.sqlite")
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model ?? Library.model())
        var options = options
        options[NSPersistentHistoryTrackingKey] = NSNumber(value: tracksHistory)
        store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    deinit { try? coordinator.remove(store) }

    /// Another context of the same coordinator.
    func anotherContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        return context
    }

    /// A second stack over the same file, as another process would have it.
    func secondStack(options: [AnyHashable: Any] = [:]) throws -> AtomicStack {
        try AtomicStack(
            url, type: NSSQLiteStoreType,
            options: options.merging([NSPersistentHistoryTrackingKey: NSNumber(value: true)]) { $1 })
    }

    func rows(_ sql: String) throws -> [[String?]] { try PlainSQLite.rows(sql, in: url) }

    func execute(_ request: NSPersistentStoreRequest) throws -> Any? {
        switch try context.execute(request) {
        case let result as NSBatchInsertResult: result.result
        case let result as NSBatchUpdateResult: result.result
        case let result as NSBatchDeleteResult: result.result
        case let result as NSPersistentHistoryResult: result.result
        default: nil
        }
    }

    func history(after token: NSPersistentHistoryToken? = nil) throws -> [NSPersistentHistoryTransaction] {
        try execute(NSPersistentHistoryChangeRequest.fetchHistory(after: token)) as? [NSPersistentHistoryTransaction]
            ?? []
    }
}

/// The Cocoa error code that a block throws; nil where it throws none.
func thrownCode(_ body: () throws -> Void) -> Int? {
    do {
        try body()
        return nil
    } catch {
        return (error as NSError).code
    }
}

/// The text of the error that a block throws.
func thrownText(_ body: () throws -> Void) -> String {
    do {
        try body()
        return ""
    } catch {
        return (error as NSError).localizedDescription
    }
}
