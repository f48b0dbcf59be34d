import CoreData

/// A table view's stand-in: what the delegate of a list has to do.
private final class BookListViewController: NSObject, NSFetchedResultsControllerDelegate {
    let fetchedResultsController: NSFetchedResultsController<Book>
    var rows: [[String]] = []
    var log: [String] = []
    private var blockOperations: [() -> Void] = []

    init(context: NSManagedObjectContext, sections: String? = nil, batchSize: Int = 20) {
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors =
            (sections.map { [NSSortDescriptor(key: $0, ascending: true)] } ?? [])
            + [NSSortDescriptor(keyPath: \Book.title, ascending: true)]
        request.fetchBatchSize = batchSize
        fetchedResultsController = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: sections, cacheName: nil)
        super.init()
        fetchedResultsController.delegate = self
    }

    func viewDidLoad() throws {
        try fetchedResultsController.performFetch()
        rows = fetchedResultsController.sections!.map { section in
            section.objects!.map { ($0 as! Book).title! }
        }
    }

    func numberOfSections() -> Int { fetchedResultsController.sections?.count ?? 0 }

    func numberOfRows(inSection section: Int) -> Int {
        guard let sectionInfo = fetchedResultsController.sections?[section] else { return 0 }
        return sectionInfo.numberOfObjects
    }

    func controllerWillChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        blockOperations.removeAll()
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChange sectionInfo: NSFetchedResultsSectionInfo,
        atSectionIndex sectionIndex: Int, for type: NSFetchedResultsChangeType
    ) {
        switch type {
        case .insert: blockOperations.append { [unowned self] in rows.insert([], at: sectionIndex) }
        case .delete: blockOperations.append { [unowned self] in rows.remove(at: sectionIndex) }
        default: break
        }
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?, for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        let title = (anObject as! Book).title ?? ""
        switch type {
        case .insert: log.append("insert \(title) \(newIndexPath!.row)")
        case .delete: log.append("delete \(title) \(indexPath!.row)")
        case .update: log.append("update \(title) \(indexPath!.row)")
        case .move: log.append("move \(title) \(indexPath!.row) \(newIndexPath!.row)")
        @unknown default: fatalError("Unknown")
        }
    }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        for operation in blockOperations { operation() }
        rows = controller.sections!.map { $0.objects!.map { ($0 as! Book).title! } }
        log.append("end")
    }

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        sectionIndexTitleForSectionName sectionName: String
    ) -> String? {
        "#\(sectionName)"
    }
}

/// The delegate of a diffable data source.
private final class SnapshotDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var sections: [[String]] = []
    var items: [[NSManagedObjectID]] = []

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith snapshot: NSDiffableDataSourceSnapshotReference
    ) {
        sections.append(snapshot.sectionIdentifiers as! [String])
        items.append(snapshot.itemIdentifiers as! [NSManagedObjectID])
    }
}

private final class DifferenceDelegate: NSObject, NSFetchedResultsControllerDelegate {
    var changes: [CollectionDifference<NSManagedObjectID>] = []

    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>,
        didChangeContentWith diff: CollectionDifference<NSManagedObjectID>
    ) {
        changes.append(diff)
    }
}

/// Any request as a stream of arrays.
@MainActor
private final class FetchRequestStream<T: NSManagedObject>: NSObject, NSFetchedResultsControllerDelegate {
    private let frc: NSFetchedResultsController<T>
    private var continuation: AsyncStream<[T]>.Continuation?

    init(request: NSFetchRequest<T>, context: NSManagedObjectContext) {
        frc = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        frc.delegate = self
    }

    func makeStream() -> AsyncStream<[T]> {
        AsyncStream { continuation in
            self.continuation = continuation
            try? frc.performFetch()
            continuation.yield(frc.fetchedObjects ?? [])
        }
    }

    nonisolated func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        MainActor.assumeIsolated {
            _ = continuation?.yield(frc.fetchedObjects ?? [])
        }
    }
}

/// A view model that publishes by a closure.
private final class BooksViewModel: NSObject, NSFetchedResultsControllerDelegate {
    var onChange: (([Book]) -> Void)?
    private let controller: NSFetchedResultsController<Book>

    init(moc: NSManagedObjectContext) {
        let request = NSFetchRequest<Book>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.publishedAt, ascending: false)]
        request.predicate = NSPredicate(format: "isAvailable == true")
        controller = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: moc, sectionNameKeyPath: nil, cacheName: nil)
        super.init()
        controller.delegate = self
        do {
            try controller.performFetch()
        } catch {
            print("failed to fetch items! \(error)")
        }
    }

    var books: [Book] { controller.fetchedObjects ?? [] }

    func controllerDidChangeContent(_ controller: NSFetchedResultsController<NSFetchRequestResult>) {
        guard let books = controller.fetchedObjects as? [Book] else { return }
        onChange?(books)
    }
}

@MainActor
func listIdioms(_ suite: Suite) {
    func container() -> NSPersistentContainer { PersistenceController().container }

    suite("A list controller shows rows and follows every kind of change") {
        let context = container().viewContext
        for title in ["b", "d"] { _ = Book.make(title, in: context) }
        try context.save()
        let list = BookListViewController(context: context)
        try list.viewDidLoad()
        try expect(list.rows, is: [["b", "d"]])
        _ = Book.make("c", in: context)
        try context.save()
        try expect(list.log, is: ["insert c 1", "end"])
        list.log = []
        let first = list.fetchedResultsController.object(at: IndexPath(row: 0, section: 0))
        first.title = "z"
        try context.save()
        try expect(list.log, is: ["move z 0 2", "end"])
        list.log = []
        first.pages = 3
        try context.save()
        try expect(list.log, is: ["update z 2", "end"])
        list.log = []
        context.delete(first)
        try context.save()
        try expect(list.log, is: ["delete z 2", "end"])
        try expect(list.numberOfRows(inSection: 0), is: 2)
    }

    suite("Sections by an attribute come with names and the delegate's index titles") {
        let context = container().viewContext
        for (name, title) in [("Asimov", "Foundation"), ("Herbert", "Dune"), ("Asimov", "I, Robot")] {
            let author =
                try context.fetch(Author.fetchRequest() as NSFetchRequest<Author>).first { $0.name == name }
                ?? Author(name, in: context)
            _ = Book.make(title, by: author, in: context)
        }
        try context.save()
        let list = BookListViewController(context: context, sections: "author.name")
        try list.viewDidLoad()
        try expect(list.fetchedResultsController.sections?.map(\.name), is: ["Asimov", "Herbert"])
        try expect(list.rows, is: [["Foundation", "I, Robot"], ["Dune"]])
        try expect(list.fetchedResultsController.sectionIndexTitles, is: ["#Asimov", "#Herbert"])
        try expect(list.fetchedResultsController.sectionIndexTitle(forSectionName: "Herbert"), is: "#Herbert")
        try expect(list.fetchedResultsController.section(forSectionIndexTitle: "#Herbert", at: 1), is: 1)
    }

    suite("Without a delegate an index title is the first letter in upper case") {
        let context = container().viewContext
        for title in ["alpha", "beta"] { _ = Book.make(title, in: context) }
        try context.save()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "title", cacheName: nil)
        try results.performFetch()
        try expect(results.sectionIndexTitles, is: ["A", "B"])
        try expect(results.sections?.first?.indexTitle, is: "A")
    }

    suite("Section by section, rows go when their last object goes") {
        let context = container().viewContext
        let author = Author("Asimov", in: context)
        let book = Book.make("Foundation", by: author, in: context)
        _ = Book.make("Dune", by: Author("Herbert", in: context), in: context)
        try context.save()
        let list = BookListViewController(context: context, sections: "author.name")
        try list.viewDidLoad()
        try expect(list.numberOfSections(), is: 2)
        context.delete(book)
        try context.save()
        try expect(list.rows, is: [["Dune"]])
    }

    suite("A diffable data source gets snapshots of names and IDs") {
        let context = container().viewContext
        let first = Book.make("a", in: context)
        try context.save()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = SnapshotDelegate()
        results.delegate = delegate
        try results.performFetch()
        try expect(delegate.items.last, is: [first.objectID])
        let second = Book.make("b", in: context)
        try context.obtainPermanentIDs(for: [second])
        try context.save()
        try expect(delegate.items.last, is: [first.objectID, second.objectID])
        try expect(delegate.sections.last?.count, is: 1)
    }

    suite("A difference of IDs can be applied to what was there before") {
        let context = container().viewContext
        let books = ["a", "b", "c"].map { Book.make($0, in: context) }
        try context.save()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        let delegate = DifferenceDelegate()
        results.delegate = delegate
        try results.performFetch()
        let before = results.fetchedObjects!.map(\.objectID)
        context.delete(books[1])
        let new = Book.make("d", in: context)
        try context.obtainPermanentIDs(for: [new])
        try context.save()
        let after = delegate.changes.reduce(before) { $0.applying($1) ?? [] }
        try expect(after, is: [books[0].objectID, books[2].objectID, new.objectID])
    }

    suite.waiting("A stream yields what is there and each change") {
        let context = container().viewContext
        _ = Book.make("a", in: context)
        try context.save()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let stream = FetchRequestStream(request: request, context: context)
        var seen: [[String]] = []
        for await books in stream.makeStream() {
            seen.append(books.map { $0.title ?? "" })
            if seen.count == 2 { break }
            _ = Book.make("b", in: context)
            try context.save()
        }
        try expect(seen, is: [["a"], ["a", "b"]])
    }

    suite("A view model hears of changes that leave and enter its predicate") {
        let context = container().viewContext
        let book = Book.make("a", in: context)
        try context.save()
        let model = BooksViewModel(moc: context)
        var counts: [Int] = []
        model.onChange = { counts.append($0.count) }
        try expect(model.books.count, is: 1)
        book.isAvailable = false
        try context.save()
        book.isAvailable = true
        try context.save()
        try expect(counts, is: [0, 1])
    }

    suite("Two controllers of one context tell their own results") {
        let context = container().viewContext
        let all = BookListViewController(context: context)
        let others = BookListViewController(context: context)
        others.fetchedResultsController.fetchRequest.predicate = NSPredicate(format: "pages > 100")
        try all.viewDidLoad()
        try others.viewDidLoad()
        _ = Book.make("short", pages: 10, in: context)
        _ = Book.make("long", pages: 1000, in: context)
        try context.save()
        try expect(all.rows, is: [["long", "short"]])
        try expect(others.rows, is: [["long"]])
    }

    suite("Index paths lead to objects and back") {
        let context = container().viewContext
        let books = ["a", "b", "c"].map { Book.make($0, in: context) }
        try context.save()
        let list = BookListViewController(context: context, batchSize: 2)
        try list.viewDidLoad()
        let path = try unwrap(list.fetchedResultsController.indexPath(forObject: books[2]))
        try expect(path, is: IndexPath(item: 2, section: 0))
        try expect(list.fetchedResultsController.object(at: path) === books[2])
        try expect(list.fetchedResultsController.indexPath(forObject: Book.make("x", in: context)) == nil)
    }

    suite("A controller without a delegate doesn't follow until it fetches again") {
        let context = container().viewContext
        _ = Book.make("a", in: context)
        try context.save()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let results = NSFetchedResultsController(
            fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: nil, cacheName: nil)
        try results.performFetch()
        _ = Book.make("b", in: context)
        try context.save()
        try expect(results.fetchedObjects?.count, is: 1)
        try results.performFetch()
        try expect(results.fetchedObjects?.count, is: 2)
    }

    suite("A change of a related object shows after the row itself is touched") {
        let context = container().viewContext
        let author = Author("Asimov", in: context)
        let book = Book.make("a", by: author, in: context)
        try context.save()
        let list = BookListViewController(context: context)
        try list.viewDidLoad()
        author.name = "Isaac Asimov"
        for book in author.sortedBooks {
            book.willChangeValue(forKey: "author")
            book.didChangeValue(forKey: "author")
        }
        try context.save()
        try expect(list.log, is: ["update a 0", "end"])
        _ = book
    }
}
