import CoreData
import Foundation
import Testing

/// Titles that a program imports, as it is written in Swift 6 mode for Apple's SDK.
private actor Importer {
    private let container: NSPersistentContainer
    private let context: NSManagedObjectContext

    init(_ container: NSPersistentContainer) {
        self.container = container
        context = container.newBackgroundContext()
        context.transactionAuthor = "importer"
    }

    func add(_ titles: [String]) async throws -> [NSManagedObjectID] {
        try await context.perform { [context] in
            let books = titles.map { context.makeBook($0) }
            try context.save()
            return books.map(\.objectID)
        }
    }

    func count() async throws -> Int {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        return try await container.performBackgroundTask { try $0.count(for: request) }
    }
}

@Suite("Code for Swift's concurrency, as it compiles with Apple's SDK")
struct ConcurrencyContractTests {
    @Test("An actor owns a context, gives IDs away, and the main actor looks them up")
    func actorToMain() async throws {
        let stack = try TemporaryStack()
        let container = stack.container
        let importer = Importer(container)
        let ids = try await importer.add(["One", "Two"])
        let titles = try await MainActor.run {
            try ids.map { try container.viewContext.existingObject(with: $0).text("title") }
        }
        #expect(titles == ["One", "Two"])
        #expect(try await importer.count() == 2)
    }

    @Test("Tasks of a group work with contexts of their own and a container that they share")
    func taskGroup() async throws {
        let stack = try TemporaryStack()
        let container = stack.container
        let ids = try await withThrowingTaskGroup(of: NSManagedObjectID.self) { group in
            for number in 0..<8 {
                group.addTask {
                    try await container.performBackgroundTask { context in
                        let book = context.makeBook("Book \(number)")
                        try context.save()
                        return book.objectID
                    }
                }
            }
            var ids: Set<NSManagedObjectID> = []
            for try await id in group { ids.insert(id) }
            return ids
        }
        #expect(ids.count == 8)
    }

    @Test("A request that is made outside is used inside of a block, and results come out as values")
    func requests() async throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        try await context.perform {
            for title in ["B", "A"] { context.makeBook(title) }
            try context.save()
        }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
        let titles = try await context.perform { try context.fetch(request).compactMap { $0.text("title") } }
        #expect(titles == ["A", "B"])
        let ids = try await Task.detached { try await context.perform { try context.all("Book").map(\.objectID) } }
            .value
        #expect(ids.count == 2)
    }

    @Test("The error of a block is of the block's own type")
    func typedErrors() async throws {
        enum Failure: Error { case expected }
        let context = try TemporaryStack().context()
        do throws(Failure) {
            try await context.perform { () throws(Failure) -> Void in throw .expected }
            Issue.record("nothing was thrown")
        } catch {
            #expect(error == .expected)
        }
    }

    @Test("With the check of queues on, a whole program of parents, children, merges, undo and tasks raises no alarm")
    func noFalseAlarm() async {
        await #expect(processExitsWith: .success) {
            setenv("COREDATA_CONCURRENCY_DEBUG", "1", 1)
            let stack = try TemporaryStack()
            let container = stack.container
            let view = container.viewContext
            view.automaticallyMergesChangesFromParent = true
            let worker = NSManagedObjectContext(.privateQueue)
            worker.parent = view
            try await MainActor.run {
                view.undoManager = UndoManager()
                view.makeBook("One")
                try view.save()
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                let results = NSFetchedResultsController(
                    fetchRequest: request, managedObjectContext: view, sectionNameKeyPath: nil, cacheName: nil)
                try results.performFetch()
                view.perform { view.performAndWait { _ = try? view.all("Book") } }
            }
            try await worker.perform {
                let author = worker.make("Author", ["name": "A"])
                for book in try worker.all("Book") { book.setValue(author, forKey: "author") }
                try worker.save()
                worker.performAndWait { worker.perform { _ = worker.registeredObjects } }
            }
            try await MainActor.run { try view.save() }
            try await container.performBackgroundTask { context in
                for author in try context.all("Author") { author.setValue("B", forKey: "name") }
                try context.save()
                _ = context.parent
            }
            try await view.perform {
                view.undo()
                _ = try view.all("Author").map { ($0.text("name"), $0.members("books").count) }
                view.rollback()
            }
            let held = try await worker.perform { try worker.all("Book") }
            // What is said of any object anywhere, and letting go of it anywhere, concerns no queue.
            _ = held.map { ($0.objectID, $0.isFault, $0.hasChanges, $0.hash) }
            withExtendedLifetime(stack) {}
        }
    }

    @Test(
        "An asynchronous fetch is told of by a progress that is its parent's, and brings its results to the context's queue"
    )
    func asynchronousFetch() async throws {
        let stack = try TemporaryStack()
        let context = stack.queueContext()
        let whole = Progress(totalUnitCount: 1)
        let titles: [String] = try await withCheckedThrowingContinuation { continuation in
            context.perform {
                do {
                    for title in ["A", "B"] { context.makeBook(title) }
                    let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
                    let fetch = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                        continuation.resume(returning: (result.finalResult ?? []).compactMap { $0.text("title") })
                    }
                    fetch.estimatedResultCount = 2
                    whole.becomeCurrent(withPendingUnitCount: 1)
                    defer { whole.resignCurrent() }
                    let result = try context.execute(fetch) as? NSAsynchronousFetchResult<NSManagedObject>
                    #expect(result?.finalResult == nil)
                } catch {
                    continuation.resume(throwing: error)
                }
            }
        }
        #expect(titles == ["A", "B"])
        await context.perform {}
        #expect(whole.fractionCompleted == 1)
    }
}
