import CoreData

// What teams put in the place of the framework's classes in their tests.

private final class ContextSpy: NSManagedObjectContext, @unchecked Sendable {
    var saveWasCalled = false
    var saveError: (any Error)?
    var deleted: [NSManagedObject] = []
    var fetches = 0
    var stubbedChanges: Bool?

    override func save() throws {
        saveWasCalled = true
        if let saveError { throw saveError }
        try super.save()
    }

    override func delete(_ object: NSManagedObject) {
        deleted.append(object)
        super.delete(object)
    }

    override func perform(_ block: @escaping () -> Void) { block() }

    override func performAndWait(_ block: () -> Void) { super.performAndWait(block) }

    override var hasChanges: Bool { stubbedChanges ?? super.hasChanges }

    override func rollback() {
        fetches = -1
        super.rollback()
    }
}

private final class FakeContainer: NSPersistentContainer, @unchecked Sendable {
    var context: NSManagedObjectContext?
    override var viewContext: NSManagedObjectContext { context ?? super.viewContext }
    override func newBackgroundContext() -> NSManagedObjectContext { context ?? super.newBackgroundContext() }
    override func loadPersistentStores(
        completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
    ) {
        block(persistentStoreDescriptions[0], NSError(domain: NSCocoaErrorDomain, code: NSPersistentStoreOpenError))
    }
}

private final class FakeCoordinator: NSPersistentStoreCoordinator, @unchecked Sendable {
    var added: [String] = []
    override func addPersistentStore(
        ofType storeType: String, configurationName configuration: String?, at storeURL: URL?,
        options: [AnyHashable: Any]? = nil
    ) throws -> NSPersistentStore {
        added.append(storeType)
        return try super.addPersistentStore(
            ofType: NSInMemoryStoreType, configurationName: configuration, at: nil, options: options)
    }
}

private final class StubResults: NSFetchedResultsController<Book> {
    var stub: [Book] = []
    override var fetchedObjects: [Book]? { stub }
    override func performFetch() throws {}
}

private class BookDouble: Book {
    var stubbedTitle: String?
    override var title: String? {
        get { stubbedTitle }
        set { stubbedTitle = newValue }
    }
}

private protocol ManagedObjectContextProtocol: AnyObject {
    func save() throws
    func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T]
    func perform(_ block: @escaping () -> Void)
    var hasChanges: Bool { get }
}

extension NSManagedObjectContext: ManagedObjectContextProtocol {}

private final class MockContext: ManagedObjectContextProtocol {
    var saves = 0
    var results: [Any] = []
    func save() throws { saves += 1 }
    func fetch<T: NSFetchRequestResult>(_ request: NSFetchRequest<T>) throws -> [T] { results as? [T] ?? [] }
    func perform(_ block: @escaping () -> Void) { block() }
    var hasChanges: Bool { true }
}

private final class LibraryService {
    private let context: any ManagedObjectContextProtocol
    init(context: any ManagedObjectContextProtocol) { self.context = context }
    func titles() throws -> [String] { try context.fetch(NSFetchRequest<Book>(entityName: "Book")).compactMap(\.title) }
    func save() throws { if context.hasChanges { try context.save() } }
}

/// One model for all tests, as two would make entities ambiguous.
@MainActor private let sharedModel = PersistenceController(inMemory: true).container.managedObjectModel

/// The base of a team's tests.
@MainActor
private class CoreDataTestCase {
    lazy var container: NSPersistentContainer = {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: sharedModel)
        let description = NSPersistentStoreDescription()
        description.type = NSInMemoryStoreType
        description.shouldAddStoreAsynchronously = false
        container.persistentStoreDescriptions = [description]
        container.loadPersistentStores { description, error in
            precondition(description.type == NSInMemoryStoreType)
            if let error { fatalError("Create an in-mem coordinator failed \(error)") }
        }
        return container
    }()

    func flushData() throws {
        let fetchRequest: NSFetchRequest<NSFetchRequestResult> = NSFetchRequest<NSFetchRequestResult>(
            entityName: "Book")
        let objects = try container.viewContext.fetch(fetchRequest)
        for case let object as NSManagedObject in objects { container.viewContext.delete(object) }
        try container.viewContext.save()
    }
}

@MainActor
func doubleIdioms(_ suite: Suite) {
    suite("A spy of the context counts saves and deletions") {
        let context = ContextSpy(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = CoreDataTestCase().container.persistentStoreCoordinator
        let book = Book.make("Dune", in: context)
        try context.save()
        context.delete(book)
        try expect(context.saveWasCalled)
        try expect(context.deleted, is: [book])
    }

    suite("A spy's error is what the program's save gets") {
        let context = ContextSpy(concurrencyType: .mainQueueConcurrencyType)
        let container = CoreDataTestCase().container
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        context.saveError = CocoaError(.fileWriteOutOfSpace)
        _ = Book.make("Dune", in: context)
        let error = try expectError { try context.save() }
        try expect(error.code, is: CocoaError.fileWriteOutOfSpace.rawValue)
        context.rollback()
        try expect(context.fetches, is: -1)
        context.stubbedChanges = true
        try expect(context.hasChanges)
    }

    suite("A spy runs what is asked to be performed at once") {
        let context = ContextSpy(concurrencyType: .mainQueueConcurrencyType)
        var isDone = false
        context.perform { isDone = true }
        try expect(isDone)
    }

    suite("A fake container hands out its own context and fails to load") {
        let container = FakeContainer(name: "Library", managedObjectModel: sharedModel)
        let context = ContextSpy(concurrencyType: .mainQueueConcurrencyType)
        container.context = context
        var code: Int?
        container.loadPersistentStores { code = ($1 as NSError?)?.code }
        try expect(code, is: NSPersistentStoreOpenError)
        try expect(container.viewContext === context)
        try expect(container.newBackgroundContext() === context)
    }

    suite("A fake coordinator opens every store in memory") {
        let coordinator = FakeCoordinator(managedObjectModel: sharedModel)
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("Never.sqlite")
        _ = try coordinator.addPersistentStore(ofType: NSSQLiteStoreType, configurationName: nil, at: url, options: nil)
        try expect(coordinator.added, is: [NSSQLiteStoreType])
        try expect(!FileManager.default.fileExists(atPath: url.path))
        let context = NSManagedObjectContext(concurrencyType: .mainQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        _ = Book.make("Dune", in: context)
        try context.save()
        try expect(try context.count(for: Book.fetchRequest()), is: 1)
    }

    suite("A stub of a results controller shows what the test gives it") {
        let test = CoreDataTestCase()
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let results = StubResults(
            fetchRequest: request, managedObjectContext: test.container.viewContext, sectionNameKeyPath: nil,
            cacheName: nil)
        results.stub = [Book.make("Dune", in: test.container.viewContext)]
        try results.performFetch()
        try expect(results.fetchedObjects?.map(\.title), is: ["Dune"])
    }

    suite("A double of an object overrides its properties") {
        let book = BookDouble(entity: Book.entity(), insertInto: nil)
        book.title = "Stubbed"
        try expect(book.title, is: "Stubbed")
        try expect(book.managedObjectContext == nil)
    }

    suite("A service is tested with a mock of a protocol that the context meets") {
        let mock = MockContext()
        let test = CoreDataTestCase()
        mock.results = [Book.make("Dune", in: test.container.viewContext)]
        let service = LibraryService(context: mock)
        try service.save()
        try expect(mock.saves, is: 1)
        try expect(try service.titles(), is: ["Dune"])
        let real = LibraryService(context: test.container.viewContext)
        try real.save()
        try expect(try real.titles(), is: ["Dune"])
    }

    suite("A test's data are flushed object by object") {
        let test = CoreDataTestCase()
        for number in 0..<5 { _ = Book.make("\(number)", in: test.container.viewContext) }
        try test.container.viewContext.save()
        try test.flushData()
        try expect(try test.container.viewContext.count(for: Book.fetchRequest()), is: 0)
    }

    suite("Two tests with stores of their own don't see each other") {
        let (first, second) = (CoreDataTestCase(), CoreDataTestCase())
        _ = Book.make("Dune", in: first.container.viewContext)
        try first.container.viewContext.save()
        try expect(try second.container.viewContext.count(for: Book.fetchRequest()), is: 0)
    }

    suite("Objects of a test need no context") {
        let entity = NSEntityDescription.entity(forEntityName: "Book", in: CoreDataTestCase().container.viewContext)!
        let book = Book(entity: entity, insertInto: nil)
        book.title = "Loose"
        book.author = Author(entity: Author.entity(), insertInto: nil)
        book.author?.name = "Nobody"
        try expect(book.author?.name, is: "Nobody")
        try expect(book.pages, is: 1)
    }

    suite("A save in the background is waited for by its notification") {
        let test = CoreDataTestCase()
        let background = test.container.newBackgroundContext()
        let saved = DispatchSemaphore(value: 0)
        let token = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextDidSave, object: background, queue: nil
        ) { _ in saved.signal() }
        background.perform {
            _ = Book.make("Dune", in: background)
            try? background.save()
        }
        try expect(saved.wait(timeout: .now() + 10) == .success)
        NotificationCenter.default.removeObserver(token)
    }
}
