import CoreData
import Foundation
import Testing

@Suite("An object that another context has deleted")
@MainActor
struct MergedDeletionTests {
    private final class Listener: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
        var found: [NSManagedObject] = []
        var wanted: [NSManagedObject] = []
        func controller(
            _ controller: NSFetchedResultsController<any NSFetchRequestResult>, didChange object: Any,
            at path: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
        ) {
            guard type == .delete, let object = object as? NSManagedObject else { return }
            wanted.append(object)
            if let same = try? controller.managedObjectContext.existingObject(with: object.objectID) {
                found.append(same)
            }
        }
    }

    @Test(
        "counts as deleted until the context saves or is reset, and is none of its changes", arguments: [false, true])
    func isDeleted(isReset: Bool) throws {
        let tree = try ContextTree()
        let books = (0..<200).map { tree.root.makeBook("\($0)") }
        try tree.root.save()
        let other = tree.sibling()
        for book in books { other.delete(other.object(with: book.objectID)) }
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        tree.root.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(books.allSatisfy { $0.isDeleted && $0.managedObjectContext == nil })
        #expect(!tree.root.hasChanges && tree.root.deletedObjects.isEmpty)
        if isReset { tree.root.reset() } else { try tree.root.save() }
        #expect(!books.contains { $0.isDeleted })
    }

    @Test("may be deleted by whoever is told of it, and afterwards: nothing is left to be done")
    func deletedAgain() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let other = tree.sibling()
        other.delete(other.object(with: book.objectID))
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        let (root, id) = (tree.root, book.objectID)
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: root, queue: nil
        ) { _ in MainActor.assumeIsolated { root.delete(root.object(with: id)) } }
        root.mergeChanges(fromContextDidSave: try #require(saved.last))
        NotificationCenter.default.removeObserver(token)
        root.delete(book)
        #expect(!root.hasChanges)
        try root.save()
    }

    @Test("is told apart from one of a context that was reset, of which the program would lose the deletion")
    func deletedAfterReset() async {
        await #expect(processExitsWith: .failure) {
            try await MainActor.run {
                let tree = try ContextTree()
                let book = tree.root.makeBook("One")
                try tree.root.save()
                tree.root.reset()
                tree.root.delete(book)
            }
        }
    }

    @Test("can be looked up by whoever is told of it, and not afterwards")
    func lookedUp() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let id = book.objectID
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: tree.root, sectionNameKeyPath: nil, cacheName: nil)
        let listener = Listener()
        results.delegate = listener
        try results.performFetch()
        let other = tree.sibling()
        other.delete(other.object(with: id))
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        tree.root.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(listener.wanted == [book] && listener.found == [book])
        #expect(tree.root.registeredObject(for: id) == nil && book.managedObjectContext == nil)
        #expect(throws: NSError.self) { try tree.root.existingObject(with: id) }
        #expect(results.fetchedObjects?.isEmpty == true)
    }
}
