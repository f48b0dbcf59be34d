import CoreData
import Foundation
import Testing

@Suite("A row that was deleted and inserted again, over every store type")
struct ReinsertedRowTests {
    @Test("isn't taken for the one that was read before", arguments: Library.storeTypes)
    func staleContext(storeType: String) throws {
        let stack = try TemporaryStack(model: ThingModel.make(), storeType: storeType)
        let (first, stale) = (stack.context(), stack.context())
        let manager = UndoManager()
        manager.groupsByEvent = false
        first.undoManager = manager
        manager.beginUndoGrouping()
        let thing = first.make("Thing", ["name": "A", "size": 1])
        first.processPendingChanges()
        manager.endUndoGrouping()
        try first.save()
        let mine = try stale.existingObject(with: thing.objectID)
        #expect(mine.value(forKey: "size") as? Int == 1)
        manager.beginUndoGrouping()
        first.delete(thing)
        first.processPendingChanges()
        manager.endUndoGrouping()
        try first.save()
        manager.undo()
        first.undoManager = nil
        thing.setValue(50, forKey: "size")
        try first.save()
        // The context goes on with the row that it has just made.
        thing.setValue(51, forKey: "size")
        try first.save()
        mine.setValue("B", forKey: "name")
        let error = #expect(throws: NSError.self) { try stale.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        stale.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        try stale.save()
        let read = try stack.context().existingObject(with: mine.objectID)
        #expect(read.value(forKey: "name") as? String == "B" && read.value(forKey: "size") as? Int == 51)
    }

    @Test("isn't taken for a version that the one who brings it back hasn't read", arguments: Library.storeTypes)
    func unreadVersion(storeType: String) throws {
        let stack = try TemporaryStack(model: ThingModel.make(), storeType: storeType)
        let (first, bringing, deleting) = (stack.context(), stack.context(), stack.context())
        bringing.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        let thing = first.make("Thing", ["name": "A", "size": 1])
        try first.save()
        let brought = try bringing.existingObject(with: thing.objectID)
        #expect(brought.value(forKey: "size") as? Int == 1)
        thing.setValue("B", forKey: "name")
        try first.save()
        deleting.delete(try deleting.existingObject(with: thing.objectID))
        try deleting.save()
        brought.setValue(99, forKey: "size")
        try bringing.save()
        thing.setValue("C", forKey: "name")
        let error = #expect(throws: NSError.self) { try first.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let stored = try stack.context().existingObject(with: thing.objectID)
        #expect(stored.value(forKey: "size") as? Int == 99 && stored.value(forKey: "name") as? String == "A")
    }
}
