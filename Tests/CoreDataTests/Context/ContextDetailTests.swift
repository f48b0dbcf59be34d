import CoreData
import Foundation
import Testing

@Suite("What a context does, in which order")
@MainActor
struct ContextOrderTests {
    @Test("A save: willSave, its notification, validation, didSave, and the notifications of objects and of IDs")
    func saveOrder() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        stack.context.processPendingChanges()
        thing.log = []
        nonisolated(unsafe) let object = thing
        let names: [Notification.Name] = [
            .NSManagedObjectContextWillSave, .NSManagedObjectContextDidSave, .NSManagedObjectContextDidSaveObjectIDs,
        ]
        let tokens = names.map { name in
            NotificationCenter.default.addObserver(forName: name, object: stack.context, queue: nil) { note in
                object.log.append(note.name.rawValue)
            }
        }
        defer { for token in tokens { NotificationCenter.default.removeObserver(token) } }
        try stack.context.save()
        #expect(
            thing.log == ["willSave", names[0].rawValue, "validateForInsert", "didSave"] + names[1...].map(\.rawValue))
    }

    @Test("A did-save notification has sets of objects under the kinds of changes that there were, and its context")
    func didSaveKeys() throws {
        let stack = try ThingStack()
        let (changed, gone) = (try stack.thing("A"), try stack.thing("B"))
        try stack.context.save()
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: stack.context)
        let ids = PostedNotifications(.NSManagedObjectContextDidSaveObjectIDs, from: stack.context)
        changed.setValue("C", forKey: "name")
        stack.context.delete(gone)
        stack.context.delete(try stack.thing("never saved"))
        try stack.context.save()
        let info = try #require(saved.last?.userInfo)
        #expect(info[NSUpdatedObjectsKey] as? Set<NSManagedObject> == [changed])
        #expect(info[NSDeletedObjectsKey] as? Set<NSManagedObject> == [gone])
        #expect(info[NSInsertedObjectsKey] == nil)
        let key = NSManagedObjectContext.NotificationKey.sourceContext.rawValue
        #expect(info[key] as? NSManagedObjectContext === stack.context)
        #expect(saved.last?.object as? NSManagedObjectContext === stack.context)
        #expect(ids.last?.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> == [changed.objectID])
        #expect(ids.last?.userInfo?[NSDeletedObjectIDsKey] as? Set<NSManagedObjectID> == [gone.objectID])
    }

    @Test("perform ends with the processing of changes, performAndWait doesn't")
    func performing() async throws {
        let stack = try TemporaryStack()
        let context = stack.queueContext()
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: context)
        context.performAndWait { _ = context.makeBook("One") }
        #expect(posted.count == 0)
        await context.perform { _ = context.makeBook("Two") }
        #expect(posted.count == 1)
    }

    @Test("An object is deleted until the save commits; then it has no context, and isn't deleted any more")
    func afterDeletion() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        try stack.context.save()
        stack.context.delete(thing)
        #expect(thing.isDeleted && thing.managedObjectContext === stack.context)
        try stack.context.save()
        #expect(!thing.isDeleted && thing.managedObjectContext == nil)
        #expect(!thing.objectID.isTemporaryID)
    }

    @Test("A new context resolves no conflicts, remembers nothing to undo, keeps no clean objects and merges nothing")
    func defaults() {
        let context = NSManagedObjectContext(.privateQueue)
        #expect((context.mergePolicy as? NSMergePolicy) === NSMergePolicy.error)
        #expect(context.undoManager == nil && context.name == nil && context.transactionAuthor == nil)
        #expect(!context.retainsRegisteredObjects && !context.automaticallyMergesChangesFromParent)
        #expect(context.propagatesDeletesAtEndOfEvent && context.shouldDeleteInaccessibleFaults)
        #expect(context.stalenessInterval < 0)
        context.userInfo["key"] = "value"
        #expect(context.userInfo["key"] as? String == "value")
        #expect(!context.hasChanges)
    }

    @Test("A reset leaves nothing to undo")
    func resetAndUndo() throws {
        let stack = try ThingStack()
        let manager = stack.undoing()
        try stack.step { _ = try stack.thing() }
        stack.context.reset()
        #expect(!manager.canUndo)
    }

    @Test("Changes that are processed before registration is disabled can be undone, those made after it can't")
    func disabledRegistration() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let manager = stack.undoing()
        stack.step {
            thing.setValue("B", forKey: "name")
            stack.context.processPendingChanges()
            manager.disableUndoRegistration()
            thing.setValue(50, forKey: "size")
            stack.context.processPendingChanges()
            manager.enableUndoRegistration()
        }
        stack.context.undo()
        #expect(thing.value(forKey: "name") as? String == "A")
        #expect(thing.value(forKey: "size") as? Int == 50)
    }

    @Test("A change that is undone after it was saved leaves the context with something to save")
    func undoAfterSave() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        _ = stack.undoing()
        stack.step { thing.setValue("B", forKey: "name") }
        try stack.context.save()
        stack.context.undo()
        #expect(stack.context.hasChanges)
        try stack.context.save()
        #expect(try stack.tree.stored().all("Thing").first?.text("name") == "A")
    }

    @Test("Taking back a change takes back nothing that a merge has brought since")
    func undoAfterMerge() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        _ = stack.undoing()
        stack.step { thing.setValue("B", forKey: "name") }
        try stack.context.save()
        let other = NSManagedObjectContext(.mainQueue)
        other.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        other.object(with: thing.objectID).setValue(99, forKey: "size")
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        stack.context.mergeChanges(fromContextDidSave: try #require(saved.last))
        stack.context.undo()
        #expect(thing.value(forKey: "name") as? String == "A")
        #expect(thing.value(forKey: "size") as? Int == 99)
        #expect(Set(thing.changedValues().keys) == ["name"])
        stack.context.redo()
        #expect(thing.value(forKey: "name") as? String == "B")
        #expect(thing.value(forKey: "size") as? Int == 99)
    }

    @Test("Two events in one group are undone together")
    func groups() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let manager = stack.undoing()
        manager.beginUndoGrouping()
        stack.step { thing.setValue("B", forKey: "name") }
        stack.step { thing.setValue(50, forKey: "size") }
        manager.endUndoGrouping()
        stack.context.undo()
        #expect(thing.value(forKey: "name") as? String == "A")
        #expect(thing.value(forKey: "size") as? Int == 11)
        stack.context.redo()
        #expect(thing.value(forKey: "size") as? Int == 50)
    }

    @Test("The settings of a context go through an archive; its objects don't")
    func archiving() throws {
        let context = NSManagedObjectContext(.privateQueue)
        context.name = "worker"
        context.transactionAuthor = "me"
        context.stalenessInterval = 5
        context.shouldDeleteInaccessibleFaults = false
        context.mergePolicy = NSMergePolicy.overwrite
        let archiver = NSKeyedArchiver(requiringSecureCoding: false)
        context.encode(with: archiver)
        archiver.finishEncoding()
        let unarchiver = try NSKeyedUnarchiver(forReadingFrom: archiver.encodedData)
        unarchiver.requiresSecureCoding = false
        let copy = try #require(NSManagedObjectContext(coder: unarchiver))
        #expect(copy.concurrencyType == .privateQueueConcurrencyType)
        #expect(copy.name == "worker" && copy.transactionAuthor == "me")
        #expect(copy.stalenessInterval == 5 && !copy.shouldDeleteInaccessibleFaults)
        #expect(copy.propagatesDeletesAtEndOfEvent)
        #expect((copy.mergePolicy as? NSMergePolicy)?.mergeType == .overwriteMergePolicyType)
    }

    @Test("Requests of the erased type fetch and count like typed ones")
    func erasedRequests() throws {
        let stack = try ThingStack()
        let thing = try stack.thing()
        let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Thing")
        let anything: [Any] = try stack.context.fetch(request)
        #expect(anything.first as? NSManagedObject === thing)
        #expect(try stack.context.count(for: request) == 1)
        #expect(NSManagedObjectContext.ConcurrencyType(rawValue: .mainQueueConcurrencyType) == .mainQueue)
    }
}

@Suite("Merging what others saved, in detail")
@MainActor
struct MergingDetailTests {
    private func otherContext(_ stack: ThingStack) -> NSManagedObjectContext {
        let other = NSManagedObjectContext(.mainQueue)
        other.persistentStoreCoordinator = stack.context.persistentStoreCoordinator
        return other
    }

    @Test("An updated object that the context doesn't have is left out; the merge tells which objects were refreshed")
    func unregistered() throws {
        let stack = try ThingStack()
        let known = try stack.thing("A")
        try stack.context.save()
        let other = otherContext(stack)
        let theirs = try #require(other.all("Thing").first)
        let unknown = other.make("Thing", ["name": "N"])
        try other.save()
        for object in [theirs, unknown] { object.setValue("B", forKey: "name") }
        let saved = PostedNotifications(.NSManagedObjectContextDidSave, from: other)
        try other.save()
        let changed = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        let merged = PostedNotifications(.NSManagedObjectContextDidMergeChangesObjectIDs, from: stack.context)
        stack.context.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(stack.context.registeredObject(for: unknown.objectID) == nil)
        #expect(changed.objects(.refreshedObjects) == [known])
        #expect(changed.objects(.updatedObjects) == [])
        #expect(merged.ids(.updatedObjectIDs) == [known.objectID, unknown.objectID])
    }

    @Test("A notification with IDs merges like one with objects")
    func idNotification() throws {
        let stack = try ThingStack()
        let (changed, gone) = (try stack.thing("A"), try stack.thing("B"))
        try stack.context.save()
        let other = otherContext(stack)
        other.object(with: changed.objectID).setValue("C", forKey: "name")
        other.delete(other.object(with: gone.objectID))
        let new = other.make("Thing")
        let saved = PostedNotifications(.NSManagedObjectContextDidSaveObjectIDs, from: other)
        try other.save()
        let told = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: stack.context)
        stack.context.mergeChanges(fromContextDidSave: try #require(saved.last))
        #expect(changed.value(forKey: "name") as? String == "C")
        #expect(gone.managedObjectContext == nil)
        #expect(told.objects(.insertedObjects).map(\.objectID) == [new.objectID])
        #expect(told.objects(.deletedObjects) == [gone])
        #expect(!stack.context.hasChanges)
    }

    @Test("A remote save reaches the children of the contexts that it is merged into")
    func nested() throws {
        let stack = try ThingStack()
        let thing = try stack.thing("A")
        try stack.context.save()
        let child = stack.tree.child()
        child.automaticallyMergesChangesFromParent = true
        let mine = child.object(with: thing.objectID)
        #expect(mine.value(forKey: "name") as? String == "A")
        let writer = try stack.tree.stored()
        try writer.all("Thing").first?.setValue("B", forKey: "name")
        try writer.save()
        NSManagedObjectContext.mergeChanges(
            fromRemoteContextSave: [NSUpdatedObjectsKey: [thing.objectID]], into: [stack.context, child])
        #expect(thing.value(forKey: "name") as? String == "B")
        #expect(mine.value(forKey: "name") as? String == "B")
    }

    @Test("refreshAllObjects brings in what is stored and keeps changes")
    func refreshingAll() throws {
        let stack = try ThingStack()
        let (first, second) = (try stack.thing("A"), try stack.thing("B"))
        try stack.context.save()
        let other = otherContext(stack)
        for object in [first, second] { other.object(with: object.objectID).setValue(99, forKey: "size") }
        try other.save()
        first.setValue("mine", forKey: "name")
        stack.context.refreshAllObjects()
        #expect(first.value(forKey: "name") as? String == "mine")
        #expect(first.value(forKey: "size") as? Int == 99)
        #expect(second.value(forKey: "size") as? Int == 99)
        #expect(first.hasChanges && !second.hasChanges)
    }
}
