import CoreData
import Foundation
import Testing

@Suite("Removing a store is no change that can be undone")
@MainActor
struct RemovalWithUndoTests {
    @Test("An unsaved object that stays loses what it led to, and nothing is registered with the undo manager")
    func unsavedStays() throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: NSSQLiteStoreType)
        let context = stack.context()
        let author = context.make("Author", ["name": "stored"])
        try context.save()
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        manager.beginUndoGrouping()
        let book = context.make("Book", ["name": "new", "author": author])
        context.processPendingChanges()
        manager.endUndoGrouping()
        let coordinator = try #require(context.persistentStoreCoordinator)
        for store in coordinator.persistentStores { try coordinator.remove(store) }
        #expect(book.value(forKey: "author") == nil)
        #expect(!manager.canUndo)
        #expect(author.managedObjectContext == nil)
    }
}
