import CoreData
import Foundation
import Testing

@Suite("What a context promises")
@MainActor
struct ContextTests {
    @Test("registeredObject looks in memory only, object(with:) never fails, existingObject reads or throws")
    func lookingUp() throws {
        let stack = try ThingStack()
        var thing: Thing? = try stack.thing()
        try stack.context.save()
        let id = try #require(thing?.objectID)
        #expect(stack.context.registeredObject(for: id) === thing)
        thing = nil
        stack.context.reset()
        #expect(stack.context.registeredObject(for: id) == nil)
        let fault = stack.context.object(with: id)
        #expect(fault.isFault)
        #expect(stack.context.object(with: id) === fault)
        #expect(try stack.context.existingObject(with: id) === fault)
        #expect(!fault.isFault)
        stack.context.delete(fault)
        #expect(try stack.context.existingObject(with: id) === fault)
        try stack.context.save()
        let error = #expect(throws: NSError.self) { try stack.context.existingObject(with: id) }
        #expect(error?.code == NSManagedObjectReferentialIntegrityError)
        #expect(stack.context.object(with: id).isFault)
    }

    @Test("obtainPermanentIDs changes the IDs and nothing else; permanent ones stay")
    func permanentIDs() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        try stack.context.obtainPermanentIDs(for: [thing])
        let id = thing.objectID
        #expect(!id.isTemporaryID)
        #expect(thing.isInserted)
        try stack.context.obtainPermanentIDs(for: [thing])
        #expect(thing.objectID === id)
        stack.context.refresh(thing, mergeChanges: false)
        // A new object that is refreshed has the model's values again (seen in tests of CoreDataPlus).
        #expect(thing.value(forKey: "name") as? String == "unnamed")
        try stack.context.save()
        #expect(thing.objectID == id)
        #expect(try stack.tree.stored().all("Thing").first?.objectID.uriRepresentation() == id.uriRepresentation())
    }

    @Test("Clean objects are kept by those who use them, and by the context if it is told to")
    func retaining() async throws {
        let stack = try ThingStack()
        for _ in 0..<5 { try stack.thing() }
        try stack.context.save()
        #expect(try await becomesEmpty(stack.context))
        stack.context.retainsRegisteredObjects = true
        _ = try stack.context.all("Thing").count
        #expect(stack.context.registeredObjects.count == 5)
        stack.context.retainsRegisteredObjects = false
        #expect(try await becomesEmpty(stack.context))
    }

    /// Whether a context of the main queue lets its objects go with the queue's turn.
    private func becomesEmpty(_ context: NSManagedObjectContext) async throws -> Bool {
        for _ in 0..<500 where !context.registeredObjects.isEmpty { try await Task.sleep(for: .milliseconds(10)) }
        return context.registeredObjects.isEmpty
    }

    @Test("Changed objects are kept until they are saved")
    func keepingChanges() async throws {
        let stack = try ThingStack()
        try stack.thing()
        try stack.context.save()
        try stack.context.all("Thing").first?.setValue("changed", forKey: "name")
        #expect(stack.context.updatedObjects.first?.text("name") == "changed")
        try stack.context.save()
        #expect(try await becomesEmpty(stack.context))
    }

    @Test("refresh without merging drops changes; with merging it lays them over what is stored")
    func refreshing() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A", ["size": 1])
        try stack.context.save()
        let other = stack.tree.stack.context()
        try other.performAndWait {
            let theirs = try other.existingObject(with: thing.objectID)
            theirs.setValue("B", forKey: "name")
            theirs.setValue(2, forKey: "size")
            try other.save()
        }
        thing.setValue(3, forKey: "size")
        stack.context.refresh(thing, mergeChanges: true)
        #expect(thing.value(forKey: "name") as? String == "B")
        #expect(thing.value(forKey: "size") as? Int == 3)
        #expect(thing.isUpdated)
        stack.context.refresh(thing, mergeChanges: false)
        #expect(thing.isFault)
        #expect(!stack.context.hasChanges)
        #expect(thing.value(forKey: "size") as? Int == 2)
    }

    @Test("With a staleness interval of 0 a fault asks the store; with a negative one memory is good enough")
    func staleness() throws {
        let stack = try ThingStack()
        let (thing, neighbour) = (try stack.thing("A"), try stack.thing("N"))
        try stack.context.save()
        let writer = try stack.tree.stored()
        try writer.performAndWait {
            try writer.all("Thing", "name == 'A'").first?.setValue("B", forKey: "name")
            try writer.save()
        }
        #expect(stack.context.stalenessInterval < 0)
        stack.context.refresh(thing, mergeChanges: false)
        #expect(thing.value(forKey: "name") as? String == "A")
        stack.context.stalenessInterval = 3600
        stack.context.refresh(thing, mergeChanges: false)
        #expect(thing.value(forKey: "name") as? String == "A")
        stack.context.stalenessInterval = 0
        #expect(thing.value(forKey: "name") as? String == "A", "values that are there aren't read again")
        stack.context.refresh(thing, mergeChanges: false)
        #expect(thing.value(forKey: "name") as? String == "B")
        #expect(neighbour.value(forKey: "name") as? String == "N")
    }

    @Test("A merge of what another process saved shows its values")
    func remoteMerge() throws {
        let stack = try ThingStack()
        let (thing, neighbour) = (try stack.thing("A"), try stack.thing("N"))
        try stack.context.save()
        let writer = try stack.tree.stored()
        try writer.performAndWait {
            try writer.all("Thing", "name == 'A'").first?.setValue("B", forKey: "name")
            try writer.save()
        }
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [thing.objectID.uriRepresentation()]], into: [stack.context])
        #expect(thing.value(forKey: "name") as? String == "B")
        #expect(neighbour.value(forKey: "name") as? String == "N")
    }

    @Test("reset forgets everything and says so with the IDs of all")
    func resetting() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        try stack.context.save()
        let id = thing.objectID
        let posted = PostedNotifications(NSManagedObjectContext.didChangeObjectsNotification, from: stack.context)
        stack.context.reset()
        #expect(posted.last?.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] == [id])
        #expect(thing.managedObjectContext == nil)
        #expect(stack.context.registeredObjects.isEmpty)
    }

    @Test("An event's changes are posted once, by what happened in the end")
    func coalescing() throws {
        let stack = try ThingStack()
        let (kept, gone) = (try stack.thing("A"), try stack.thing("B"))
        try stack.context.save()
        let posted = PostedNotifications(NSManagedObjectContext.didChangeObjectsNotification, from: stack.context)
        kept.setValue("C", forKey: "name")
        kept.setValue("D", forKey: "name")
        gone.setValue("E", forKey: "name")
        stack.context.delete(gone)
        let new = try stack.thing("new")
        let passing = try stack.thing("passing")
        stack.context.delete(passing)
        stack.context.processPendingChanges()
        #expect(posted.count == 1)
        #expect(posted.objects(.insertedObjects) == [new])
        #expect(posted.objects(.updatedObjects) == [kept])
        #expect(Set(posted.objects(.deletedObjects)) == [gone, passing])
        #expect(stack.context.deletedObjects == [gone])
        stack.context.processPendingChanges()
        #expect(posted.count == 1)
        _ = try stack.context.all("Thing")
        #expect(posted.count == 1)
    }

    @Test("What came and went in one event can't be undone back")
    func undoOfNothing() throws {
        let stack = try ThingStack()
        let manager = stack.undoing()
        stack.step {
            stack.context.make("Thing")
            if let new = stack.context.insertedObjects.first { stack.context.delete(new) }
        }
        if manager.canUndo { stack.context.undo() }
        #expect(stack.context.insertedObjects.isEmpty)
        #expect(!stack.context.hasChanges)
    }

    @Test("An observer of the coming save may make changes, which are saved too")
    func changesBeforeSave() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        let context = stack.context
        let token = NotificationCenter.default.addObserver(
            forName: NSManagedObjectContext.willSaveObjectsNotification, object: context, queue: nil
        ) { notification in
            #expect(notification.userInfo == nil)
            context.insertedObjects.first?.setValue("changed", forKey: "name")
            context.make("Mark", ["label": "added"])
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        #expect(thing.value(forKey: "name") as? String == "changed")
        let stored = try stack.tree.stored()
        #expect(try stored.all("Thing", "name == 'changed'").count == 1)
        #expect(try stored.all("Mark").count == 1)
    }

    @Test("A save that fails posts nothing about having saved; one without changes posts that it has saved nothing")
    func notifications() throws {
        let stack = try ThingStack()
        let context = stack.context
        let saved = PostedNotifications(NSManagedObjectContext.didSaveObjectsNotification, from: context)
        let willSave = PostedNotifications(NSManagedObjectContext.willSaveObjectsNotification, from: context)
        try context.save()
        #expect(willSave.count == 1 && saved.count == 1)
        try stack.thing("A", ["size": -1])
        #expect(throws: NSError.self) { try context.save() }
        #expect(saved.count == 1)
        #expect(willSave.count == 2)
        context.rollback()
        // Who saves at each notification doesn't go on without end, and can save what it has changed.
        nonisolated(unsafe) var rounds = 0
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: context, queue: nil
        ) { notification in
            rounds += 1
            #expect(notification.userInfo?[NSInsertedObjectsKey] == nil || rounds == 2)
            if rounds == 1 { context.make("Thing", ["name": "made"]) }
            #expect(throws: Never.self) { try context.save() }
        }
        defer { NotificationCenter.default.removeObserver(token) }
        try context.save()
        #expect(try stack.tree.stored().all("Thing", "name == 'made'").count == 1)
        #expect(rounds < 5)
    }

    @Test("Metadata that was set is written by the next save, with no object changed", arguments: Library.storeTypes)
    func metadata(storeType: String) throws {
        if storeType == NSInMemoryStoreType { return }
        let tree = try ContextTree(storeType: storeType)
        let coordinator = tree.stack.container.persistentStoreCoordinator
        let store = try #require(coordinator.persistentStores.first)
        try tree.root.save()
        var metadata = coordinator.metadata(for: store)
        metadata["owner"] = "me"
        coordinator.setMetadata(metadata, for: store)
        func written() throws -> [String: Any] {
            try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: storeType, at: tree.stack.storeURL)
        }
        if storeType == NSSQLiteStoreType { #expect(try written()["owner"] == nil) }
        try tree.root.save()
        #expect(try written()["owner"] as? String == "me")
        #expect(try written()[NSStoreUUIDKey] as? String == store.identifier)
    }

    @Test("performAndWait runs inline on its own queue, returns and throws; perform runs later")
    func performing() async throws {
        let stack = try TemporaryStack()
        let context = stack.queueContext()
        let count = try context.performAndWait { () throws -> Int in
            try context.performAndWait { try context.all("Book").count }
        }
        #expect(count == 0)
        #expect(throws: CocoaError.self) {
            try context.performAndWait { throw CocoaError(.featureUnsupported) }
        }
        let title = await context.perform { context.makeBook("One").text("title") }
        #expect(title == "One")
        await #expect(throws: CocoaError.self) {
            try await context.perform { () throws -> Void in throw CocoaError(.featureUnsupported) }
        }
    }

    @Test("execute() of a request fetches in the context whose block it is called from")
    func executing() async throws {
        let stack = try TemporaryStack()
        let context = stack.queueContext()
        let count = try await context.perform {
            context.makeBook("One")
            return try NSFetchRequest<NSManagedObject>(entityName: "Book").execute().count
        }
        #expect(count == 1)
    }

    @Test("A subclass may override what changes and saves")
    func subclassing() throws {
        final class FailingContext: NSManagedObjectContext, @unchecked Sendable {
            override func save() throws { throw CocoaError(.fileWriteNoPermission) }
        }
        let stack = try ThingStack()
        let context = FailingContext(.mainQueue)
        context.persistentStoreCoordinator = stack.tree.stack.container.persistentStoreCoordinator
        context.make("Thing")
        #expect(throws: CocoaError.self) { try context.save() }
    }
}

@Suite("IDs and merge policies")
@MainActor
struct IdentityAndPolicyTests {
    @Test("IDs of two coordinators over one store are equal, and stand for their objects in both")
    func equality() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let other = try stack.tree.stored()
        let theirs = try #require(other.all("Thing").first)
        #expect(theirs.objectID == thing.objectID)
        #expect(Set([theirs.objectID, thing.objectID]).count == 1)
        #expect(stack.context.object(with: theirs.objectID) === thing)
        #expect(thing.objectID.copy() as? NSManagedObjectID === thing.objectID)
    }

    @Test("A URI of a store that isn't there has no ID; one of a missing row has, as nothing is looked up")
    func uris() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let coordinator = stack.tree.stack.container.persistentStoreCoordinator
        let uri = thing.objectID.uriRepresentation().absoluteString
        #expect(coordinator.managedObjectID(for: uri) == thing.objectID)
        let missing = try #require(URL(string: uri + "99"))
        #expect(coordinator.managedObjectID(forURIRepresentation: missing) != nil)
        let stranger = try #require(URL(string: "x-coredata://\(UUID().uuidString)/Thing/p1"))
        #expect(coordinator.managedObjectID(forURIRepresentation: stranger) == nil)
    }

    @Test("A conflict with another coordinator's save has what was read and what is stored")
    func conflictWithStore() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("base")
        try stack.context.save()
        let other = try stack.tree.stored()
        try other.all("Thing").first?.setValue("theirs", forKey: "name")
        try other.save()
        thing.setValue("mine", forKey: "name")
        let error = #expect(throws: NSError.self) { try stack.context.save() }
        let conflict = try #require((error?.userInfo["conflictList"] as? [NSMergeConflict])?.first)
        #expect(conflict.objectSnapshot?["name"] as? String == "base")
        #expect(conflict.cachedSnapshot?["name"] as? String == "base")
        #expect(conflict.persistedSnapshot?["name"] as? String == "theirs")
        #expect(conflict.newVersionNumber == conflict.oldVersionNumber + 1)
        for part in ["base = {", "mine = {", "theirs = {", "name: theirs"] {
            #expect(error?.localizedDescription.contains(part) == true)
        }
    }

    @Test("A policy of one's own gets the conflicts with mine and theirs, and may resolve them")
    func customPolicy() throws {
        final class Longest: NSMergePolicy, @unchecked Sendable {
            var seen: [NSMergeConflict] = []
            override func resolve(mergeConflicts list: [Any]) throws {
                seen += list.compactMap { $0 as? NSMergeConflict }
                try super.resolve(mergeConflicts: list)
            }
        }
        let stack = try ThingStack()
        let thing = try stack.thing("base")
        try stack.context.save()
        let other = stack.tree.stack.context()
        let theirs = try other.performAndWait {
            let theirs = try other.existingObject(with: thing.objectID)
            theirs.setValue("theirs", forKey: "name")
            try other.save()
            return theirs
        }
        defer { withExtendedLifetime(theirs) {} }
        thing.setValue("mine", forKey: "name")
        let policy = Longest(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        stack.context.mergePolicy = policy
        try stack.context.save()
        #expect(policy.seen.first?.sourceObject === thing)
        #expect(policy.seen.first?.objectSnapshot?["name"] as? String == "base")
        #expect(policy.seen.first?.cachedSnapshot?["name"] as? String == "theirs")
        #expect(policy.seen.first?.persistedSnapshot == nil)
        #expect(try stack.tree.stored().all("Thing").first?.text("name") == "mine")
    }
}
