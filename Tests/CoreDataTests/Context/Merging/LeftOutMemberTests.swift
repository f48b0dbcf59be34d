import CoreData
import Foundation
import Testing

@Suite("A member that a context was about to delete when it read the relationship, over every store type")
@MainActor
struct LeftOutMemberTests {
    /// A context that has read a shelf to which others have added a book that it is about to delete.
    private struct Room {
        let tree: ContextTree
        let book: NSManagedObject
        let shelf: NSManagedObject
        let added: Notification

        @MainActor
        init(_ storeType: String) throws {
            tree = try ContextTree(model: Shelves.model(), storeType: storeType)
            let context = tree.root
            let manager = UndoManager()
            manager.groupsByEvent = false
            book = context.make("Book", ["name": "b"])
            try context.save()
            context.undoManager = manager
            manager.beginUndoGrouping()
            context.delete(book)
            context.processPendingChanges()
            manager.endUndoGrouping()
            let others = tree.sibling()
            let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: others)
            let theirs = try others.existingObject(with: book.objectID)
            theirs.setValue(others.make("Shelf", ["name": "s"]), forKey: "shelf")
            try others.save()
            added = try #require(saved.last)
            shelf = try #require(context.all("Shelf").first)
        }

        var books: [NSManagedObject]? { (shelf.value(forKey: "books") as? NSOrderedSet)?.array as? [NSManagedObject] }
    }

    @Test(
        "is one again once the deletion is taken back and the save merged", arguments: Library.storeTypes,
        [true, false])
    func takenBack(storeType: String, byRollback: Bool) throws {
        let room = try Room(storeType)
        #expect(room.books == [])
        if byRollback { room.tree.root.rollback() } else { room.tree.root.undo() }
        room.tree.root.mergeChanges(fromContextDidSave: room.added)
        #expect(room.books == [room.book])
        #expect(room.book.value(forKey: "shelf") as? NSManagedObject === room.shelf)
        if byRollback { #expect(!room.tree.root.hasChanges) }
        try room.tree.root.save()
        let stored = try #require(room.tree.stored().all("Book").first)
        #expect((stored.value(forKey: "shelf") as? NSManagedObject)?.text("name") == "s")
    }
}
