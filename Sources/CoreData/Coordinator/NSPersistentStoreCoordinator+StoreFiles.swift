import Foundation

extension NSPersistentStoreCoordinator {
    /// Removes a store, with everything that belongs to it. It needn't be one of this coordinator's.
    ///
    /// A SQLite database that others may have open is emptied under its lock instead, and its file stays (Apple:
    /// NSPersistentStoreCoordinator.h). Nothing happens where there is nothing. A store that this coordinator has open there
    /// is removed from it, so that a new one can be added at once.
    ///
    /// - Parameter options: those that the store is opened with.
    /// - Throws: an error that says what can't be removed, such as a database that is locked.
    public func destroyPersistentStore(
        at url: URL, ofType storeType: String, options: [AnyHashable: Any]? = nil
    ) throws {
        try performAndWait { try Self.storeClass(for: storeType).destroyPersistentStore(at: url, options: options) }
        // Stores in memory have nothing at their URL that could be destroyed.
        guard storeType != NSInMemoryStoreType, url.path != "/dev/null" else { return }
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

    /// Makes a store into a copy of another one of the same type: contents, metadata and UUID. Neither needs to be one of
    /// this coordinator's.
    ///
    /// A SQLite database is copied as it is between two saves, whoever uses it; one that is replaced keeps its old
    /// contents until the new ones are complete.
    ///
    /// - Throws: an error that names the file; the store to be replaced is then as it was.
    public func replacePersistentStore(
        at destinationURL: URL, destinationOptions: [AnyHashable: Any]? = nil,
        withPersistentStoreFrom sourceURL: URL, sourceOptions: [AnyHashable: Any]? = nil, ofType storeType: String
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

    /// Changes where a store is. An atomic store is written there by its next save; a SQLite store is opened there at
    /// once, so that its file must have been moved before (Apple: `setURL:forPersistentStore:`).
    ///
    /// - Returns: whether the store has taken the new place. Otherwise it is where it was.
    @discardableResult
    public func setURL(_ url: URL, for store: NSPersistentStore) -> Bool {
        performAndWait {
            if let other = persistentStore(for: url), other !== store { return false }
            store.url = url
            return store.url == url
        }
    }
}
