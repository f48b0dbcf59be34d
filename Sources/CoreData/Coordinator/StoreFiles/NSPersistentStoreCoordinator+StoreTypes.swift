import Foundation
import ManagedObjectModel

extension NSPersistentStoreCoordinator {
    /// Reads the metadata of a store on disk without opening it.
    ///
    /// - Throws: an error that names the file and says what is wrong with it.
    public class func metadataForPersistentStore(
        type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws -> [String: Any] {
        try metadataForPersistentStore(ofType: type.rawValue, at: url, options: options)
    }

    /// Writes the metadata of a store on disk without opening it.
    ///
    /// - Throws: an error that names the file and says why it can't be written.
    public class func setMetadata(
        _ metadata: [String: Any]?, type: NSPersistentStore.StoreType, at url: URL, options: [AnyHashable: Any]? = nil
    ) throws {
        try setMetadata(metadata, forPersistentStoreOfType: type.rawValue, at: url, options: options)
    }
}
