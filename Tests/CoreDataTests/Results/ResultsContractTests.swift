import CoreData
import Foundation
import Testing

@Suite("Fetched results controllers, line by line")
@MainActor
struct ResultsContractTests {
    private func controller(
        _ context: NSManagedObjectContext, sections: String? = nil, predicate: String? = nil,
        sort: [String] = ["title"]
    ) -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = sort.map { NSSortDescriptor(key: $0, ascending: true) }
        request.predicate = predicate.map { NSPredicate(format: $0) }
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
    }

    private func followed(_ controller: NSFetchedResultsController<NSManagedObject>) throws -> RecordingDelegate {
        let delegate = RecordingDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        delegate.copy(controller)
        return delegate
    }

    private func titles(_ controller: NSFetchedResultsController<NSManagedObject>) -> [String?] {
        (controller.fetchedObjects ?? []).map { $0.text("title") }
    }

    @Test("A deletion that is rolled back before it was processed is never told", arguments: [false, true])
    func rolledBackDeletion(isProcessed: Bool) throws {
        let tree = try ContextTree()
        for title in ["A", "B", "C"] { tree.root.makeBook(title) }
        try tree.root.save()
        let results = controller(tree.root)
        let delegate = try followed(results)
        for book in [results.fetchedObjects?[1], results.fetchedObjects?[0]].compactMap({ $0 }) {
            tree.root.delete(book)
            if isProcessed { tree.root.processPendingChanges() }
            tree.root.rollback()
            tree.root.processPendingChanges()
            #expect(titles(results) == ["A", "B", "C"] && delegate.problems.isEmpty)
            #expect(!book.isDeleted && !tree.root.hasChanges)
        }
    }

    @Test("Dictionaries are shown in sections, as they were fetched")
    func dictionaries() throws {
        let tree = try ContextTree()
        for (title, pages) in [("A", 1), ("B", 2), ("C", 2), ("C", 2)] { tree.root.makeBook(title, ["pages": pages]) }
        try tree.root.save()
        let request = NSFetchRequest<NSDictionary>(entityName: "Book")
        request.resultType = .dictionaryResultType
        request.propertiesToFetch = ["title", "pages"]
        request.returnsDistinctResults = true
        request.sortDescriptors = ["pages", "title"].map { NSSortDescriptor(key: $0, ascending: true) }
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: tree.root, sectionNameKeyPath: "pages", cacheName: nil)
        let delegate = RecordingDelegate()
        results.delegate = delegate
        try results.performFetch()
        #expect(results.sections?.map(\.name) == ["1", "2"])
        #expect(results.sections?.map(\.numberOfObjects) == [1, 2])
        #expect(results.fetchedObjects?.map { $0["title"] as? String } == ["A", "B", "C"])
        let second = results.object(at: [1, 0])
        #expect(second["title"] as? String == "B")
        #expect(results.indexPath(forObject: second) == [1, 0])
        _ = delegate.takeEvents()
        tree.root.makeBook("D", ["pages": 3])
        try tree.root.save()
        #expect(delegate.takeEvents().isEmpty && results.fetchedObjects?.count == 3)
        try results.performFetch()
        #expect(results.fetchedObjects?.count == 4)
    }

    @Test("Object IDs are shown in one section; other results are an error")
    func identifiers() throws {
        let tree = try ContextTree()
        let books = ["A", "B"].map { tree.root.makeBook($0) }
        try tree.root.save()
        func controller(_ type: NSFetchRequestResultType, sections: String? = nil)
            -> NSFetchedResultsController<any NSFetchRequestResult>
        {
            let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Book")
            request.resultType = type
            request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
            return NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: tree.root, sectionNameKeyPath: sections, cacheName: nil)
        }
        let results = controller(.managedObjectIDResultType)
        try results.performFetch()
        #expect(results.fetchedObjects as? [NSManagedObjectID] == books.map(\.objectID))
        #expect(throws: NSError.self) { try controller(.countResultType).performFetch() }
        #expect(throws: NSError.self) {
            try controller(.managedObjectIDResultType, sections: "title").performFetch()
        }
    }

    @Test("Index paths don't move before the context has processed its changes")
    func pending() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("B")
        try tree.root.save()
        let results = controller(tree.root)
        let delegate = try followed(results)
        tree.root.makeBook("A")
        #expect(results.indexPath(forObject: book) == IndexPath(row: 0, section: 0))
        #expect(delegate.takeEvents().isEmpty)
        tree.root.processPendingChanges()
        #expect(results.indexPath(forObject: book) == IndexPath(row: 1, section: 0))
        #expect(delegate.takeEvents() == ["willChange", "\(NSFetchedResultsChangeType.insert) 0-0", "didChange"])
    }

    @Test("A move is told once, with both paths, and no update besides")
    func move() throws {
        let tree = try ContextTree()
        let books = ["A", "B", "C"].map { tree.root.makeBook($0) }
        try tree.root.save()
        let results = controller(tree.root)
        let delegate = try followed(results)
        books[0].setValue("D", forKey: "title")
        tree.root.processPendingChanges()
        #expect(delegate.takeEvents() == ["willChange", "\(NSFetchedResultsChangeType.move) 0-0 to 0-2", "didChange"])
        #expect(titles(results) == ["B", "C", "D"])
    }

    @Test("Moving the last object out of a section deletes that, and into a new one inserts that, sections first")
    func sections() throws {
        let tree = try ContextTree()
        let (first, second) = (tree.root.make("Author", ["name": "A"]), tree.root.make("Author", ["name": "B"]))
        let book = tree.root.makeBook("One", ["author": first])
        try tree.root.save()
        let results = controller(tree.root, sections: "author.name", sort: ["author.name", "title"])
        let delegate = try followed(results)
        book.setValue(second, forKey: "author")
        tree.root.processPendingChanges()
        let events = delegate.takeEvents()
        #expect(events.count == 5 && events[1].contains("section") && events[2].contains("section"), "\(events)")
        #expect(results.sections?.map(\.name) == ["B"])
        #expect(delegate.problems.isEmpty)
    }

    @Test("A save tells nothing that the changes before it haven't told")
    func save() throws {
        let tree = try ContextTree()
        let results = controller(tree.root)
        let delegate = try followed(results)
        tree.root.makeBook("A")
        tree.root.processPendingChanges()
        _ = delegate.takeEvents()
        try tree.root.save()
        #expect(delegate.takeEvents().isEmpty)
        #expect(titles(results) == ["A"])
    }

    @Test("Undoing, redoing and rolling back leave the results as a fetch would have them")
    func undo() throws {
        let tree = try ContextTree()
        let book = tree.root.makeBook("A")
        try tree.root.save()
        let manager = UndoManager()
        manager.groupsByEvent = false
        tree.root.undoManager = manager
        let results = controller(tree.root, predicate: "title != 'Z'")
        let delegate = try followed(results)
        func check() throws {
            #expect(results.fetchedObjects == (try tree.root.fetch(results.fetchRequest)))
            #expect(delegate.sections.flatMap(\.objects) == results.fetchedObjects)
            #expect(delegate.problems.isEmpty)
        }
        manager.beginUndoGrouping()
        book.setValue("Z", forKey: "title")
        tree.root.makeBook("B")
        tree.root.processPendingChanges()
        manager.endUndoGrouping()
        #expect(titles(results) == ["B"])
        try check()
        tree.root.undo()
        #expect(titles(results) == ["A"])
        try check()
        tree.root.redo()
        #expect(titles(results) == ["B"])
        try check()
        tree.root.rollback()
        #expect(titles(results) == ["A"])
        try check()
    }

    @Test("A fetch limit holds for the fetch; what comes later fits in by its order")
    func limit() throws {
        let tree = try ContextTree()
        for title in ["A", "B", "C"] { tree.root.makeBook(title) }
        try tree.root.save()
        let results = controller(tree.root)
        results.fetchRequest.fetchLimit = 2
        let delegate = try followed(results)
        #expect(titles(results) == ["A", "B"])
        _ = delegate.takeEvents()
    }

    @Test("A controller of a child context follows what the child does, and what its parent has after a merge")
    func child() throws {
        let tree = try ContextTree()
        tree.root.makeBook("A")
        try tree.root.save()
        let child = tree.child()
        child.automaticallyMergesChangesFromParent = true
        let results = controller(child)
        let delegate = try followed(results)
        child.makeBook("B")
        child.processPendingChanges()
        #expect(titles(results) == ["A", "B"])
        try child.save()
        try tree.root.save()
        #expect(titles(results) == ["A", "B"])
        #expect(delegate.problems.isEmpty)
        #expect(results.fetchedObjects?.allSatisfy { !$0.objectID.isTemporaryID } == true)
    }

    @Test("The delegate isn't kept alive")
    func delegate() throws {
        let tree = try ContextTree()
        let results = controller(tree.root)
        weak var delegate: RecordingDelegate?
        do {
            let made = try followed(results)
            delegate = made
        }
        #expect(delegate == nil)
        tree.root.makeBook("A")
        tree.root.processPendingChanges()
    }

    @Test("A path that there isn't ends the program")
    func badPath() async {
        await #expect(processExitsWith: .failure) {
            try await MainActor.run {
                let tree = try ContextTree()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                let results = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: tree.root, sectionNameKeyPath: nil, cacheName: nil)
                try results.performFetch()
                _ = results.object(at: IndexPath(row: 0, section: 0))
            }
        }
    }

    @Test("An object that isn't a result has no path")
    func noPath() throws {
        let tree = try ContextTree()
        let results = controller(tree.root, predicate: "title == 'A'")
        try results.performFetch()
        #expect(results.indexPath(forObject: tree.root.makeBook("B")) == nil)
    }
}
