import Foundation
import ManagedObjectModel

extension NSPersistentStoreCoordinator {
    /// Writes the metadata of a store on disk without opening it.
    ///
    /// - Throws: an error that names the file and says why it can't be written.
    public class func setMetadata(
        _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
    }

    /// The model that a SQLite store carries within itself: what the store was made for. Nothing on disk changes.
    ///
    /// - Throws: an error that names the file when it is no such store, or carries no model.
    public class func cachedModelForPersistentStore(
        at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> NSManagedObjectModel {
        try cachedModel(forStoreAt: url, ofType: NSSQLiteStoreType)
    }
}
