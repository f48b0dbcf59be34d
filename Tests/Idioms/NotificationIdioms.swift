import CoreData

/// Hears notifications and keeps what they have.
private final class Listener: @unchecked Sendable {
    private let lock = NSLock()
    private var notes: [Notification] = []
    private var token: (any NSObjectProtocol)?

    init(_ name: Notification.Name, of object: Any?) {
        token = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
            [unowned self] note in
            lock.withLock { notes.append(note) }
        }
    }

    deinit { token.map(NotificationCenter.default.removeObserver) }

    var all: [Notification] { lock.withLock { notes } }
    var last: [AnyHashable: Any] { all.last?.userInfo ?? [:] }
}

/// The typed view of a notification that a book on the framework makes.
private struct ObjectsDidChange {
    let note: Notification

    var inserted: Set<NSManagedObject> { objects(NSInsertedObjectsKey) }
    var updated: Set<NSManagedObject> { objects(NSUpdatedObjectsKey) }
    var deleted: Set<NSManagedObject> { objects(NSDeletedObjectsKey) }
    var refreshed: Set<NSManagedObject> { objects(NSRefreshedObjectsKey) }
    var invalidated: Set<NSManagedObject> { objects(NSInvalidatedObjectsKey) }
    var invalidatedAll: Bool { note.userInfo?[NSInvalidatedAllObjectsKey] != nil }
    var context: NSManagedObjectContext { note.object as! NSManagedObjectContext }

    private func objects(_ key: String) -> Set<NSManagedObject> { note.userInfo?[key] as? Set<NSManagedObject> ?? [] }
}

/// Follows one object, as the same book does.
private final class ManagedObjectObserver {
    enum Change { case delete, update }
    private var token: (any NSObjectProtocol)?

    init?(object: NSManagedObject, changeHandler: @escaping (Change) -> Void) {
        guard let context = object.managedObjectContext else { return nil }
        nonisolated(unsafe) let object = object
        token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: context, queue: nil
        ) { note in
            let change = ObjectsDidChange(note: note)
            if change.invalidatedAll || change.deleted.union(change.invalidated).contains(where: { $0 === object }) {
                changeHandler(.delete)
            } else if change.updated.union(change.refreshed).contains(where: { $0 === object }) {
                changeHandler(.update)
            }
        }
    }

    deinit { token.map(NotificationCenter.default.removeObserver) }
}

@MainActor
func notificationIdioms(_ suite: Suite) {
    var held: [NSPersistentContainer] = []
    func pair() throws -> (container: NSPersistentContainer, book: Book) {
        let container = PersistenceController().container
        held.append(container)
        let book = Book.make("Dune", in: container.viewContext)
        try container.viewContext.save()
        return (container, book)
    }

    suite("A detail screen hears that its object was changed and deleted") {
        let (container, book) = try pair()
        var heard: [String] = []
        let observer = ManagedObjectObserver(object: book) { heard.append($0 == .update ? "update" : "delete") }
        book.title = "Changed"
        container.viewContext.processPendingChanges()
        container.viewContext.delete(book)
        container.viewContext.processPendingChanges()
        try expect(heard, is: ["update", "delete"])
        try expect(observer != nil)
    }

    suite("A detail screen hears that everything was thrown away") {
        let (container, book) = try pair()
        var heard = 0
        let observer = ManagedObjectObserver(object: book) { _ in heard += 1 }
        container.viewContext.reset()
        try expect(heard, is: 1)
        try expect(observer != nil)
    }

    suite("A merged save is a refresh of the object here") {
        let (container, book) = try pair()
        container.viewContext.automaticallyMergesChangesFromParent = false
        let listener = Listener(.NSManagedObjectContextObjectsDidChange, of: container.viewContext)
        let background = container.newBackgroundContext()
        let saves = Listener(.NSManagedObjectContextDidSave, of: background)
        let id = book.objectID
        try background.performAndWait {
            (background.object(with: id) as! Book).title = "Theirs"
            try background.save()
        }
        container.viewContext.mergeChanges(fromContextDidSave: saves.all[0])
        let change = ObjectsDidChange(note: try unwrap(listener.all.last))
        try expect(change.refreshed.union(change.updated), is: [book])
        try expect(change.context === container.viewContext)
    }

    suite("The three notifications of a save by their new names") {
        let (container, book) = try pair()
        let context = container.viewContext
        let will = Listener(NSManagedObjectContext.willSaveObjectsNotification, of: context)
        let did = Listener(NSManagedObjectContext.didSaveObjectsNotification, of: context)
        let change = Listener(NSManagedObjectContext.didChangeObjectsNotification, of: context)
        let ids = Listener(.NSManagedObjectContextDidSaveObjectIDs, of: context)
        book.title = "Changed"
        let gone = Book.make("Gone", in: context)
        try context.save()
        context.delete(gone)
        try context.save()
        try expect([will.all.count, did.all.count, ids.all.count], is: [2, 2, 2])
        try expect(change.all.count >= 2)
        typealias Key = NSManagedObjectContext.NotificationKey
        try expect(ids.all[0].userInfo?[Key.updatedObjectIDs.rawValue] as? Set<NSManagedObjectID>, is: [book.objectID])
        try expect(ids.all[0].userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>, is: [book.objectID])
        try expect((ids.last[Key.deletedObjectIDs.rawValue] as? Set<NSManagedObjectID>)?.count, is: 1)
        try expect((did.last[Key.deletedObjects.rawValue] as? Set<NSManagedObject>)?.count, is: 1)
    }

    suite("Merging tells IDs to those who wait for them") {
        let (container, book) = try pair()
        let merged = Listener(.NSManagedObjectContextDidMergeChangesObjectIDs, of: container.viewContext)
        let background = container.newBackgroundContext()
        let id = book.objectID
        try background.performAndWait {
            (background.object(with: id) as! Book).title = "Theirs"
            try background.save()
        }
        let deadline = Date().addingTimeInterval(10)
        while merged.all.isEmpty, Date() < deadline { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
        let ids = (merged.last[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID> ?? [])
            .union(merged.last[NSRefreshedObjectIDsKey] as? Set<NSManagedObjectID> ?? [])
        try expect(ids, is: [id])
        try expect(
            NSManagedObjectContext.didMergeChangesObjectIDsNotification
                == .NSManagedObjectContextDidMergeChangesObjectIDs)
    }

    suite("An observer of all contexts merges the saves of others of its coordinator") {
        let (container, book) = try pair()
        let main = container.viewContext
        main.automaticallyMergesChangesFromParent = false
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: nil, queue: nil
        ) { note in
            guard let context = note.object as? NSManagedObjectContext, context !== main,
                context.persistentStoreCoordinator === main.persistentStoreCoordinator
            else { return }
            main.perform {
                for object in note.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? [] {
                    main.object(with: object.objectID).willAccessValue(forKey: nil)
                }
                main.mergeChanges(fromContextDidSave: note)
            }
        }
        let background = container.newBackgroundContext()
        let id = book.objectID
        background.perform {
            (background.object(with: id) as! Book).title = "Theirs"
            try? background.save()
        }
        let deadline = Date().addingTimeInterval(10)
        while book.title != "Theirs", Date() < deadline { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
        try expect(book.title, is: "Theirs")
        NotificationCenter.default.removeObserver(token)
    }

    suite("Stores that come and go are told by the coordinator") {
        let model = PersistenceController(inMemory: true).container.managedObjectModel
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let changes = Listener(.NSPersistentStoreCoordinatorStoresDidChange, of: coordinator)
        let removals = Listener(.NSPersistentStoreCoordinatorWillRemoveStore, of: nil)
        let store = try coordinator.addPersistentStore(
            type: .inMemory, configuration: nil, at: URL(fileURLWithPath: "/dev/null"))
        try expect((changes.last[NSAddedPersistentStoresKey] as? [NSPersistentStore])?.first === store)
        try coordinator.remove(store)
        try expect((changes.last[NSRemovedPersistentStoresKey] as? [NSPersistentStore])?.first === store)
        try expect(removals.all.count, is: 1)
    }

    suite("addObserver by key paths hears of managed objects") {
        final class Observer: NSObject, KeyValueObserver {
            var heard: [String] = []
            func observeValue(
                forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
                context: UnsafeMutableRawPointer?
            ) {
                let old = change?[.oldKey] as? String ?? "nil"
                let new = change?[.newKey] as? String ?? "nil"
                heard.append("\(keyPath ?? ""): \(old) to \(new)")
            }
        }
        let (_, book) = try pair()
        let observer = Observer()
        book.addObserver(observer, forKeyPath: "title", options: [.old, .new], context: nil)
        book.title = "Changed"
        book.removeObserver(observer, forKeyPath: "title")
        book.title = "Unheard"
        try expect(observer.heard, is: ["title: Dune to Changed"])
    }

    suite("A prior change is told before the value is there") {
        let (_, book) = try pair()
        var heard: [String] = []
        let observation = book.observe(\.title, options: [.prior, .new]) { book, change in
            heard.append(change.isPrior ? "before \(book.title!)" : "after \(book.title!)")
        }
        book.title = "Changed"
        observation.invalidate()
        try expect(heard, is: ["before Dune", "after Changed"])
    }

    suite("A to-many tells what came and went") {
        let (container, book) = try pair()
        var kinds: [NSKeyValueChange] = []
        let observation = book.observe(\.loans, options: [.old, .new]) { _, change in kinds.append(change.kind) }
        let loan = Loan(context: container.viewContext)
        book.addToLoans(loan)
        book.removeFromLoans(loan)
        book.loans = NSOrderedSet()
        observation.invalidate()
        try expect(kinds.first == .insertion, "\(kinds.map(\.rawValue))")
        try expect(kinds.dropFirst().first == .removal)
    }

    suite("objectWillChange is sent before an object changes") {
        let (_, book) = try pair()
        var count = 0
        let subscription = book.objectWillChange.sink { count += 1 }
        book.title = "Changed"
        try expect(count >= 1)
        subscription.cancel()
    }

    suite.waiting("Saves come as an asynchronous sequence of names and counts") {
        let (container, _) = try pair()
        let context = container.viewContext
        let sequence = NotificationCenter.default.notifications(named: .NSManagedObjectContextDidSave, object: context)
            .map { note in (note.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>)?.count ?? 0 }
        let task = Task { @MainActor in
            for await count in sequence { return count }
            return -1
        }
        try await Task.sleep(nanoseconds: 50_000_000)
        for _ in 0..<3 { _ = Book.make("New", in: context) }
        try context.save()
        let count = await task.value
        try expect(count, is: 3)
    }
}
