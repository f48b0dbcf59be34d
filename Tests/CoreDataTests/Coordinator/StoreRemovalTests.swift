import CoreData
import Foundation
import Testing

@Suite("What becomes of the objects of a store that is removed")
@MainActor
struct StoreRemovalTests {
    /// A tree with a second store of things.
    private func twoStores() throws -> (ContextTree, [NSPersistentStore]) {
        let tree = try ContextTree(model: ThingModel.make())
        let coordinator = tree.stack.container.persistentStoreCoordinator
        try coordinator.addPersistentStore(
            type: .sqlite, at: tree.stack.folder.appendingPathComponent("Second.sqlite"))
        return (tree, coordinator.persistentStores)
    }

    private func thing(_ name: String, in store: NSPersistentStore, _ context: NSManagedObjectContext)
        -> NSManagedObject
    {
        let thing = context.make("Thing", ["name": name])
        context.assign(thing, to: store)
        return thing
    }

    @Test("They are invalid: without a context, unsaved changes lost, registered no more")
    func invalid() throws {
        let (tree, stores) = try twoStores()
        let (kept, gone) = (thing("A", in: stores[0], tree.root), thing("B", in: stores[1], tree.root))
        try tree.root.save()
        gone.setValue("C", forKey: "name")
        let id = gone.objectID
        try tree.root.persistentStoreCoordinator?.remove(stores[1])
        #expect(gone.managedObjectContext == nil)
        #expect(!gone.hasChanges)
        #expect(!tree.root.hasChanges)
        #expect(tree.root.registeredObject(for: id) == nil)
        #expect(tree.root.registeredObjects == [kept])
    }

    @Test("They are invalid in a child that has read them before its parent saved them, too")
    func readBeforeSave() throws {
        let (tree, stores) = try twoStores()
        _ = thing("A", in: stores[0], tree.root)
        let new = thing("B", in: stores[1], tree.root)
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = tree.root
        let copy = child.object(with: new.objectID)
        copy.setValue("edited", forKey: "name")
        try tree.root.save()
        try tree.root.persistentStoreCoordinator?.remove(stores[1])
        #expect(copy.managedObjectContext == nil)
        #expect(!child.hasChanges && !child.registeredObjects.contains(copy))
        try child.save()
        try tree.root.save()
    }

    @Test("ObjectsDidChange names them under the invalidated key, and no other key")
    func someInvalidated() throws {
        let (tree, stores) = try twoStores()
        let (kept, gone) = (thing("A", in: stores[0], tree.root), thing("B", in: stores[1], tree.root))
        try tree.root.save()
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: tree.root)
        try tree.root.persistentStoreCoordinator?.remove(stores[1])
        #expect(posted.count == 1)
        #expect(posted.objects(.invalidatedObjects) == [gone])
        #expect(
            Set((posted.last?.userInfo ?? [:]).keys.compactMap { $0 as? String }) == [
                "invalidated", "managedObjectContext",
            ])
        #expect(kept.value(forKey: "name") as? String == "A")
    }

    @Test("Where all objects are of that store, it has the IDs of all under the key for that")
    func allInvalidated() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let posted = PostedNotifications(.NSManagedObjectContextObjectsDidChange, from: tree.root)
        let coordinator = try #require(tree.root.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
        #expect(posted.count == 1)
        #expect(posted.last?.userInfo?[NSInvalidatedAllObjectsKey] as? [NSManagedObjectID] == [book.objectID])
        #expect(posted.objects(.invalidatedObjects).isEmpty)
    }

    @Test("The notification comes before the coordinator says that its stores have changed")
    func order() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("One")
        try tree.root.save()
        let coordinator = try #require(tree.root.persistentStoreCoordinator)
        let log = EventLog()
        let center = NotificationCenter.default
        let names: [Notification.Name] = [
            .NSPersistentStoreCoordinatorWillRemoveStore, .NSManagedObjectContextObjectsDidChange,
            .NSPersistentStoreCoordinatorStoresDidChange,
        ]
        let tokens = zip(names, [coordinator.persistentStores[0], tree.root, coordinator] as [AnyObject]).map {
            name, object in
            center.addObserver(forName: name, object: object, queue: nil) { log.add($0.name) }
        }
        defer { for token in tokens { center.removeObserver(token) } }
        try coordinator.remove(coordinator.persistentStores[0])
        #expect(log.names == names)
        #expect(book.managedObjectContext == nil)
    }

    @Test("New objects stay, unless they were assigned to the store, and lead to none of its objects any more")
    func newObjects() throws {
        let (tree, stores) = try twoStores()
        let gone = thing("B", in: stores[1], tree.root)
        try tree.root.save()
        let kept = tree.root.make("Thing", ["name": "new", "parent": gone])
        let assigned = thing("assigned", in: stores[1], tree.root)
        kept.setValue(Set([assigned]), forKey: "liked")
        try tree.root.persistentStoreCoordinator?.remove(stores[1])
        #expect(tree.root.insertedObjects == [kept])
        #expect(kept.value(forKey: "parent") == nil)
        #expect(kept.members("liked").isEmpty)
        try tree.root.save()
        #expect(kept.objectID.persistentStore === stores[0])
    }

    @Test("A child's objects are invalid too")
    func children() throws {
        let (tree, stores) = try twoStores()
        let gone = thing("B", in: stores[1], tree.root)
        try tree.root.save()
        let child = tree.child()
        let mine = try child.existingObject(with: gone.objectID)
        mine.setValue("C", forKey: "name")
        try tree.root.persistentStoreCoordinator?.remove(stores[1])
        #expect(mine.managedObjectContext == nil && !child.hasChanges)
    }

    @Test("A context on another queue gives its objects up there, as the next thing that it does")
    func otherQueue() throws {
        let tree = try ContextTree()
        tree.root.makeBook("One")
        try tree.root.save()
        let background = NSManagedObjectContext(.privateQueue)
        background.persistentStoreCoordinator = tree.root.persistentStoreCoordinator
        let books = try background.performAndWait { try background.all("Book") }
        let coordinator = try #require(tree.root.persistentStoreCoordinator)
        try coordinator.remove(coordinator.persistentStores[0])
        background.performAndWait { #expect(books.allSatisfy { $0.managedObjectContext == nil }) }
    }

    @Test("existingObject(with:) throws an error that names the object, its store and the stores that there are")
    func existingObject() throws {
        let (tree, stores) = try twoStores()
        let gone = thing("B", in: stores[1], tree.root)
        try tree.root.save()
        let saved = gone.objectID
        try tree.root.persistentStoreCoordinator?.remove(stores[1])
        let error = #expect(throws: NSError.self) { try tree.root.existingObject(with: saved) }
        #expect(error?.domain == NSCocoaErrorDomain && error?.code == NSCoreDataError)
        let text = error?.localizedDescription ?? ""
        #expect(text.contains(saved.uriRepresentation().absoluteString), "\(text)")
        #expect(text.contains("Second.sqlite") && text.contains("Library.sqlite"), "\(text)")
        #expect(error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObjectID] == [saved])
        #expect(error?.userInfo[NSAffectedStoresErrorKey] as? [NSPersistentStore] == [stores[1]])
    }

    @Test("object(with:) gives a fault that has no values and can't be saved")
    func faultOfNoStore() throws {
        let (tree, stores) = try twoStores()
        let saved = thing("B", in: stores[1], tree.root)
        try tree.root.save()
        let id = saved.objectID
        try tree.root.persistentStoreCoordinator?.remove(stores[1])
        let fault = tree.root.object(with: id)
        #expect(fault.isFault && fault.objectID == id && fault.entity.name == "Thing")
        #expect(tree.root.registeredObject(for: id) == nil)
        #expect(fault.value(forKey: "name") == nil)
        let new = tree.root.make("Thing", ["name": "new"])
        try tree.root.save()
        #expect(!new.objectID.isTemporaryID)
    }

    @Test("When the store is added again, its IDs lead to its objects again")
    func addedAgain() throws {
        let (tree, stores) = try twoStores()
        let saved = thing("B", in: stores[1], tree.root)
        try tree.root.save()
        let (id, url) = (saved.objectID, try #require(stores[1].url))
        let coordinator = try #require(tree.root.persistentStoreCoordinator)
        try coordinator.remove(stores[1])
        try coordinator.addPersistentStore(type: .sqlite, at: url)
        #expect(try tree.root.existingObject(with: id).value(forKey: "name") as? String == "B")
    }

    @Test("A results controller loses them as if they were deleted; if all are invalid it is told nothing")
    func resultsController() throws {
        let (tree, stores) = try twoStores()
        _ = thing("A", in: stores[0], tree.root)
        let gone = thing("B", in: stores[1], tree.root)
        try tree.root.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Thing")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: tree.root, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = CountingDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        try tree.root.persistentStoreCoordinator?.remove(stores[1])
        #expect(controller.fetchedObjects?.contains(gone) == false && controller.fetchedObjects?.count == 1)
        #expect(delegate.changes == 1)
        try tree.root.persistentStoreCoordinator?.remove(stores[0])
        #expect(delegate.changes == 1)
    }
}

/// The names of notifications, in the order in which they came.
private final class EventLog: @unchecked Sendable {
    private(set) var names: [Notification.Name] = []
    func add(_ name: Notification.Name) { names.append(name) }
}

private final class CountingDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var changes = 0

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) { changes += 1 }
}
