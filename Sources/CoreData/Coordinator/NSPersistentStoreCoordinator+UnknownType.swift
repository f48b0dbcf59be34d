import Foundation

extension NSPersistentStoreCoordinator {
    /// Reads the metadata of a store on disk whose type isn't known: every registered type is tried.
    ///
    /// - Throws: an error that names the file when it is a store of none of them.
    public class func metadataForPersistentStore(with url: URL) throws -> [String: Any] {
        try storeClass(forStoreAt: url).metadataForPersistentStore(with: url)
    }

    /// Reads the metadata of a store on disk; where the type is nil every registered one is tried.
    public class func metadataForPersistentStore(ofType storeType: String?, at url: URL) throws -> [String: Any] {
        guard let storeType else { return try metadataForPersistentStore(with: url) }
        return try metadataForPersistentStore(ofType: storeType, at: url, options: nil)
    }

    /// Writes the metadata of a store on disk; where the type is nil every registered one is tried.
    public class func setMetadata(
        _ metadata: [String: Any]?, forPersistentStoreOfType storeType: String?, at url: URL
    ) throws {
        guard let storeType else {
            return try storeClass(forStoreAt: url).setMetadata(metadata, forPersistentStoreAt: url)
        }
        try setMetadata(metadata, forPersistentStoreOfType: storeType, at: url, options: nil)
    }

    private class func storeClass(forStoreAt url: URL) throws -> NSPersistentStore.Type {
        // The formats that begin with a signature know their own; a class from elsewhere may take any file for its.
        let signed: Set = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
        let classes = StoreClassRegistry.shared.classes.sorted { $0.key < $1.key }
        let inOrder = classes.filter { signed.contains($0.key) } + classes.filter { !signed.contains($0.key) }
        let found = inOrder.map(\.value).first { (try? $0.metadataForPersistentStore(with: url)) != nil }
        guard let found else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError, "There is no store of a registered type at \(url.path).",
                [NSFilePathErrorKey: url.path])
        }
        return found
    }
}
