import CoreData
import Testing

@Suite("Controllers that are seen as ones for other results")
struct ControllerCastTests {
    @Test(
        "What a delegate is handed is cast to the controller that the client made, or to another front of its results")
    func casts() throws {
        let stack = try TemporaryStack(storeType: NSInMemoryStoreType)
        let context = stack.context()
        try context.performAndWait {
            let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
            request.sortDescriptors = [NSSortDescriptor(key: "copies", ascending: true)]
            let made = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
            try made.performFetch()
            let handed = NSFetchedResultsController<any NSFetchRequestResult>.cast(made)
            #expect(handed.fetchedObjects?.count == made.fetchedObjects?.count)
            #expect(NSFetchedResultsController<NSManagedObject>.cast(handed) === made)
            #expect(NSFetchedResultsController<NSManagedObject>.castIfController(handed) === made)
            #expect(NSFetchedResultsController<NSManagedObject>.castIfController("text") == nil)
        }
    }
}
