import CoreData

extension NSPersistentContainer {
    /// A context that belongs to whoever uses it, one thread at a time, as the oldest kind does: a test may use it from its own task
    /// without `perform`, while the check of queues stops at every other context that is used so.
    func newThreadContext() -> NSManagedObjectContext {
        let context = NSManagedObjectContext(concurrencyType: .confinementConcurrencyType)
        context.persistentStoreCoordinator = persistentStoreCoordinator
        return context
    }
}
