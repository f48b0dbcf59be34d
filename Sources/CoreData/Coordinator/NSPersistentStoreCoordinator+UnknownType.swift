import Foundation

extension NSPersistentStoreCoordinator {
    class func storeClass(for type: String) throws -> NSPersistentStore.Type {
        guard let found = StoreClassRegistry.shared.class(for: type) else {
            let known = StoreClassRegistry.shared.classes.keys.sorted().joined(separator: ", ")
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError, "There is no store type '\(type)'. Known types: \(known).")
        }
        return found
    }

    class func storeClass(forStoreAt url: URL) throws -> NSPersistentStore.Type {
        StoreFiles.recover(url)
        // The formats that begin with a signature know their own; a class from elsewhere may take any file for its.
        let classes = StoreClassRegistry.shared.classes.sorted { $0.key < $1.key }
        let inOrder = classes.filter { signedTypes.contains($0.key) } + classes.filter { !signedTypes.contains($0.key) }
        // A class that can't read the metadata isn't the store's class.
        let found = inOrder.map(\.value).first { (try? $0.metadataForPersistentStore(with: url)) != nil }
        guard let found else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError, "There is no store of a registered type at \(url.path).",
                [NSFilePathErrorKey: url.path])
        }
        return found
    }

    /// The types whose files begin with a signature.
    private static let signedTypes: Set = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]

    /// Opens a store or reads its metadata, and remembers the file where it can't be read as a store of any type: destroying or
    /// replacing it next mends a damaged store.
    class func noting<Result>(_ url: URL?, as type: String, _ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch {
            if let url, !isStore(at: url, ofOtherTypeThan: type) { RefusedFiles.note(url, for: error) }
            throw error
        }
    }

    private class func isStore(at url: URL, ofOtherTypeThan type: String) -> Bool {
        StoreClassRegistry.shared.classes.contains { other, storeClass in
            // Whose metadata can't be read it isn't.
            other != type && signedTypes.contains(other)
                && (try? storeClass.metadataForPersistentStore(with: url)) != nil
        }
    }
}
