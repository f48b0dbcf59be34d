import CoreData
import Foundation

/// A container over a store that is there, and a context of it.
struct StoreStack {
    let container: NSPersistentContainer
    let context: NSManagedObjectContext

    init(_ url: URL, model: NSManagedObjectModel, isReadOnly: Bool = false) throws {
        container = NSPersistentContainer(name: "Fixture", managedObjectModel: model)
        let description = NSPersistentStoreDescription(url: url)
        description.isReadOnly = isReadOnly
        container.persistentStoreDescriptions = [description]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        context = container.newThreadContext()
    }

    /// Closes the files, as the end of a program does.
    func close() throws {
        for store in container.persistentStoreCoordinator.persistentStores {
            try container.persistentStoreCoordinator.remove(store)
        }
    }
}
