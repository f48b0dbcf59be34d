import CoreData
import Foundation

/// What stands in `sqlite_master` of a store, as text, in order.
enum FreshSchema {
    /// Of a store that is made for a model now.
    static func of(_ model: NSManagedObjectModel, historyTracking: Bool) throws -> [[String?]] {
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Fresh.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSPersistentHistoryTrackingKey: historyTracking])
        try coordinator.remove(store)
        return try present(in: url)
    }

    static func present(in url: URL) throws -> [[String?]] {
        try PlainSQLite.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid", in: url)
    }
}
