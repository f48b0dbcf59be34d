import CoreData
import Foundation
import Testing

@Suite("A context takes over what another one has saved")
struct MergingTests {
    /// Calls `body` and gives the first notification of that name that the context posts meanwhile.
    private func notification(
        _ name: Notification.Name, from context: NSManagedObjectContext, _ body: () throws -> Void
    ) rethrows -> Notification? {
        nonisolated(unsafe) var found: Notification?
        let token = NotificationCenter.default.addObserver(forName: name, object: context, queue: nil) { found = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try body()
        return found
    }

    @Test("Updates are refreshed under the context's own changes, deletions leave, insertions come as faults")
    func merging() throws {
        let stack = try TemporaryStack()
        let (writer, reader) = (stack.context(), stack.context())
        let (kept, gone) = (writer.makeBook("Kept", ["pages": 1]), writer.makeBook("Gone"))
        try writer.save()
        let mine = try reader.existingObject(with: kept.objectID)
        let lost = try reader.existingObject(with: gone.objectID)
        mine.setValue(99, forKey: "pages")

        kept.setValue("Renamed", forKey: "title")
        writer.delete(gone)
        let new = writer.makeBook("New")
        let saved = try #require(
            try notification(NSManagedObjectContext.didSaveObjectsNotification, from: writer) { try writer.save() })
        #expect((saved.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>) == [new])

        let change = notification(NSManagedObjectContext.didChangeObjectsNotification, from: reader) {
            reader.mergeChanges(fromContextDidSave: saved)
        }
        #expect(mine.text("title") == "Renamed")
        #expect(mine.value(forKey: "pages") as? Int == 99)
        #expect(lost.managedObjectContext == nil)
        #expect(!reader.deletedObjects.contains(lost))
        let inserted = change?.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
        #expect(inserted?.first?.objectID == new.objectID)
        #expect((change?.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject>) == [lost])
        try reader.save()
        #expect(try stack.reopened().all("Book", "pages == 99").first?.text("title") == "Renamed")
    }

    /// A context that has changed a book's title and then deleted it, when another one saves a new number of pages.
    private func deletedAndMerged(
        in stack: TemporaryStack, undoManager: UndoManager? = nil
    ) throws -> (context: NSManagedObjectContext, book: NSManagedObject) {
        let (writer, reader) = (stack.context(), stack.context())
        let book = writer.makeBook("One", ["pages": 1])
        try writer.save()
        let mine = try reader.existingObject(with: book.objectID)
        mine.setValue("Mine", forKey: "title")
        reader.processPendingChanges()
        reader.undoManager = undoManager
        undoManager?.beginUndoGrouping()
        reader.delete(mine)
        reader.processPendingChanges()
        undoManager?.endUndoGrouping()
        book.setValue(2, forKey: "pages")
        let saved = try #require(
            try notification(NSManagedObjectContext.didSaveObjectsNotification, from: writer) { try writer.save() })
        let change = notification(NSManagedObjectContext.didChangeObjectsNotification, from: reader) {
            reader.mergeChanges(fromContextDidSave: saved)
        }
        #expect(change == nil)
        #expect(reader.deletedObjects == [mine])
        return (reader, mine)
    }

    @Test("An object that is to be deleted returns, on a rollback, to what was merged")
    func rollbackOfMergedDeletion() throws {
        let stack = try TemporaryStack()
        let (context, book) = try deletedAndMerged(in: stack)
        context.rollback()
        #expect(!context.hasChanges)
        #expect(book.value(forKey: "pages") as? Int == 2)
        #expect(book.text("title") == "One")
    }

    @Test("An undone deletion brings back the object's own changes over what was merged")
    func undoOfMergedDeletion() throws {
        let stack = try TemporaryStack()
        let manager = UndoManager()
        manager.groupsByEvent = false
        let (context, book) = try deletedAndMerged(in: stack, undoManager: manager)
        context.undo()
        #expect(book.value(forKey: "pages") as? Int == 2)
        #expect(book.text("title") == "Mine")
        try context.save()
        let stored = try #require(try stack.reopened().all("Book").first)
        #expect(stored.value(forKey: "pages") as? Int == 2)
        #expect(stored.text("title") == "Mine")
    }

    @Test("The deletion of a merged object is saved without a conflict")
    func saveOfMergedDeletion() throws {
        let stack = try TemporaryStack()
        let (context, _) = try deletedAndMerged(in: stack)
        try context.save()
        #expect(try stack.reopened().all("Book").isEmpty)
    }

    @Test("With automatic merging it happens by itself, on the context's queue")
    func automatic() async throws {
        let stack = try TemporaryStack()
        let (writer, reader) = (stack.context(), stack.queueContext())
        let book = writer.makeBook("One")
        try writer.save()
        reader.automaticallyMergesChangesFromParent = true
        let mine = try reader.performAndWait { try reader.existingObject(with: book.objectID) }
        book.setValue("Two", forKey: "title")
        try writer.save()
        let title = await reader.perform(schedule: .enqueued) { mine.text("title") }
        #expect(title == "Two")
    }

    @Test("The URIs of a remote save are enough")
    func remote() throws {
        let stack = try TemporaryStack()
        let (writer, reader) = (stack.context(), stack.context())
        let book = writer.makeBook("One")
        try writer.save()
        let mine = try reader.existingObject(with: book.objectID)
        book.setValue("Two", forKey: "title")
        try writer.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [book.objectID.uriRepresentation()]], into: [reader])
        #expect(mine.text("title") == "Two")
    }
}
