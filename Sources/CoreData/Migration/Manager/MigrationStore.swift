import Foundation
import ManagedObjectModel

/// One end of a migration.
struct MigrationStore {
    var url: URL
    var type: String
    var configuration: String?
    var options: [AnyHashable: Any]?

    /// Nil where there is no store, or its metadata can't be read.
    private var metadata: [String: Any]? {
        // What can't be read is said when the store is opened.
        try? NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: type, at: url, options: options)
    }

    /// The configuration of a model that the store was made for; nil where that is the whole model.
    func configuration(in model: NSManagedObjectModel) -> String? { configuration(in: model, orForNew: nil) }

    /// The same, or where there is no store yet, the configuration of that name. A destroyed store's file is none.
    func configuration(in model: NSManagedObjectModel, orForNew name: String?) -> String? {
        guard let metadata, NSManagedObjectModel.versionHashes(in: metadata) != nil else {
            return name.flatMap { model.configurations.contains($0) ? $0 : nil }
        }
        return model.configuration(ofStoreWith: metadata)
    }

    /// Opens the store with a context of its own.
    func open(
        _ model: NSManagedObjectModel, isReadOnly: Bool, code: Int
    ) throws -> (store: NSPersistentStore, context: NSManagedObjectContext) {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        var options = self.options ?? [:]
        options[NSMigratePersistentStoresAutomaticallyOption] = nil
        if isReadOnly { options[NSReadOnlyPersistentStoreOption] = true }
        do {
            let store = try coordinator.addPersistentStore(
                ofType: type, configurationName: configuration, at: url, options: options)
            let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
            context.persistentStoreCoordinator = coordinator
            context.undoManager = nil
            return (store, context)
        } catch {
            throw cannotBeOpened(isReadOnly ? "source" : "destination", code, error)
        }
    }

    func cannotBeOpened(_ side: String, _ code: Int, _ error: any Error) -> any Error {
        MigrationError.make(
            "The \(side) of the migration, \(url.path), can't be opened: \(error.localizedDescription)", code: code,
            [NSUnderlyingErrorKey: error, NSURLErrorKey: url])
    }
}
