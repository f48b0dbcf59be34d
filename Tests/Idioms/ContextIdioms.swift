import CoreData

/// What programs do with contexts beyond saving.
@MainActor
func contextIdioms(_ suite: Suite) {
    func pair() throws -> (container: NSPersistentContainer, book: Book) {
        let container = PersistenceController().container
        let book = Book.make("Dune", pages: 600, in: container.viewContext)
        try container.viewContext.save()
        return (container, book)
    }

    suite("An edit screen's child context saves into its parent only") {
        let (container, book) = try pair()
        let child = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        child.parent = container.viewContext
        let edited = child.object(with: book.objectID) as! Book
        edited.title = "Edited"
        try expect(book.title, is: "Dune")
        try child.save()
        try expect(book.title, is: "Edited")
        try expect(container.viewContext.hasChanges)
        container.viewContext.rollback()
        try expect(book.title, is: "Dune")
    }

    suite("A new object of an edit screen appears in the parent with the save") {
        let (container, _) = try pair()
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = container.viewContext
        child.automaticallyMergesChangesFromParent = true
        let draft = Book.make("Draft", in: child)
        draft.author = Author("New", in: child)
        try child.save()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.predicate = NSPredicate(format: "author.name == 'New'")
        try expect(try container.viewContext.fetch(request).map(\.title), is: ["Draft"])
        try container.viewContext.save()
        try child.obtainPermanentIDs(for: [draft])
        try expect(!draft.objectID.isTemporaryID)
    }

    suite("A validation error of the child names the child's object") {
        let (container, _) = try pair()
        let child = NSManagedObjectContext(.mainQueue)
        child.parent = container.viewContext
        let author = Author(context: child)
        let error = try expectError { try child.save() }
        try expect(error.code, is: NSValidationMissingMandatoryPropertyError)
        try expect(error.userInfo[NSValidationObjectErrorKey] as? Author === author)
        try expect(!container.viewContext.hasChanges)
    }

    suite("A pinned context reads the same until it moves on") {
        let (container, book) = try pair()
        container.viewContext.automaticallyMergesChangesFromParent = false
        let pinned = container.newBackgroundContext()
        let id = book.objectID
        try pinned.performAndWait {
            try pinned.setQueryGenerationFrom(.current)
            try expect(try pinned.count(for: Book.fetchRequest()), is: 1)
        }
        _ = Book.make("Second", in: container.viewContext)
        book.title = "Changed"
        try container.viewContext.save()
        try pinned.performAndWait {
            try expect(try pinned.count(for: Book.fetchRequest()), is: 1)
            try expect((pinned.object(with: id) as! Book).title, is: "Dune")
            try expect(pinned.queryGenerationToken != nil)
            try pinned.setQueryGenerationFrom(nil)
            pinned.refreshAllObjects()
            try expect(try pinned.count(for: Book.fetchRequest()), is: 2)
            try expect((pinned.object(with: id) as! Book).title, is: "Changed")
        }
    }

    suite("A fault whose row is gone is a deleted object with nothing in it") {
        let (container, book) = try pair()
        container.viewContext.automaticallyMergesChangesFromParent = false
        container.viewContext.shouldDeleteInaccessibleFaults = true
        container.viewContext.refresh(book, mergeChanges: false)
        try container.newBackgroundContext().execute(
            NSBatchDeleteRequest(fetchRequest: NSFetchRequest<NSFetchRequestResult>(entityName: "Book")))
        try expect(book.title == nil)
        try expect(book.isDeleted)
        try expect(book.pages, is: 0)
    }

    suite("existingObject tells that an object is gone, object(with:) doesn't") {
        let (container, book) = try pair()
        let id = book.objectID
        container.viewContext.delete(book)
        try container.viewContext.save()
        let fault = container.viewContext.object(with: id)
        try expect(fault.isFault)
        let error = try expectError { _ = try container.newBackgroundContext().existingObject(with: id) }
        try expect(error.code, is: NSManagedObjectReferentialIntegrityError)
        try expect(
            container.viewContext.registeredObject(for: id) == nil
                || container.viewContext.registeredObject(for: id)!.isFault)
    }

    suite("An object's URI is kept in the user defaults and leads back to it") {
        let (container, book) = try pair()
        UserDefaults.standard.set(book.objectID.uriRepresentation().absoluteString, forKey: "selected")
        let url = try unwrap(UserDefaults.standard.string(forKey: "selected").flatMap(URL.init(string:)))
        let coordinator = container.persistentStoreCoordinator
        let id = try unwrap(coordinator.managedObjectID(forURIRepresentation: url))
        try expect(try container.viewContext.existingObject(with: id) === book)
        try expect(url.scheme, is: "x-coredata")
        try expect(url.host, is: coordinator.persistentStores[0].identifier)
        try expect(coordinator.managedObjectID(forURIRepresentation: URL(string: "x-coredata://ABC/Book/p1")!) == nil)
        try expect(coordinator.managedObjectID(forURIRepresentation: URL(string: "https://example.org")!) == nil)
    }

    suite("Refreshing all objects frees them and keeps unsaved changes") {
        let (container, book) = try pair()
        let other = Book.make("Other", in: container.viewContext)
        try container.viewContext.save()
        book.title = "Unsaved"
        container.viewContext.refreshAllObjects()
        try expect(other.isFault)
        try expect(book.title, is: "Unsaved")
        try expect(container.viewContext.hasChanges)
    }

    suite("New objects go to the store that they are assigned to") {
        let model = PersistenceController(inMemory: true).container.managedObjectModel
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let folder = FileManager.default.temporaryDirectory
        let stores = try ["A", "B"].map {
            try coordinator.addPersistentStore(
                type: .sqlite, configuration: nil, at: folder.appendingPathComponent("\($0).sqlite"), options: nil)
        }
        let context = NSManagedObjectContext(.mainQueue)
        context.persistentStoreCoordinator = coordinator
        let book = Book.make("In B", in: context)
        context.assign(book, to: stores[1])
        try context.save()
        try expect(book.objectID.persistentStore === stores[1])
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.affectedStores = [stores[0]]
        try expect(try context.count(for: request), is: 0)
    }

    suite("Names of undo actions, groups and limits") {
        let (container, book) = try pair()
        let undoManager = UndoManager()
        container.viewContext.undoManager = undoManager
        undoManager.levelsOfUndo = 5
        book.title = "One"
        container.viewContext.processPendingChanges()
        undoManager.setActionName("Rename")
        try expect(undoManager.canUndo)
        try expect(undoManager.undoActionName, is: "Rename")
        try expect(undoManager.undoMenuItemTitle.contains("Rename"))
        undoManager.undo()
        try expect(book.title, is: "Dune")
        try expect(undoManager.canRedo)
        undoManager.redo()
        try expect(book.title, is: "One")
    }

    suite("Edits of a form are undone together, and a handler of its own with them") {
        let (container, book) = try pair()
        final class Form { var message = "" }
        let form = Form()
        let undoManager = UndoManager()
        undoManager.groupsByEvent = false
        container.viewContext.undoManager = undoManager
        undoManager.beginUndoGrouping()
        book.title = "Two"
        book.pages = 2
        undoManager.registerUndo(withTarget: form) { $0.message = "undone" }
        form.message = "edited"
        undoManager.endUndoGrouping()
        undoManager.undo()
        try expect(book.title, is: "Dune")
        try expect(book.pages, is: 600)
        try expect(form.message, is: "undone")
    }

    suite("Undo notifications tell a form to look again") {
        let (container, book) = try pair()
        let undoManager = UndoManager()
        container.viewContext.undoManager = undoManager
        nonisolated(unsafe) var heard: [String] = []
        let tokens = [(Notification.Name.NSUndoManagerDidUndoChange, "undo"), (.NSUndoManagerDidRedoChange, "redo")].map
        { name, text in
            NotificationCenter.default.addObserver(forName: name, object: undoManager, queue: nil) { _ in
                heard.append(text)
            }
        }
        book.title = "Changed"
        container.viewContext.processPendingChanges()
        undoManager.undo()
        undoManager.redo()
        try expect(heard, is: ["undo", "redo"])
        tokens.forEach(NotificationCenter.default.removeObserver)
    }

    suite("A conflict is looked for before the save") {
        let (container, book) = try pair()
        container.viewContext.automaticallyMergesChangesFromParent = false
        book.title = "Mine"
        container.viewContext.detectConflicts(for: book)
        let other = container.newBackgroundContext()
        let id = book.objectID
        try other.performAndWait {
            (try other.existingObject(with: id) as! Book).title = "Theirs"
            try other.save()
        }
        try expectError { try container.viewContext.save() }
        container.viewContext.refresh(book, mergeChanges: true)
        try expect(book.title, is: "Mine")
        try container.viewContext.save()
    }

    suite("What was read long ago is read again when it is stale") {
        let (container, book) = try pair()
        let context = container.viewContext
        context.automaticallyMergesChangesFromParent = false
        context.stalenessInterval = 0
        let other = container.newBackgroundContext()
        let id = book.objectID
        try other.performAndWait {
            (try other.existingObject(with: id) as! Book).title = "Theirs"
            try other.save()
        }
        try expect(book.title, is: "Dune")
        context.refresh(book, mergeChanges: true)
        try expect(book.title, is: "Theirs")
    }

    suite("An object whose batch deletion was merged is deleted until the context saves") {
        let (container, book) = try pair()
        let context = container.viewContext
        let request = NSBatchDeleteRequest(fetchRequest: Book.fetchRequest())
        request.resultType = .resultTypeObjectIDs
        let ids = (try context.execute(request) as? NSBatchDeleteResult)?.result as? [NSManagedObjectID] ?? []
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: [NSDeletedObjectsKey: ids], into: [context])
        try expect(book.isDeleted)
        try context.save()
        try expect(!book.isDeleted && book.managedObjectContext == nil)
    }
}
