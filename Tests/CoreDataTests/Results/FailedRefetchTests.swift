import CoreData
import Testing

@Suite("A fetched results controller that can't fetch what it has missed")
struct FailedRefetchTests {
    private final class Delegate: NSObject, NSFetchedResultsControllerDelegate {
        var changes = 0
        func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
            changes += 1
        }
    }

    @Test("shows what it had, says so, and goes on from there")
    func failure() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        context.make("Author", ["name": "A"])
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        try controller.performFetch()
        context.make("Author", ["name": "B"])
        context.processPendingChanges()
        // Any reason for which a fetch fails.
        request.predicate = NSPredicate(format: "name MATCHES '('")
        let (delegate, another) = (Delegate(), Delegate())
        controller.delegate = delegate
        #expect(controller.fetchedObjects?.map { $0.text("name") } == ["A"])
        #expect(throws: (any Error).self) { try controller.performFetch() }
        request.predicate = nil
        context.make("Author", ["name": "C"])
        context.processPendingChanges()
        #expect(delegate.changes == 1)
        #expect(controller.fetchedObjects?.map { $0.text("name") } == ["A", "C"])
        controller.delegate = another
        #expect(controller.fetchedObjects?.map { $0.text("name") } == ["A", "B", "C"])
    }
}
