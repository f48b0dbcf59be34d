import CoreData

/// A value that crosses threads, as apps hand it out instead of objects.
private struct BookValue: Sendable, Equatable {
    let id: NSManagedObjectID
    let title: String
    let pages: Int

    init(_ book: Book) {
        id = book.objectID
        title = book.title ?? ""
        pages = Int(book.pages)
    }
}

/// A repository as an actor over a background context.
private actor BookRepository {
    private let context: NSManagedObjectContext

    init(container: NSPersistentContainer) {
        context = container.newBackgroundContext()
        context.mergePolicy = NSMergeByPropertyObjectTrumpMergePolicy
    }

    func add(_ title: String, pages: Int) async throws -> BookValue {
        try await context.perform { [context] in
            let book = Book(context: context)
            book.title = title
            book.pages = Int32(pages)
            try context.save()
            return BookValue(book)
        }
    }

    func all(longerThan pages: Int = 0) async throws -> [BookValue] {
        try await context.perform { [context] in
            let request = NSFetchRequest<Book>(entityName: "Book")
            request.predicate = NSPredicate(format: "pages > %ld", pages)
            request.sortDescriptors = [NSSortDescriptor(keyPath: \Book.pages, ascending: true)]
            return try context.fetch(request).map(BookValue.init)
        }
    }

    func delete(_ id: NSManagedObjectID) async throws {
        try await context.perform { [context] in
            guard let book = try context.existingObject(with: id) as? Book else { return }
            context.delete(book)
            try context.save()
        }
    }
}

extension NSPersistentContainer {
    /// What projects write around the callback.
    fileprivate func inBackground<T>(_ block: @escaping (NSManagedObjectContext) throws -> T) async throws -> T {
        try await withCheckedThrowingContinuation { continuation in
            performBackgroundTask { context in
                do {
                    let result = try block(context)
                    if context.hasChanges { try context.save() }
                    continuation.resume(returning: result)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
    }
}

/// An operation that imports, as in many apps before async functions.
private final class ImportOperation: Operation, @unchecked Sendable {
    private let container: NSPersistentContainer
    private let titles: [String]
    var error: (any Error)?

    init(container: NSPersistentContainer, titles: [String]) {
        self.container = container
        self.titles = titles
    }

    override func main() {
        guard !isCancelled else { return }
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = container.persistentStoreCoordinator
        context.performAndWait {
            for title in titles { _ = Book.make(title, in: context) }
            do { try context.save() } catch { self.error = error }
        }
    }
}

/// A main-actor store of values that views show.
@MainActor
private final class BookStore {
    private(set) var titles: [String] = []
    private let container: NSPersistentContainer
    private var observation: (any NSObjectProtocol)?

    init(container: NSPersistentContainer) {
        self.container = container
        reload()
        observation = NotificationCenter.default.addObserver(
            forName: .NSManagedObjectContextObjectsDidChange, object: container.viewContext, queue: .main
        ) { [weak self] _ in
            MainActor.assumeIsolated { self?.reload() }
        }
    }

    private func reload() {
        let request: NSFetchRequest<Book> = Book.fetchRequest()
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        titles = ((try? container.viewContext.fetch(request)) ?? []).map { $0.title ?? "" }
    }
}

/// Contexts among tasks, actors, queues and operations.
@MainActor
func taskIdioms(_ suite: Suite) {
    suite.waiting("A repository that is an actor adds, finds and deletes values") {
        let repository = BookRepository(container: PersistenceController().container)
        let dune = try await repository.add("Dune", pages: 600)
        _ = try await repository.add("Short", pages: 20)
        let long = try await repository.all(longerThan: 100)
        try expect(long, is: [dune])
        try await repository.delete(dune.id)
        let titles = try await repository.all().map(\.title)
        try expect(titles, is: ["Short"])
    }

    suite.waiting("Many tasks write at once and nothing is lost") {
        let container = PersistenceController().container
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<20 {
                group.addTask {
                    try await container.performBackgroundTask { context in
                        let book = Book(context: context)
                        book.title = "Book \(number)"
                        try context.save()
                    }
                }
            }
            try await group.waitForAll()
        }
        let count = try container.viewContext.count(for: Book.fetchRequest())
        try expect(count, is: 20)
    }

    suite.waiting("An error in a background task comes out of the await") {
        let container = PersistenceController().container
        do {
            try await container.performBackgroundTask { context in
                _ = Author(context: context)
                try context.save()
            }
            throw Unexpected(description: "no error")
        } catch let error as CocoaError {
            try expect(error.code == .validationMissingMandatoryProperty)
            try expect(error.validationKey, is: "name")
            try expect(error.validationObject is Author)
        }
    }

    suite.waiting("A continuation around performBackgroundTask gives IDs") {
        let container = PersistenceController().container
        let id = try await container.inBackground { context -> NSManagedObjectID in
            let book = Book.make("Dune", in: context)
            try context.obtainPermanentIDs(for: [book])
            return book.objectID
        }
        let book = try container.viewContext.existingObject(with: id) as? Book
        try expect(book?.title, is: "Dune")
    }

    suite.waiting("perform is enqueued or done at once, as its schedule says") {
        let context = PersistenceController().container.newBackgroundContext()
        let order = await context.perform(schedule: .immediate) { () -> [String] in
            ["immediate"]
        }
        let second = await context.perform(schedule: .enqueued) { "enqueued" }
        try expect(order + [second], is: ["immediate", "enqueued"])
    }

    suite("Operations import one after the other") {
        let container = PersistenceController().container
        let queue = OperationQueue()
        queue.maxConcurrentOperationCount = 1
        let operations = (0..<3).map { ImportOperation(container: container, titles: ["a\($0)", "b\($0)"]) }
        queue.addOperations(operations, waitUntilFinished: true)
        try expect(operations.allSatisfy { $0.error == nil })
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 6)
    }

    suite("A dispatch group waits for several contexts") {
        let container = PersistenceController().container
        let group = DispatchGroup()
        for number in 0..<4 {
            group.enter()
            let context = container.newBackgroundContext()
            context.perform {
                _ = Book.make("\(number)", in: context)
                try? context.save()
                group.leave()
            }
        }
        try expect(group.wait(timeout: .now() + 10) == .success)
        try expect(try container.viewContext.count(for: Book.fetchRequest()), is: 4)
    }

    suite("A store of values reloads with every change of the view context") {
        let container = PersistenceController().container
        let store = BookStore(container: container)
        try expect(store.titles, is: [])
        container.performBackgroundTask { context in
            _ = Book.make("Dune", in: context)
            try? context.save()
        }
        let deadline = Date().addingTimeInterval(10)
        while store.titles.isEmpty, Date() < deadline { RunLoop.main.run(until: Date().addingTimeInterval(0.01)) }
        try expect(store.titles, is: ["Dune"])
    }

    suite("A background context gets the view context's objects by their IDs") {
        let container = PersistenceController().container
        let books = ["a", "b"].map { Book.make($0, in: container.viewContext) }
        try container.viewContext.save()
        let ids = books.map(\.objectID)
        let context = container.newBackgroundContext()
        let titles = context.performAndWait {
            ids.compactMap { context.object(with: $0) as? Book }.compactMap(\.title)
        }
        try expect(titles, is: ["a", "b"])
    }

    suite("performAndWait may be nested in its own queue") {
        let context = PersistenceController().container.newBackgroundContext()
        let count = try context.performAndWait { () -> Int in
            _ = Book.make("Dune", in: context)
            return try context.performAndWait { try context.count(for: Book.fetchRequest()) }
        }
        try expect(count, is: 1)
    }

    suite("The coordinator's own queue can be used") {
        let container = PersistenceController().container
        let coordinator = container.persistentStoreCoordinator
        let count = coordinator.performAndWait { coordinator.persistentStores.count }
        try expect(count, is: 1)
        let done = DispatchSemaphore(value: 0)
        coordinator.perform { done.signal() }
        try expect(done.wait(timeout: .now() + 10) == .success)
    }

    suite.waiting("A debounced search cancels the older fetch") {
        let container = PersistenceController().container
        for title in ["Dune", "Dune Messiah"] { _ = Book.make(title, in: container.viewContext) }
        try container.viewContext.save()
        func search(_ text: String) -> Task<[String], any Error> {
            Task {
                try await Task.sleep(nanoseconds: 30_000_000)
                return try await container.performBackgroundTask { context in
                    let request: NSFetchRequest<Book> = Book.fetchRequest()
                    request.predicate = NSPredicate(format: "title CONTAINS[c] %@", text)
                    return try context.fetch(request).compactMap(\.title)
                }
            }
        }
        let first = search("d")
        first.cancel()
        let second = search("mess")
        let found = try await second.value
        try expect(found, is: ["Dune Messiah"])
        do {
            _ = try await first.value
            throw Unexpected(description: "not cancelled")
        } catch is CancellationError {}
    }
}
