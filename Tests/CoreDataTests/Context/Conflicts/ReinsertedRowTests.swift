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
}
