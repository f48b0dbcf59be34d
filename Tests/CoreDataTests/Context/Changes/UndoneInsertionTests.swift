import CoreData
import Foundation
import Testing

@Suite("What still leads to an object whose insertion is undone lets it go")
@MainActor
struct UndoneInsertionTests {

    private func group(_ context: NSManagedObjectContext, _ body: () throws -> Void) rethrows {
        context.undoManager?.beginUndoGrouping()
        try body()
        context.processPendingChanges()
        context.undoManager?.endUndoGrouping()
    }

    private func undoing(_ context: NSManagedObjectContext) -> UndoManager {
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        return manager
    }

    @Test(
        "though a merge has led it there, and the object's deletion is undone with the insertion",
        arguments: Library.storeTypes)
    func merged(type: String) throws {
        let tree = try ContextTree(storeType: type)
        let (context, other) = (tree.root, tree.sibling())
        let book = context.makeBook("One")
        try context.save()
        let manager = undoing(context)
        var made: NSManagedObject?
        group(context) { made = context.make("Author", ["name": "A"]) }
        let author = try #require(made)
        try context.save()
        other.object(with: book.objectID).setValue(other.object(with: author.objectID), forKey: "author")
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        context.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(book.value(forKey: "author") as? NSManagedObject === author)
        group(context) { context.delete(author) }
        try context.save()
        manager.undo()
        #expect(book.value(forKey: "author") as? NSManagedObject === author)
        manager.undo()
        context.processPendingChanges()
        #expect(author.managedObjectContext == nil && book.value(forKey: "author") == nil)
        try context.save()
        let stored = try tree.stored()
        #expect(try stored.all("Book").first?.value(forKey: "author") == nil)
        #expect(try stored.all("Author").isEmpty)
    }

    @Test("though the change that led there wasn't registered, to-one and to-many", arguments: Library.storeTypes)
    func unregistered(type: String) throws {
        let tree = try ContextTree(storeType: type)
        let context = tree.root
        let (book, author) = (context.makeBook("One"), context.make("Author", ["name": "A"]))
        try context.save()
        let manager = undoing(context)
        var made: [NSManagedObject] = []
        group(context) { made = [context.makeBook("Two"), context.make("Author", ["name": "B"])] }
        manager.disableUndoRegistration()
        made[0].setValue(author, forKey: "author")
        book.setValue(made[1], forKey: "author")
        context.processPendingChanges()
        manager.enableUndoRegistration()
        manager.undo()
        context.processPendingChanges()
        #expect(book.value(forKey: "author") == nil && author.members("books").isEmpty)
        try context.save()
        manager.redo()
        context.processPendingChanges()
        #expect(author.members("books") == [made[0]] && book.value(forKey: "author") as? NSManagedObject === made[1])
        try context.save()
        let stored = try tree.stored()
        #expect(try stored.all("Book").count == 2 && stored.all("Author").count == 2)
    }
}
