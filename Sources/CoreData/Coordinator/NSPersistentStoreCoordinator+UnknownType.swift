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
        let signed: Set = [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
        let classes = StoreClassRegistry.shared.classes.sorted { $0.key < $1.key }
        let inOrder = classes.filter { signed.contains($0.key) } + classes.filter { !signed.contains($0.key) }
        // A class that can't read the metadata isn't the store's class.
        let found = inOrder.map(\.value).first { (try? $0.metadataForPersistentStore(with: url)) != nil }
        guard let found else {
            throw CoreDataError.make(
                NSPersistentStoreInvalidTypeError, "There is no store of a registered type at \(url.path).",
                [NSFilePathErrorKey: url.path])
        }
        return found
    }
}
