import CoreData
import Foundation

/// A coordinator over one file, and a context that tests use from their own thread.
struct AtomicStack {
    let coordinator: NSPersistentStoreCoordinator
    let store: NSPersistentStore
    let context: NSManagedObjectContext

    init(
        _ url: URL?, type: String, model: NSManagedObjectModel? = nil, options: [AnyHashable: Any]? = nil
    ) throws {
        coordinator = NSPersistentStoreCoordinator(managedObjectModel: try model ?? Library.model(for: type))
        store = try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: url, options: options)
        context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = coordinator
    }

    /// Removes the stores, as the end of a program does.
    func close() throws {
        for store in coordinator.persistentStores { try coordinator.remove(store) }
    }

    /// What is read from the file by a stack that lives that long.
    static func read<Result>(
        _ url: URL, type: String, _ body: (NSManagedObjectContext) throws -> Result
    ) throws -> Result {
        let stack = try AtomicStack(url, type: type)
        return try withExtendedLifetime(stack) { try body(stack.context) }
    }
}
