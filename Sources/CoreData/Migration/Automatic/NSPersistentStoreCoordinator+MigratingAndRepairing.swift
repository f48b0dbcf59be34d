import Foundation
import ManagedObjectModel

/// Migrating, examining and repairing a store that lies in files, by the command-line tool and by tests.
extension NSPersistentStoreCoordinator {
    /// Migrates a store where it lies.
    ///
    /// - Parameters:
    ///   - mapping: how; nil to work it out.
    ///   - progress: called with the part that is done, from 0 to 1.
    /// - Throws: what stands in the way; the store is as it was then.
    package class func migrateStore(
        at url: URL, ofType type: String, from source: NSManagedObjectModel, to destination: NSManagedObjectModel,
        mapping: NSMappingModel? = nil, progress: @escaping (Double) -> Void = { _ in }
    ) throws {
        let migration = StoreMigration(
            url: url, type: type, source: source, destination: destination, mappingModel: mapping, progress: progress)
        let storeClass = try storeClass(for: type)
        try MigrationLock(url, of: storeClass, options: nil).hold {
            AbandonedStoreFiles.remove(besides: url)
            // A class that can't tell without opening the store finds out when it migrates.
            let metadata = try? storeClass.metadataForPersistentStore(with: url)
            // Another process or stack has migrated the store while this one waited for it.
            if let metadata, destination.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata),
                !source.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
            {
                return progress(1)
            }
            try migration.run()
        }
    }

    private class func examiner(_ type: String) throws -> any UnopenedStores.Type {
        let storeClass = try storeClass(for: type)
        if let stores = storeClass.unopenedStores { return stores }
        throw CoreDataError.unsupportedRequest("Stores of the class \(storeClass) can't be examined.")
    }

    /// What is wrong with a store. Nothing in it changes.
    package class func examineStore(
        at url: URL, ofType type: String = NSSQLiteStoreType, model: NSManagedObjectModel
    ) throws -> [StoreFinding] {
        try examiner(type).findings(inStoreAt: url, model: model)
    }

    /// Mends what can be mended in a store without losing a value, after a copy of it was made.
    ///
    /// - Returns: the copy, and what is still wrong.
    package class func repairStore(
        at url: URL, ofType type: String = NSSQLiteStoreType, model: NSManagedObjectModel
    ) throws -> (backup: URL, left: [StoreFinding]) {
        try examiner(type).repair(storeAt: url, model: model)
    }
}
