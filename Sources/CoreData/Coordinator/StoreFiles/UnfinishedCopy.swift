@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

/// The mark in the metadata of a store that another one is being saved as, or migrated to.
///
/// Such a store is written in several transactions. A process that ends between them leaves a store which lacks objects, so it
/// isn't opened; writing to its place again starts anew. (Our choice: Apple's pages don't speak of it.)
enum UnfinishedCopy {
    private static let key = StoreMetadata.unfinishedCopyKey

    static func mark(_ store: NSPersistentStore) { store.metadata?[key] = true }

    static func unmark(_ store: NSPersistentStore) { store.metadata?[key] = nil }

    /// - Throws: `NSPersistentStoreOpenError` for a store that isn't whole.
    static func refuse(_ store: NSPersistentStore) throws {
        guard store.metadata?[key] != nil else { return }
        throw CoreDataError.make(
            NSPersistentStoreOpenError,
            "\(store.place) is what another store was saved as or migrated to, and wasn't finished, as the program ended "
                + "meanwhile. Save or migrate the other store there again, or destroy this one.",
            [NSAffectedStoresErrorKey: [store]])
    }

    /// Removes such a store, whose place is wanted for another one.
    static func remove(
        at url: URL, of storeClass: NSPersistentStore.Type, options: [AnyHashable: Any]?
    ) throws {
        guard storeClass.marksUnfinishedCopies,
            !url.isFileURL || FileManager.default.fileExists(atPath: url.path),
            // A file whose metadata can't be read is none; opening it says what it is.
            let metadata = try? storeClass.metadataForPersistentStore(with: url), metadata[key] != nil
        else { return }
        try storeClass.destroyPersistentStore(at: url, options: options)
        if url.isFileURL { try StoreFiles.remove(url) }
    }
}
