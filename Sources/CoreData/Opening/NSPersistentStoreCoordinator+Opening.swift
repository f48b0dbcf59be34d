import Foundation
import ManagedObjectModel

extension NSPersistentStoreCoordinator {
    /// Opens a store, which isn't one of the coordinator's yet.
    func openStore(
        ofType storeType: String, configuration: String?, at storeURL: URL?, options: [AnyHashable: Any]?
    ) throws -> NSPersistentStore {
        let storeClass = try Self.storeClass(for: storeType)
        if let configuration, managedObjectModel.entities(forConfigurationName: configuration) == nil {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "The model has no configuration named '\(configuration)'.")
        }
        let url = storeURL ?? URL(fileURLWithPath: "/dev/null")
        if let present = storeAddedOrArriving(at: url) {
            throw CoreDataError.addedTwice(present, at: url)
        }
        try StoreOptionNames.check(options, storeClass)
        let isReadOnly = options?.isSet(NSReadOnlyPersistentStoreOption) == true
        if !isReadOnly { StandardFolders.make(forStoreAt: url) }
        StoreFiles.recover(url)
        if !isReadOnly { AbandonedStoreFiles.remove(besides: url) }
        func makeStore() -> NSPersistentStore {
            let store = storeClass.made(in: self, configuration: configuration, at: url, options: options)
            store.addedType = storeType
            return store
        }
        var store = makeStore()
        do {
            try store.loadMetadata()
            try UnfinishedCopy.refuse(store)
            let migration = AutomaticMigration(
                url: url, type: storeType, storeClass: storeClass, configuration: configuration, options: options,
                destination: managedObjectModel)
            try migration?.runIfNeeded(on: &store, makeStore)
            try StoreCompatibility.check(store, model: managedObjectModel, options: options)
            try store.prepare(for: layout)
            try join(store) {
                store.didAdd(to: self)
                try store.loadContents()
            }
            store.hasUnsavedMetadata = store.wasOpenedWithNewMetadata
        } catch {
            store.willRemove(from: nil)
            throw error
        }
        return store
    }
}
