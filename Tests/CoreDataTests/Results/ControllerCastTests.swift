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

    @Test("A front that is all that the client keeps goes on telling the delegate")
    func keptFront() throws {
        let stack = try TemporaryStack(storeType: NSInMemoryStoreType)
        let context = stack.context()
        try context.performAndWait {
            let counter = ChangeCounter()
            func make() throws -> NSFetchedResultsController<NSManagedObject>? {
                let request = NSFetchRequest<Shelf>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "copies", ascending: true)]
                let made = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
                made.delegate = counter
                try made.performFetch()
                return NSFetchedResultsController<NSManagedObject>.castIfController(made)
            }
            let kept = try #require(try make())
            _ = context.make("Book", ["title": "Momo"])
            context.processPendingChanges()
            #expect(counter.count == 1)
            #expect(kept.fetchedObjects?.count == 1)
        }
    }

    private final class Shelf: NSManagedObject {}

    private final class ChangeCounter: NSObject, NSFetchedResultsControllerDelegate {
        var count = 0

        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            count += 1
        }
    }
}
