@_spi(Engine) import CoreDataRows
import Foundation

extension NSPersistentStoreCoordinator {
    func destroy(_ url: URL, type storeType: String, options: [AnyHashable: Any]?) throws {
        if url.isNullDeviceItself, [NSXMLStoreType, NSBinaryStoreType].contains(storeType) {
            throw CoreDataError.make(
                NSPersistentStoreOperationError, "A store in memory has no file that could be destroyed (\(url.path)).")
        }
        // Programs destroy before they add; on Apple's platforms these folders are always there.
        if storeType != NSInMemoryStoreType { StandardFolders.make(forStoreAt: url) }
        try performAndWait { try Self.storeClass(for: storeType).destroyPersistentStore(at: url, options: options) }
        // Stores in memory have nothing at their URL that could be destroyed.
        guard storeType != NSInMemoryStoreType, !url.isNullDevice else { return }
        if let store = persistentStore(for: url), store.type == storeType { try remove(store) }
    }

    /// Removes a store, with everything that belongs to it.
    ///
    /// See ``destroyPersistentStore(at:ofType:options:)``.
    public func destroyPersistentStore(
        at url: URL, type storeType: NSPersistentStore.StoreType, options: [AnyHashable: Any]? = nil
    ) throws {
        try destroyPersistentStore(at: url, ofType: storeType.rawValue, options: options)
    }

    func replace(
        _ destinationURL: URL, _ destinationOptions: [AnyHashable: Any]?, by sourceURL: URL,
        _ sourceOptions: [AnyHashable: Any]?, type storeType: String
    ) throws {
        try performAndWait {
            try Self.storeClass(for: storeType).replacePersistentStore(
                at: destinationURL, options: destinationOptions, withPersistentStoreFrom: sourceURL,
                sourceOptions: sourceOptions)
        }
    }

    /// Makes a store into a copy of another one of the same type.
    ///
    /// See ``replacePersistentStore(at:destinationOptions:withPersistentStoreFrom:sourceOptions:ofType:)``.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws {
        try replacePersistentStore(
            at: destinationURL, destinationOptions: destinationOptions, withPersistentStoreFrom: sourceURL,
            sourceOptions: sourceOptions, ofType: storeType.rawValue)
    }

    func move(_ store: NSPersistentStore, to url: URL) -> Bool {
        performAndWait {
            if let other = persistentStore(for: url), other !== store { return false }
            store.url = url
            return store.url == url
        }
    }
}
