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

    // MARK: Stores that aren't open

    class func readMetadata(ofStoreAt url: URL, type: String, _ options: [AnyHashable: Any]?) throws -> [String: Any] {
        let storeClass = try storeClass(for: type)
        StoreFiles.recover(url)
        return try noting(url, as: type) { try storeClass.metadata(ofStoreAt: url, options: options) }
    }

    class func writeMetadata(
        _ metadata: [String: Any]?, toStoreAt url: URL, type: String, _ options: [AnyHashable: Any]?
    ) throws {
        if options?.isSet(NSReadOnlyPersistentStoreOption) == true {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "The metadata of \(url.path) can't be written: \(NSReadOnlyPersistentStoreOption) is set.",
                [NSFilePathErrorKey: url.path])
        }
        let storeClass = try storeClass(for: type)
        StoreFiles.recover(url)
        try storeClass.setMetadata(metadata, ofStoreAt: url, options: options)
    }
}
