@_spi(Engine) import CoreDataRows
import Foundation
import FoundationCompat

/// What a migration by a manager writes: the whole of it, or nothing.
///
/// It is written in several transactions. After an error, the objects that it has inserted are taken back. Where the program ends
/// meanwhile, a store that the migration has made is marked as unfinished, so that it isn't opened, and the next migration
/// makes it anew. (Our choice: Apple's pages don't say what is left. What stayed would be migrated a second time by a program
/// that tries again.)
struct MigrationResult {
    private let place: MigrationStore
    private let storeClass: NSPersistentStore.Type
    /// Whether there is no store yet: objects may be added to one that is there.
    private let isNew: Bool

    /// Removes a store that an earlier migration didn't finish.
    init(at place: MigrationStore) throws {
        self.place = place
        storeClass = try NSPersistentStoreCoordinator.storeClass(for: place.type)
        try UnfinishedCopy.remove(at: place.url, of: storeClass, options: place.options)
        if place.url.isFileURL {
            // An empty file may have been made to reserve the place; one whose size can't be read isn't there.
            let size = try? FileManager.default.attributesOfItem(atPath: place.url.path)[.size] as? Int
            isNew = (size ?? 0) == 0
        } else {
            // A place whose metadata can't be read has no store.
            isNew = (try? storeClass.metadataForPersistentStore(with: place.url)) == nil
        }
    }

    /// Opens the store that is written. A new one is readable for those who may read the source.
    func open(_ model: NSManagedObjectModel, from source: NSPersistentStore) throws -> (
        store: NSPersistentStore, context: NSManagedObjectContext
    ) {
        let isReserved: Bool
        do {
            isReserved = try StoreFiles.reserve(place.url, for: storeClass, like: source)
        } catch {
            throw place.cannotBeOpened("destination", NSMigrationManagerDestinationStoreError, error)
        }
        do {
            return try place.open(model, isReadOnly: false, code: NSMigrationManagerDestinationStoreError)
        } catch {
            // The failure that is thrown is the one that matters.
            if isReserved { try? StoreFiles.remove(place.url) }
            throw error
        }
    }

    /// Runs the migration, and takes back what it has written where it throws.
    func make(
        _ store: NSPersistentStore, _ context: NSManagedObjectContext, by migrate: () throws -> Void
    ) throws {
        let isMarked = isNew && storeClass.marksUnfinishedCopies
        if isMarked { UnfinishedCopy.mark(store) }
        let record = isNew ? nil : InsertionRecord(of: context)
        do {
            try migrate()
            guard isMarked else { return }
            UnfinishedCopy.unmark(store)
            try context.performAndWait { try context.save() }
        } catch {
            takeBack(record?.keys ?? [], store)
            throw error
        }
    }

    private func takeBack(_ keys: [ObjectKey], _ store: NSPersistentStore) {
        guard let coordinator = store.persistentStoreCoordinator else { return }
        if isNew {
            // The failure of the migration is the one that matters, here and below.
            try? coordinator.remove(store)
            StoreFiles.discard(place.url, of: storeClass, options: place.options)
        } else {
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            // As above.
            try? StoreCopy.delete(keys, of: store, in: context)
        }
    }
}

// Safe: a context posts where it saves, which is inside of the migration, on its thread.
/// The objects that a context has inserted and saved.
private final class InsertionRecord: @unchecked Sendable {
    private(set) var keys: [ObjectKey] = []
    private var token: (any NSObjectProtocol)?

    init(of context: NSManagedObjectContext) {
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { [weak self] notification in
            let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
            self?.keys += (inserted ?? []).map(\.savedKey)
        }
    }

    deinit { token.map { NotificationCenter.default.removeObserver($0) } }
}
