import CoreData
import Foundation
import Testing

@Suite("What a context tracks can be undone and redone")
struct UndoTests {
    /// A context whose undo manager groups what each call of `step` does.
    private final class Session {
        let stack: TemporaryStack
        let context: NSManagedObjectContext
        let manager = UndoManager()

        init() throws {
            stack = try TemporaryStack()
            context = stack.context()
            manager.groupsByEvent = false
            context.undoManager = manager
        }

        func step<T>(_ body: () throws -> T) rethrows -> T {
            manager.beginUndoGrouping()
            defer {
                context.processPendingChanges()
                manager.endUndoGrouping()
            }
            return try body()
        }
    }

    @Test("Taking back the insertion of an object that others have deleted since leaves nothing to save")
    func insertionOfObjectDeletedElsewhere() throws {
        let session = try Session()
        let book = session.step { session.context.makeBook("One") }
        try session.context.save()
        session.context.automaticallyMergesChangesFromParent = true
        let other = session.stack.context()
        other.delete(try other.existingObject(with: book.objectID))
        try other.save()
        session.context.performAndWait {}
        #expect(book.managedObjectContext == nil)
        session.context.undo()
        #expect(!session.context.hasChanges)
    }

    @Test("A rollback takes away what was inserted and deleted in the same event")
    func rollbackOfNewObjects() throws {
        let session = try Session()
        let book = session.context.makeBook("One")
        session.context.delete(book)
        session.context.rollback()
        #expect(book.managedObjectContext == nil)
        #expect(session.context.registeredObjects.isEmpty)
        #expect(!session.context.hasChanges)
    }

    @Test("A changed value goes back and forth")
    func values() throws {
        let session = try Session()
        let book = session.step { session.context.makeBook("One", ["pages": 1]) }
        try session.context.save()
        session.step { book.setValue("Two", forKey: "title") }
        session.context.undo()
        #expect(book.text("title") == "One")
        session.context.redo()
        #expect(book.text("title") == "Two")
        try session.context.save()
        session.context.undo()
        #expect(book.text("title") == "One")
        #expect(session.context.hasChanges)
        try session.context.save()
        #expect(try session.stack.reopened().all("Book").first?.text("title") == "One")
    }

    @Test("An inserted object leaves and comes back, with its relationships and its identity")
    func insertion() throws {
        let session = try Session()
        let author = session.step { session.context.make("Author", ["name": "A"]) }
        let book = session.step { session.context.makeBook("One", ["author": author]) }
        let id = book.objectID
        session.context.undo()
        #expect(book.managedObjectContext == nil)
        #expect(author.members("books").isEmpty)
        #expect(session.context.insertedObjects == [author])
        session.context.redo()
        #expect(book.objectID == id)
        #expect(author.members("books") == [book])
        #expect(book.value(forKey: "author") as? NSManagedObject === author)
        try session.context.save()
        #expect(try session.stack.reopened().all("Author").first?.titles("books") == ["One"])
    }

    @Test("A deletion is undone with all that it cut or took along, also after it was saved")
    func deletion() throws {
        let session = try Session()
        let context = session.context
        let (author, book) = session.step {
            let author = context.make("Author", ["name": "A"])
            return (author, context.makeBook("One", ["author": author]))
        }
        let member = session.step { context.make("Member", ["name": "M", "card": 1]) }
        let loan = session.step {
            context.make("Loan", ["lent": Date(), "due": Date(), "book": book, "member": member])
        }
        try context.save()

        session.step { context.delete(member) }
        #expect(loan.isDeleted)
        context.undo()
        #expect(!loan.isDeleted)
        #expect(book.members("loans") == [loan])

        session.step { context.delete(author) }
        #expect(book.value(forKey: "author") == nil)
        try context.save()
        context.undo()
        #expect(book.value(forKey: "author") as? NSManagedObject === author)
        try context.save()
        let reread = try session.stack.reopened().all("Author").first
        #expect(reread?.titles("books") == ["One"])
        #expect(reread?.objectID.uriRepresentation() == author.objectID.uriRepresentation())
    }

    @Test("A rollback leaves nothing to undo")
    func rollback() throws {
        let session = try Session()
        _ = session.step { session.context.makeBook("One") }
        session.context.rollback()
        #expect(!session.manager.canUndo)
    }
}
