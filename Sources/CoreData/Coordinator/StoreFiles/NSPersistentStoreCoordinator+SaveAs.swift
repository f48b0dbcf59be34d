@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat
import ManagedObjectModel

extension NSPersistentStoreCoordinator {
    func saveAs(
        _ store: NSPersistentStore, at storeURL: URL, options: [AnyHashable: Any]?, type storeType: String
    ) throws -> NSPersistentStore {
        try requireOurs(store)
        // No lock is held while observers are notified. What they save then has to be copied: so before the copy is made.
        postWillRemove(store)
        let exchange = try gate.alone {
            let exchange = try copy(store, to: storeURL, options: options, type: storeType)
            carryOut(exchange)
            return exchange
        }
        for context in contexts.contexts where context.queue.isCurrent && context.parent == nil {
            context.performAndWait { context.adopt(exchange) }
        }
        // Children follow their parents.
        gate.afterwards { [contexts] in contexts.perform { if $0.parent == nil { $0.adopt(exchange) } } }
        postExchange(exchange)
        return exchange.new
    }

    /// Moves a store's contents to another place, and to another type where that is asked for: "Save As".
    ///
    /// See ``migratePersistentStore(_:to:options:withType:)``.
    @discardableResult
    public func migratePersistentStore(
        _ store: NSPersistentStore, to storeURL: URL, options: [AnyHashable: Any]? = nil,
        type storeType: NSPersistentStore.StoreType
    ) throws -> NSPersistentStore {
        try migratePersistentStore(store, to: storeURL, options: options, withType: storeType.rawValue)
    }

    private func copy(
        _ store: NSPersistentStore, to url: URL, options: [AnyHashable: Any]?, type: String
    ) throws -> StoreExchange {
        try requireOurs(store)
        let storeClass = try Self.storeClass(for: type)
        if storeAddedOrArriving(at: url) == nil { try UnfinishedCopy.remove(at: url, of: storeClass, options: options) }
        let wasThere = FileManager.default.fileExists(atPath: url.path)
        var writable = options
        writable?[NSReadOnlyPersistentStoreOption] = nil
        let isReserved = try StoreFiles.reserve(url, for: storeClass, like: store)
        let new: NSPersistentStore
        do {
            new = try openStore(
                ofType: type, configuration: store.requestedConfiguration, at: url, options: writable)
        } catch {
            // The failure that is thrown is the one that matters.
            if isReserved { try? StoreFiles.remove(url) }
            throw error
        }
        let copy = StoreCopy(from: store, to: new, in: self)
        do {
            try join(new) {
                new.metadata = Self.clientMetadata(of: store).merging(new.metadata ?? [:]) { $1 }
                do {
                    try copy.run()
                } catch {
                    // The failure that is thrown is the one that matters.
                    if wasThere { try? copy.deleteSaved() }
                    throw error
                }
            }
        } catch {
            new.willRemove(from: nil)
            if !wasThere { StoreFiles.discard(url, of: storeClass, options: options) }
            throw error
        }
        // What was read while the store was being filled may be older than what was saved last.
        new.rowCache.removeAll()
        new.markSaved(metadata: new.metadataRevision)
        if options?.isSet(NSReadOnlyPersistentStoreOption) == true { new.isReadOnly = true }
        return StoreExchange(old: store, new: new, identities: copy.identities, versions: copy.versions)
    }

    /// The metadata of a store without the entries that every store has.
    private static func clientMetadata(of store: NSPersistentStore) -> [String: Any] {
        (store.metadata ?? [:]).filter { key, _ in
            !key.hasPrefix("NSStore") && !key.hasPrefix("NSPersistence") && !key.hasPrefix("_NS")
        }
    }

    private func postExchange(_ exchange: StoreExchange) {
        let (old, new) = (exchange.old, exchange.new)
        let entities = layout.entities
        let ids = exchange.identities.all.map {
            NSManagedObjectID(layout: entities[Int($0.entityIndex)], handle: $0.handle, store: new)
        }
        post(
            Self.storesDidChangeNotification,
            [
                NSAddedPersistentStoresKey: [new], NSRemovedPersistentStoresKey: [old],
                NSUUIDChangedPersistentStoresKey: [old, new, ids] as [Any],
            ])
    }
}
