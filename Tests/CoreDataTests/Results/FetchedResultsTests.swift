import CoreData
import Testing

@Suite("A fetched results controller")
struct FetchedResultsTests {
    private let stack: TemporaryStack
    private let context: NSManagedObjectContext

    init() throws {
        stack = try TemporaryStack()
        context = stack.context()
    }

    private func controller(
        sections: String? = "author.name", predicate: String? = nil, cache: String? = nil
    ) -> NSFetchedResultsController<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [
            NSSortDescriptor(key: "author.name", ascending: true), NSSortDescriptor(key: "title", ascending: true),
        ]
        request.predicate = predicate.map { NSPredicate(format: $0) }
        return NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: cache)
    }

    private func fill() throws -> (verne: NSManagedObject, woolf: NSManagedObject) {
        let (verne, woolf) = (context.make("Author", ["name": "Verne"]), context.make("Author", ["name": "Woolf"]))
        for title in ["Michel Strogoff", "Around the World"] { context.makeBook(title, ["author": verne]) }
        for title in ["The Waves", "Orlando"] { context.makeBook(title, ["author": woolf]) }
        try context.save()
        return (verne, woolf)
    }

    private func titles(_ controller: NSFetchedResultsController<NSManagedObject>) -> [[String]] {
        (controller.sections ?? []).map { ($0.objects ?? []).compactMap { ($0 as? NSManagedObject)?.text("title") } }
    }

    private func followed(
        _ controller: NSFetchedResultsController<NSManagedObject>
    ) throws -> RecordingDelegate {
        let delegate = RecordingDelegate()
        controller.delegate = delegate
        try controller.performFetch()
        delegate.copy(controller)
        return delegate
    }

    // MARK: Fetching

    @Test("Before the first fetch it has no objects and no sections; afterwards sections by key path, in order")
    func sections() throws {
        _ = try fill()
        let results = controller()
        #expect(results.fetchedObjects == nil)
        #expect(results.sections == nil)
        try results.performFetch()
        #expect(results.sections?.map(\.name) == ["Verne", "Woolf"])
        #expect(titles(results) == [["Around the World", "Michel Strogoff"], ["Orlando", "The Waves"]])
        #expect(results.fetchedObjects?.count == 4)
        let orlando = results.object(at: IndexPath(row: 0, section: 1))
        #expect(orlando.text("title") == "Orlando")
        #expect(results.indexPath(forObject: orlando) == IndexPath(item: 0, section: 1))
        #expect(results.sections?[1].numberOfObjects == 2)
        #expect(results.indexPath(forObject: context.makeBook("New")) == nil)
    }

    @Test("Without a key path there is one section without a name, even for no results; with one there are none then")
    func emptyResults() throws {
        let (plain, sectioned) = (controller(sections: nil), controller())
        try plain.performFetch()
        try sectioned.performFetch()
        #expect(plain.sections?.map(\.name) == [""])
        #expect(plain.sections?[0].numberOfObjects == 0)
        #expect(sectioned.sections?.isEmpty == true)
    }

    @Test("Objects that aren't sorted by section are an error that names the section")
    func unsorted() throws {
        let (verne, _) = try fill()
        context.makeBook("Zigzag", ["author": verne])
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "author.name", cacheName: nil)
        let error = #expect(throws: NSError.self) { try results.performFetch() }
        #expect(error?.localizedDescription.contains("out of order section name") == true)
    }

    @Test("Index titles are the first letters, or what a subclass or the delegate says; each leads to its section")
    func indexTitles() throws {
        final class Numbered: NSFetchedResultsController<NSManagedObject> {
            override func sectionIndexTitle(forSectionName sectionName: String) -> String? { "\(sectionName.count)" }
        }
        final class Titler: NSObject, NSFetchedResultsControllerDelegate {
            func controller(
                _ controller: NSFetchedResultsController<NSFetchRequestResult>,
                sectionIndexTitleForSectionName sectionName: String
            ) -> String? { String(sectionName.suffix(1)) }
        }
        _ = try fill()
        let results = controller()
        try results.performFetch()
        #expect(results.sectionIndexTitles == ["V", "W"])
        #expect(results.section(forSectionIndexTitle: "W", at: 1) == 1)
        let numbered = Numbered(
            fetchRequest: results.fetchRequest, managedObjectContext: context, sectionNameKeyPath: "author.name",
            cacheName: nil)
        try numbered.performFetch()
        #expect(numbered.sectionIndexTitles == ["5"])
        let titler = Titler()
        numbered.delegate = titler
        #expect(numbered.sections?.map(\.indexTitle) == ["e", "f"])
    }

    // MARK: Following

    @Test("A change is told in order: will change, sections, objects, did change; paths are old ones and new ones")
    func order() throws {
        let (verne, woolf) = try fill()
        let results = controller()
        let delegate = try followed(results)
        let homer = context.make("Author", ["name": "Homer"])
        let orlando = results.object(at: IndexPath(row: 0, section: 1))
        context.delete(results.object(at: IndexPath(row: 0, section: 0)))
        orlando.setValue("Zola", forKey: "title")
        context.makeBook("Odyssey", ["author": homer])
        context.processPendingChanges()
        #expect(
            delegate.takeEvents() == [
                "willChange", "insert section 0 Homer", "delete 0-0", "insert 0-0", "move 1-0 to 2-1", "didChange",
            ])
        #expect(titles(results) == [["Odyssey"], ["Michel Strogoff"], ["The Waves", "Zola"]])
        #expect(delegate.sections.map(\.objects) == results.sections?.map { $0.objects as? [NSManagedObject] ?? [] })

        for book in verne.members("books").union(woolf.members("books")) { context.delete(book) }
        context.processPendingChanges()
        #expect(
            delegate.takeEvents() == [
                "willChange", "delete section 1 Verne", "delete section 2 Woolf", "delete 1-0", "delete 2-0",
                "delete 2-1", "didChange",
            ])
        #expect(delegate.problems == [])
    }

    @Test("An object that stays in its place is updated; what doesn't concern the results isn't told at all")
    func updates() throws {
        let (verne, _) = try fill()
        let results = controller(predicate: "copies > 0")
        let delegate = try followed(results)
        let book = results.object(at: IndexPath(row: 1, section: 0))
        book.setValue(7, forKey: "copies")
        context.processPendingChanges()
        #expect(delegate.takeEvents() == ["willChange", "update 0-1 to 0-1", "didChange"])
        context.make("Genre", ["name": "Novel"])
        verne.setValue(URL(string: "https://example.org"), forKey: "website")
        context.processPendingChanges()
        #expect(delegate.takeEvents() == [])
    }

    @Test("A change that makes an object fit the predicate inserts it, one that makes it unfit deletes it")
    func predicate() throws {
        _ = try fill()
        let results = controller(predicate: "inPrint == YES")
        let delegate = try followed(results)
        let book = results.object(at: IndexPath(row: 0, section: 0))
        book.setValue(false, forKey: "inPrint")
        context.processPendingChanges()
        #expect(delegate.takeEvents() == ["willChange", "delete 0-0", "didChange"])
        book.setValue(true, forKey: "inPrint")
        context.processPendingChanges()
        #expect(delegate.takeEvents() == ["willChange", "insert 0-0", "didChange"])
    }

    @Test("A change of a related object that the key path reaches shows with the next fetch, not before")
    func relatedObjects() throws {
        let (verne, _) = try fill()
        let results = controller()
        let delegate = try followed(results)
        verne.setValue("Zola", forKey: "name")
        context.processPendingChanges()
        #expect(delegate.takeEvents() == [])
        #expect(results.sections?.map(\.name) == ["Verne", "Woolf"])
        try context.save()
        try results.performFetch()
        #expect(results.sections?.map(\.name) == ["Woolf", "Zola"])
    }

    @Test("What another context saves comes with the merge; undo, rollback and refreshing are followed as well")
    func merges() throws {
        _ = try fill()
        let results = controller()
        let delegate = try followed(results)
        let other = stack.context()
        let book = try other.existingObject(with: results.object(at: IndexPath(row: 0, section: 0)).objectID)
        book.setValue("Zigzag", forKey: "title")
        nonisolated(unsafe) var saved: Notification?
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: other, queue: nil
        ) { saved = $0 }
        defer { NotificationCenter.default.removeObserver(token) }
        try other.save()
        context.mergeChanges(fromContextDidSave: try #require(saved))
        #expect(delegate.takeEvents() == ["willChange", "move 0-0 to 0-1", "didChange"])

        context.delete(results.object(at: IndexPath(row: 0, section: 0)))
        context.processPendingChanges()
        #expect(delegate.takeEvents() == ["willChange", "delete 0-0", "didChange"])
        context.rollback()
        #expect(delegate.takeEvents().first == "willChange")
        #expect(titles(results)[0] == ["Michel Strogoff", "Zigzag"])
        context.refresh(results.object(at: IndexPath(row: 0, section: 1)), mergeChanges: false)
        context.processPendingChanges()
        #expect(delegate.takeEvents() == ["willChange", "update 1-0 to 1-0", "didChange"])
        #expect(delegate.problems == [])
    }

    @Test("A reset tells nothing; the next fetch begins anew")
    func reset() throws {
        _ = try fill()
        let results = controller()
        let delegate = try followed(results)
        context.reset()
        context.makeBook("New")
        context.processPendingChanges()
        #expect(delegate.takeEvents() == [])
        try results.performFetch()
        #expect(results.fetchedObjects?.count == 5)
    }

    @Test("Without a delegate nothing is followed; a delegate that comes later finds the results as they are")
    func lateDelegate() throws {
        _ = try fill()
        let results = controller()
        try results.performFetch()
        context.makeBook("New")
        context.processPendingChanges()
        #expect(results.fetchedObjects?.count == 4)
        let delegate = RecordingDelegate()
        results.delegate = delegate
        #expect(results.fetchedObjects?.count == 5)
    }

    @Test("The controller that a delegate is handed equals the one that was made")
    func identity() throws {
        final class Comparing: NSObject, NSFetchedResultsControllerDelegate {
            var expected: NSObject?
            var isSame = false
            func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
                isSame = controller == expected && controller.fetchedObjects?.count == 1
            }
        }
        let results = controller()
        let delegate = Comparing()
        delegate.expected = results
        results.delegate = delegate
        try results.performFetch()
        context.makeBook("New")
        context.processPendingChanges()
        #expect(delegate.isSame)
    }

    @Test("A change of one object among 3,000 compares it with a few, and fetches nothing")
    func costs() throws {
        nonisolated(unsafe) var comparisons = 0
        let stack = try TemporaryStack(storeType: NSInMemoryStoreType)
        let context = stack.context()
        for number in 0..<3_000 { context.makeBook("Book", ["pages": number + 1]) }
        try context.save()
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [
            NSSortDescriptor(key: "pages", ascending: true) { first, second in
                comparisons += 1
                return (first as? NSNumber)?.compare(second as? NSNumber ?? 0) ?? .orderedSame
            }
        ]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = try followed(results)
        comparisons = 0
        results.object(at: IndexPath(row: 5, section: 0)).setValue(9_999, forKey: "pages")
        context.processPendingChanges()
        #expect(delegate.takeEvents() == ["willChange", "move 0-5 to 0-2999", "didChange"])
        #expect(comparisons < 50)
    }

    // MARK: Snapshots and differences

    @Test("A delegate that takes snapshots gets nothing else, the first one from the fetch")
    func snapshots() throws {
        let (verne, _) = try fill()
        let results = controller()
        let delegate = SnapshotDelegate()
        results.delegate = delegate
        try results.performFetch()
        #expect(delegate.snapshots.first?.sectionIdentifiers as? [String] == ["Verne", "Woolf"])
        let book = results.object(at: IndexPath(row: 0, section: 0))
        book.setValue(9, forKey: "copies")
        context.makeBook("Zigzag", ["author": verne])
        context.processPendingChanges()
        let last = try #require(delegate.snapshots.last)
        #expect(delegate.snapshots.count == 2)
        #expect(last.itemIdentifiers as? [NSManagedObjectID] == results.fetchedObjects?.map(\.objectID))
        #expect(last.numberOfItems(inSection: "Verne") == 3)
        #expect(last.reloadedItemIdentifiers as? [NSManagedObjectID] == [book.objectID])
        #expect(last.sectionIdentifier(forSectionContainingItemIdentifier: book.objectID) as? String == "Verne")
        #expect(last.index(ofItemIdentifier: book.objectID) == 0)
        #expect(delegate.others == 0)
    }

    @Test("A delegate that takes differences gets them where there are no sections, and can apply them")
    func differences() throws {
        _ = try fill()
        let results = controller(sections: nil)
        let delegate = DifferenceDelegate()
        results.delegate = delegate
        try results.performFetch()
        delegate.ids = (results.fetchedObjects ?? []).map(\.objectID)
        results.object(at: IndexPath(row: 0, section: 0)).setValue("Zigzag", forKey: "title")
        results.object(at: IndexPath(row: 3, section: 0)).setValue(9, forKey: "copies")
        context.delete(results.object(at: IndexPath(row: 2, section: 0)))
        context.makeBook("New")
        context.processPendingChanges()
        #expect(delegate.ids == (results.fetchedObjects ?? []).map(\.objectID))
        #expect(delegate.others == 0)
        let sectioned = controller()
        sectioned.delegate = delegate
        try sectioned.performFetch()
        context.makeBook("Newer")
        context.processPendingChanges()
        #expect(delegate.others == 1)
    }

    // MARK: Cache

    @Test("A named cache keeps the sections in a file, which counts only while the store is as it was")
    func cache() throws {
        let (verne, _) = try fill()
        let name = "tests \(UUID())"
        defer { NSFetchedResultsController<NSManagedObject>.deleteCache(withName: name) }
        try controller(cache: name).performFetch()
        let again = controller(cache: name)
        try again.performFetch()
        // Sections out of the cache are made without looking at any object.
        #expect(again.sections?.map(\.numberOfObjects) == [2, 2])
        let book = context.makeBook("Zigzag", ["author": verne])
        try context.save()
        let third = controller(cache: name)
        try third.performFetch()
        #expect(third.sections?.map(\.numberOfObjects) == [3, 2])
        #expect(third.indexPath(forObject: book) == IndexPath(row: 2, section: 0))
    }
}
