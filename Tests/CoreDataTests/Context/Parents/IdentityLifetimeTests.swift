@testable import CoreData
import Foundation
import Testing

@Suite("Temporary identities are remembered for as long as somebody can ask for them")
@MainActor
struct IdentityLifetimeTests {
    /// Has a child insert authors with a book each, and the root save them.
    private func insert(_ count: Int, in child: NSManagedObjectContext, _ tree: ContextTree) throws
        -> [NSManagedObject]
    {
        let books = (0..<count).map { number in
            child.makeBook("Book \(number)", ["author": child.make("Author", ["name": "Author \(number)"])])
        }
        try child.save()
        try tree.root.save()
        return books
    }

    @Test("A child that inserts for ever doesn't make the family grow for ever")
    func bounded() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let family = try #require(tree.root.family)
        for _ in 0..<20 {
            _ = try insert(100, in: child, tree)
            // Books and authors hold each other until then.
            child.reset()
        }
        #expect(family.identityCount < 1_000)
    }

    @Test("An ID that was taken before the save leads to the object afterwards, whatever else has gone")
    func ids() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let early = tree.root.makeBook("Early").objectID
        let late = child.makeBook("Late").objectID
        try child.save()
        try tree.root.save()
        for _ in 0..<10 { _ = try insert(100, in: child, tree) }
        for context in [tree.root, child, tree.child()] {
            #expect(try context.existingObject(with: early).text("title") == "Early")
            #expect(try context.existingObject(with: late).text("title") == "Late")
        }
    }

    @Test("An ID from before there were children leads to its object in a child")
    func olderThanFamily() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        let id = book.objectID
        let child = tree.child()
        #expect(child.object(with: id).text("title") == "One")
        try tree.root.save()
        #expect(!book.objectID.isTemporaryID)
        #expect(child.object(with: id).objectID == book.objectID)
        #expect(tree.root.object(with: id) === book)
    }

    @Test("A relationship of an object that the child has kept leads to the saved object, much later")
    func relationships() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let book = try insert(1, in: child, tree)[0]
        for _ in 0..<10 { _ = try insert(100, in: child, tree) }
        let author = try #require(book.value(forKey: "author") as? NSManagedObject)
        #expect(author.text("name") == "Author 0" && !author.objectID.isTemporaryID)
        #expect(author.members("books") == [book])
    }

    @Test("An undo in the child brings back a relationship to an object that was saved since")
    func undo() throws {
        let tree = try ContextTree()
        let child = tree.child()
        let manager = UndoManager()
        manager.groupsByEvent = false
        let book = child.makeBook("One", ["author": child.make("Author", ["name": "A"])])
        try child.save()
        child.undoManager = manager
        manager.beginUndoGrouping()
        book.setValue(nil, forKey: "author")
        child.processPendingChanges()
        manager.endUndoGrouping()
        try child.save()
        try tree.root.save()
        manager.disableUndoRegistration()
        for _ in 0..<10 { _ = try insert(100, in: child, tree) }
        manager.enableUndoRegistration()
        child.undo()
        #expect((book.value(forKey: "author") as? NSManagedObject)?.text("name") == "A")
        try child.save()
        try tree.root.save()
        #expect(try tree.stored().all("Book", "author.name == 'A'").count == 1)
    }
}
