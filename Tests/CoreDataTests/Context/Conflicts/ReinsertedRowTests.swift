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

    @Test(
        "that others have brought back before an insertion is redone is found once, and the policy decides on its values",
        arguments: Library.storeTypes)
    func redoneBesideOthers(storeType: String) throws {
        let policies: [(NSMergePolicy, String?)] = [
            (.error, nil), (.mergeByPropertyObjectTrump, "mine"), (.overwrite, "mine"),
            (.mergeByPropertyStoreTrump, "theirs"), (.rollback, "theirs"),
        ]
        for (policy, expected) in policies {
            let pair = try ContextPair(storeType, policy)
            let author = pair.make("Author", "x")
            try pair.mine.save()
            let manager = pair.mine.undoing()
            var book = author
            pair.mine.step { book = pair.mine.make("Book", ["name": "mine", "author": author]) }
            try pair.mine.save()
            pair.theirs.mergePolicy = NSMergePolicy.overwrite
            let theirs = try pair.their(book)
            manager.undo()
            try pair.mine.save()
            manager.redo()
            pair.mine.undoManager = nil
            theirs.setValue("theirs", forKey: "name")
            try pair.theirs.save()
            #expect(try pair.mine.all("Book") == [book])
            #expect(try pair.mine.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 1)
            let sorted = NSFetchRequest<NSManagedObject>(entityName: "Book")
            sorted.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
            sorted.fetchLimit = 5
            #expect(try pair.mine.fetch(sorted) == [book])
            guard let expected else {
                let error = #expect(throws: NSError.self) { try pair.mine.save() }
                #expect(error?.code == NSManagedObjectMergeError)
                continue
            }
            try pair.mine.save()
            #expect(book.text("name") == expected, "\(policy)")
            #expect(try pair.stored(author, "books") == [expected], "\(policy)")
            try pair.agree("\(policy)")
            book.setValue("later", forKey: "name")
            try pair.mine.save()
            #expect(try pair.stack.reopened().all("Book").map { $0.text("name") } == ["later"])
        }
    }
}
