import CoreData

/// The store's file and its model: the one given, or the one that the store carries.
@MainActor
struct TourFiles {
    let storeURL: URL
    let model: NSManagedObjectModel

    init(storePath: String, modelPath: String?) throws {
        storeURL = URL(fileURLWithPath: storePath)
        if let modelPath {
            model = try ModelFile.read(URL(fileURLWithPath: modelPath))
        } else {
            model = try NSPersistentStoreCoordinator.cachedModel(forStoreAt: storeURL, ofType: NSSQLiteStoreType)
        }
    }

    /// A new stack over the file, which knows nothing of what earlier ones had in memory.
    func open() throws -> NSPersistentContainer {
        let container = NSPersistentContainer(name: "Tour", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: storeURL)
        description.type = NSSQLiteStoreType
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return container
    }

    /// Opens the file anew for one piece of work and closes it again.
    func reopened<Result>(_ work: (NSManagedObjectContext) throws -> Result) throws -> Result {
        let container = try open()
        defer {
            for store in container.persistentStoreCoordinator.persistentStores {
                try? container.persistentStoreCoordinator.remove(store)
            }
        }
        return try work(container.viewContext)
    }
}
