import CoreData
import Foundation
import Testing

@Suite("Inserting an object that the context has inserted already")
struct ReinsertionTests {
    @Test("is told as an insertion once more, can't be undone a second time, and is saved once")
    func told() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        let manager = UndoManager()
        manager.groupsByEvent = false
        context.undoManager = manager
        let log = SaveLog(context, .NSManagedObjectContextObjectsDidChange)
        manager.beginUndoGrouping()
        let book = context.makeBook("Momo")
        context.insert(book)
        context.processPendingChanges()
        manager.endUndoGrouping()
        func told() -> [Set<NSManagedObject>?] {
            log.take().map { $0.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> }
        }
        #expect(told() == [[book]])
        manager.beginUndoGrouping()
        context.insert(book)
        context.processPendingChanges()
        manager.endUndoGrouping()
        #expect(told() == [[book]])
        #expect(context.insertedObjects == [book] && context.updatedObjects.isEmpty)
        try context.save()
        #expect(try stack.context().all("Book").count == 1)
        context.insert(book)
        context.processPendingChanges()
        #expect(!context.hasChanges)
    }
}
