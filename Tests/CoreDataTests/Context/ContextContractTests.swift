import CoreData
import Foundation
import Testing

@Suite("A context's life, line by line")
@MainActor
struct ContextContractTests {
    @Test("perform never runs inline, not even on the context's own queue; immediate scheduling does")
    func scheduling() async throws {
        let stack = try TemporaryStack()
        let context = stack.queueContext()
        let order = Steps()
        await context.perform(schedule: .enqueued) {
            context.perform { order.add("later") }
            order.add("first")
        }
        await context.perform {}
        #expect(order.all == ["first", "later"])
        // A block that is awaited inside of one can't be had in plain Swift; on the main queue the main actor is one.
        let main = NSManagedObjectContext(.mainQueue)
        main.persistentStoreCoordinator = context.persistentStoreCoordinator
        enqueue("enqueued", in: main, order)
        await main.perform { order.add("immediate") }
        await main.perform(schedule: .enqueued) { order.add("last") }
        #expect(order.all.suffix(3) == ["immediate", "enqueued", "last"])
    }

    private func enqueue(_ step: String, in context: NSManagedObjectContext, _ steps: Steps) {
        context.perform { steps.add(step) }
    }

    @Test("A never-saved object that is deleted is neither to be deleted nor told of by a save")
    func deletedNewObject() throws {
        let stack = try ThingStack()
        let (kept, gone) = (try stack.thing("kept"), try stack.thing("gone"))
        stack.context.processPendingChanges()
        stack.context.delete(gone)
        #expect(stack.context.deletedObjects.isEmpty)
        let posted = PostedNotifications(.NSManagedObjectContextDidSave, from: stack.context)
        try stack.context.save()
        #expect(posted.objects(.insertedObjects) == [kept])
        #expect(posted.objects(.deletedObjects).isEmpty)
        #expect(gone.managedObjectContext == nil)
    }

    @Test("An object that comes and goes in one event is among the deleted ones until the event ends")
    func insertedAndDeleted() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("brief")
        stack.context.delete(thing)
        #expect(stack.context.hasChanges && stack.context.deletedObjects == [thing])
        #expect(stack.context.insertedObjects.isEmpty)
        try stack.context.save()
        #expect(!stack.context.hasChanges && stack.context.deletedObjects.isEmpty)
        let told = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        #expect(try stack.context.all("Thing").isEmpty && told.count == 0)
    }

    @Test("A fetch that brings objects in posts no change")
    func fetchIsNoChange() throws {
        let stack = try ThingStack()
        try stack.thing()
        try stack.context.save()
        stack.context.reset()
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        for thing in try stack.context.all("Thing") { _ = thing.value(forKey: "name") }
        stack.context.processPendingChanges()
        #expect(posted.count == 0)
    }

    @Test("A fetch processes pending changes first")
    func fetchEndsEvent() throws {
        let stack = try ThingStack()
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        let thing = try stack.thing()
        #expect(posted.count == 0)
        #expect(try stack.context.all("Thing") == [thing])
        #expect(posted.objects(.insertedObjects) == [thing])
    }

    @Test("A failed save leaves every pending change as it was, delete rules included, and may be tried again")
    func failedSave() throws {
        let tree = try ContextTree()
        let author = tree.root.make("Author", ["name": "A"])
        let (kept, doomed) = (tree.root.makeBook("K", ["author": author]), tree.root.makeBook("D"))
        try tree.root.save()
        kept.setValue("Changed", forKey: "title")
        tree.root.delete(doomed)
        let new = tree.root.make("Book", ["identifier": UUID()])
        new.setValue(nil, forKey: "title")
        #expect(throws: NSError.self) { try tree.root.save() }
        #expect(tree.root.updatedObjects == [kept])
        #expect(tree.root.deletedObjects == [doomed])
        #expect(tree.root.insertedObjects == [new] && new.objectID.isTemporaryID)
        new.setValue("N", forKey: "title")
        try tree.root.save()
        #expect(try tree.stored().all("Book", sort: "title").map { $0.text("title") } == ["Changed", "N"])
    }

    @Test("rollback reads nothing from the store")
    func rollbackWithoutReading() throws {
        let library = try LibraryOfMany(authors: 5)
        let (authors, context) = try library.authors()
        for author in authors { author.setValue("Changed", forKey: "name") }
        context.delete(authors[0])
        context.makeBook("New")
        context.processPendingChanges()
        _ = library.statements.takeQueries()
        context.rollback()
        #expect(authors.map { $0.text("name") } == (0..<5).map { "Author \($0)" })
        #expect(library.statements.takeQueries().isEmpty)
        #expect(!context.hasChanges)
    }

    @Test("rollback posts what came back as refreshed, and what was new as deleted")
    func rollbackNotification() throws {
        let stack = try ThingStack()
        let (changed, deleted) = (try stack.thing("A"), try stack.thing("B"))
        try stack.context.save()
        changed.setValue("C", forKey: "name")
        stack.context.delete(deleted)
        let new = try stack.thing("new")
        stack.context.processPendingChanges()
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        stack.context.rollback()
        #expect(posted.objects(.deletedObjects) == [new])
        #expect(posted.objects(.refreshedObjects).union(posted.objects(.insertedObjects)).isSuperset(of: [changed]))
        #expect(!deleted.isDeleted && deleted.managedObjectContext === stack.context)
    }

    @Test("An object that conflicts are to be detected for is kept until the save, and checked by it")
    func detectConflicts() throws {
        let tree = try ContextTree()
        let id: NSManagedObjectID
        do {
            let book = tree.root.makeBook("One")
            try tree.root.save()
            id = book.objectID
            tree.root.detectConflicts(for: book)
        }
        #expect(tree.root.registeredObject(for: id) != nil)
        let other = try tree.stored()
        try other.existingObject(with: id).setValue("Theirs", forKey: "title")
        try other.save()
        tree.root.makeBook("Two")
        let error = #expect(throws: NSError.self) { try tree.root.save() }
        #expect(error?.code == NSManagedObjectMergeError)
        let conflicts = error?.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
        #expect(conflicts?.map(\.sourceObject.objectID) == [id])
    }

    @Test("The checks that were asked for end with a save that goes well")
    func detectConflictsOnce() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        tree.root.detectConflicts(for: book)
        tree.root.makeBook("Two")
        try tree.root.save()
        let other = try tree.stored()
        try other.existingObject(with: book.objectID).setValue("Theirs", forKey: "title")
        try other.save()
        tree.root.makeBook("Three")
        try tree.root.save()
    }

    @Test("Memory falls when a saved million is let go of, at the scale of a test")
    func weakHolding() async throws {
        let tree = try ContextTree()
        func insert() throws -> [NSManagedObjectID] {
            let books = (0..<500).map { tree.root.makeBook("Book \($0)") }
            #expect(tree.root.registeredObjects.count == 500)
            try tree.root.save()
            return books.map(\.objectID)
        }
        let ids = try insert()
        // With the turn of the main queue, as with an autorelease pool.
        for _ in 0..<500 where !tree.root.registeredObjects.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        #expect(tree.root.registeredObjects.isEmpty)
        #expect(ids.allSatisfy { tree.root.registeredObject(for: $0) == nil })
    }

    @Test("A realised pair of objects that lead to each other is let go when the context is")
    func circles() throws {
        weak var author: NSManagedObject?
        weak var context: NSManagedObjectContext?
        do {
            let tree = try ContextTree()
            let made = tree.root.make("Author", ["name": "A"])
            tree.root.makeBook("One", ["author": made])
            try tree.root.save()
            #expect(made.members("books").count == 1)
            author = made
            context = tree.root
        }
        #expect(context == nil)
        #expect(author == nil)
    }

    @Test("userInfo is a dictionary of the context's own that keeps what is put in")
    func userInfo() throws {
        let tree = try ContextTree()
        tree.root.userInfo["key"] = 1
        #expect(tree.root.userInfo["key"] as? Int == 1)
        #expect(tree.child().userInfo.count == 0)
    }

    @Test("automaticallyMergesChangesFromParent leaves the context's own changes where both changed")
    nonisolated func automaticMerge() async throws {
        let stack = try TemporaryStack()
        let (first, second) = (stack.queueContext(), stack.queueContext())
        second.automaticallyMergesChangesFromParent = true
        let id = try await first.perform {
            let book = first.makeBook("One", ["pages": 1, "copies": 1])
            try first.save()
            return book.objectID
        }
        nonisolated(unsafe) var held: NSManagedObject?
        try await second.perform {
            held = try second.existingObject(with: id)
            held?.setValue(7, forKey: "pages")
        }
        try await first.perform {
            let book = try first.existingObject(with: id)
            book.setValue(5, forKey: "pages")
            book.setValue(5, forKey: "copies")
            try first.save()
        }
        await second.perform(schedule: .enqueued) {}
        let values = await second.perform { ["pages", "copies"].map { held?.value(forKey: $0) as? Int } }
        #expect(values == [7, 5])
    }
}

/// What happened, in order, from any thread.
final class Steps: @unchecked Sendable {
    private let lock = NSLock()
    private var steps: [String] = []
    func add(_ step: String) { lock.withLock { steps.append(step) } }
    var all: [String] { lock.withLock { steps } }
}

@Suite("The notifications of a context, line by line")
@MainActor
struct NotificationContractTests {
    @Test("Their names and keys are those that older code spells out")
    func names() {
        #expect(
            NSManagedObjectContext.didChangeObjectsNotification.rawValue
                == "NSObjectsChangedInManagingContextNotification")
        #expect(
            NSManagedObjectContext.willSaveObjectsNotification.rawValue
                == "NSManagingContextWillSaveChangesNotification")
        #expect(
            NSManagedObjectContext.didSaveObjectsNotification.rawValue == "NSManagingContextDidSaveChangesNotification")
        #expect(
            [
                NSInsertedObjectsKey, NSUpdatedObjectsKey, NSDeletedObjectsKey, NSRefreshedObjectsKey,
                NSInvalidatedObjectsKey,
            ]
                == ["inserted", "updated", "deleted", "refreshed", "invalidated"])
        #expect(NSInvalidatedAllObjectsKey == "invalidatedAll")
    }

    @Test("An object that is changed and then deleted in one event is told as deleted only")
    func coalescing() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        thing.setValue("B", forKey: "name")
        stack.context.delete(thing)
        stack.context.processPendingChanges()
        #expect(posted.count == 1)
        #expect(posted.objects(.deletedObjects) == [thing] && posted.objects(.updatedObjects).isEmpty)
    }

    @Test("A new object that is deleted in the same event is told as deleted only")
    func insertedAndDeleted() throws {
        let stack = try ThingStack()
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        let thing = try stack.thing("A")
        stack.context.delete(thing)
        stack.context.processPendingChanges()
        #expect(posted.objects(.deletedObjects) == [thing] && posted.objects(.insertedObjects).isEmpty)
        #expect(!stack.context.hasChanges && thing.managedObjectContext == nil)
    }

    @Test("A new object that is changed in the same event is told as inserted only")
    func insertedAndChanged() throws {
        let stack = try ThingStack()
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        let thing = try stack.thing("A")
        thing.setValue("B", forKey: "name")
        stack.context.processPendingChanges()
        #expect(posted.objects(.insertedObjects) == [thing] && posted.objects(.updatedObjects).isEmpty)
        thing.setValue("C", forKey: "name")
        stack.context.processPendingChanges()
        #expect(posted.objects(.updatedObjects) == [thing])
    }

    @Test("A change that an observer makes is told in an event of its own, and by no endless loop")
    func observerChanges() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let context = stack.context
        let events = Steps()
        nonisolated(unsafe) let changed = thing
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { _ in
            events.add("event")
            if events.all.count == 1 { changed.setValue(50, forKey: "size") }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        thing.setValue("B", forKey: "name")
        context.processPendingChanges()
        context.processPendingChanges()
        #expect(events.all.count == 2)
        #expect(thing.value(forKey: "size") as? Int == 50)
    }

    @Test("The order of a save with a change is: will save, did change of what observers did, did save, its IDs")
    func saveOrder() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        let steps = Steps()
        let names: [Notification.Name] = [
            .NSManagedObjectContextObjectsDidChange, .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave,
            .NSManagedObjectContextDidSaveObjectIDs,
        ]
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: stack.context, queue: nil) { _ in
                steps.add(name.rawValue)
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        try stack.context.save()
        #expect(steps.all == names.map(\.rawValue))
        #expect(thing.objectID.isTemporaryID == false)
    }

    @Test("In did save, new objects have permanent IDs, nothing is pending, and deleted ones say who they were")
    func didSaveState() throws {
        let stack = try ThingStack()
        let old = try stack.thing("old")
        try stack.context.save()
        let oldID = old.objectID
        stack.context.delete(old)
        try stack.thing("new")
        let context = stack.context
        nonisolated(unsafe) var seen: [Bool] = []
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { notification in
            let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject> ?? []
            let deleted = notification.userInfo?[NSDeletedObjectsKey] as? Set<NSManagedObject> ?? []
            seen = [
                inserted.count == 1 && inserted.allSatisfy { !$0.objectID.isTemporaryID }, !context.hasChanges,
                deleted.map(\.objectID) == [oldID],
            ]
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        #expect(seen == [true, true, true])
    }

    @Test("A merge tells the receiver's observers what was inserted, refreshed and deleted")
    func merge() throws {
        let tree = try ContextTree()
        let (changed, deleted) = (tree.root.makeBook("changed"), tree.root.makeBook("deleted"))
        try tree.root.save()
        let other = tree.sibling()
        let held = try other.all("Book").map { ($0, $0.text("title")) }
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: other)
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: tree.root)
        changed.setValue("new title", forKey: "title")
        tree.root.delete(deleted)
        let new = tree.root.makeBook("new")
        try tree.root.save()
        other.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(posted.objects(.insertedObjects).map(\.objectID) == [new.objectID])
        #expect(posted.objects(.refreshedObjects) == Set(held.filter { $0.1 == "changed" }.map(\.0)))
        #expect(posted.objects(.deletedObjects) == Set(held.filter { $0.1 == "deleted" }.map(\.0)))
    }

    @Test("Did save has sets even of one object, and no key for what there is none of")
    func payload() throws {
        let stack = try ThingStack()
        let posted = PostedNotifications(.NSManagedObjectContextDidSave, from: stack.context)
        let thing = try stack.thing("A")
        try stack.context.save()
        let info = posted.last?.userInfo ?? [:]
        #expect(info[NSInsertedObjectsKey] as? Set<NSManagedObject> == [thing])
        #expect(info[NSUpdatedObjectsKey] == nil && info[NSDeletedObjectsKey] == nil)
        #expect(posted.last?.object as? NSManagedObjectContext === stack.context)
    }
}
