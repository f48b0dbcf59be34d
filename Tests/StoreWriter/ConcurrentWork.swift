import CoreData
import Foundation
import Synchronization

/// Eight contexts that write and one that reads, all at once, for so many seconds.
///
/// Prints how much was done, and `wrong …` for what doesn't hold. Built with the Thread Sanitizer (`make test-tsan`) it
/// also tells of accesses that nothing keeps apart.
final class ConcurrentWork: Sendable {
    private let container: NSPersistentContainer
    private let end: ContinuousClock.Instant
    private let saves = Atomic<Int>(0)
    private let reads = Atomic<Int>(0)
    private let books = Atomic<Int>(0)
    private let problems = Mutex<[String]>([])

    private static let writers = 8

    init(container: NSPersistentContainer, seconds: Double) {
        self.container = container
        end = ContinuousClock.now + .seconds(seconds)
    }

    func run() async throws {
        await withTaskGroup(of: Void.self) { group in
            for writer in 0..<Self.writers { group.addTask { await self.write(writer) } }
            group.addTask { await self.read() }
        }
        let context = container.newBackgroundContext()
        let count = try await context.perform {
            try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book"))
        }
        if count != books.load(ordering: .relaxed) {
            note("the store has \(count) books, not \(books.load(ordering: .relaxed))")
        }
        Output.line(
            "\(saves.load(ordering: .relaxed)) saves, \(reads.load(ordering: .relaxed)) reads, \(count) books")
        for problem in problems.withLock({ $0 }) { Output.line("wrong: \(problem)") }
    }

    private func note(_ problem: String) { problems.withLock { $0.append(problem) } }

    // MARK: Writing

    /// Inserts, changes and deletes books of its own, and changes the one author that all share.
    private func write(_ writer: Int) async {
        let context = container.newBackgroundContext()
        context.name = "writer \(writer)"
        context.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        var round = 0
        while ContinuousClock.now < end {
            round += 1
            do {
                let change = try await context.perform(schedule: round.isMultiple(of: 2) ? .immediate : .enqueued) {
                    [round] in try self.change(in: context, writer, round)
                }
                books.add(change, ordering: .relaxed)
                saves.add(1, ordering: .relaxed)
            } catch {
                note("writer \(writer), round \(round): \(error)")
                context.performAndWait { context.rollback() }
            }
        }
    }

    /// - Returns: how many books there are more than before.
    private func change(in context: NSManagedObjectContext, _ writer: Int, _ round: Int) throws -> Int {
        let author = try fetch("Author", "name == %@", "The Author", in: context).first ?? makeAuthor(in: context)
        for place in 0..<3 {
            let book = NSEntityDescription.insertNewObject(forEntityName: "Book", into: context)
            book.setValue("\(writer)", forKey: "title")
            book.setValue(UUID(), forKey: "identifier")
            book.setValue(round * 3 + place, forKey: "pages")
            book.setValue(author, forKey: "author")
        }
        let old = try fetch("Book", "title == %@ AND pages < %d", "\(writer)", round * 3 - 30, in: context)
        for book in old.prefix(4) { context.delete(book) }
        for book in try fetch("Book", "title == %@", "\(writer)", in: context).prefix(5) {
            book.setValue(round % 100, forKey: "copies")
        }
        author.setValue(Data("\(writer) \(round)".utf8), forKey: "portrait")
        try context.save()
        return 3 - old.prefix(4).count
    }

    /// Made before the writers begin, so that there is one.
    func makeAuthor() throws {
        let context = container.newBackgroundContext()
        try context.performAndWait {
            _ = makeAuthor(in: context)
            try context.save()
        }
    }

    private func makeAuthor(in context: NSManagedObjectContext) -> NSManagedObject {
        let author = NSEntityDescription.insertNewObject(forEntityName: "Author", into: context)
        author.setValue("The Author", forKey: "name")
        return author
    }

    private func fetch(
        _ entity: String, _ format: String, _ arguments: Any..., in context: NSManagedObjectContext
    ) throws -> [NSManagedObject] {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity)
        request.predicate = NSPredicate(format: format, argumentArray: arguments)
        return try context.fetch(request)
    }

    // MARK: Reading

    /// Follows what the others save, by merging and with a controller, and checks that each state is one of a save.
    private func read() async {
        let context = container.newBackgroundContext()
        context.name = "reader"
        context.automaticallyMergesChangesFromParent = true
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [
            NSSortDescriptor(key: "title", ascending: true), NSSortDescriptor(key: "pages", ascending: true),
        ]
        let follower = Follower()
        let controller = await context.perform {
            let controller = NSFetchedResultsController(
                fetchRequest: request, managedObjectContext: context, sectionNameKeyPath: "title", cacheName: nil)
            controller.delegate = follower
            do { try controller.performFetch() } catch { self.note("the controller: \(error)") }
            return Box(controller)
        }
        while ContinuousClock.now < end {
            await context.perform {
                for book in controller.value.fetchedObjects ?? [] {
                    if book.isDeleted || book.managedObjectContext == nil { self.note("a deleted book in the results") }
                    if let pages = book.value(forKey: "pages") as? Int, pages < 3 {
                        self.note("a book of \(pages) pages")
                    }
                }
                do {
                    let author = try self.fetch("Author", "name == %@", "The Author", in: context).first
                    _ = author?.value(forKey: "books")
                    _ = try context.count(for: request)
                } catch { self.note("reader: \(error)") }
            }
            reads.add(1, ordering: .relaxed)
        }
        withExtendedLifetime(follower) {}
    }
}

/// What goes to the context's queue and back, and is used nowhere else.
private struct Box: @unchecked Sendable {
    let value: NSFetchedResultsController<NSManagedObject>
    init(_ value: NSFetchedResultsController<NSManagedObject>) { self.value = value }
}

/// Looks at every object that a controller tells of.
private final class Follower: NSObject, NSFetchedResultsControllerDelegate, @unchecked Sendable {
    func controller(
        _ controller: NSFetchedResultsController<NSFetchRequestResult>, didChange anObject: Any,
        at indexPath: IndexPath?,
        for type: NSFetchedResultsChangeType, newIndexPath: IndexPath?
    ) {
        guard let object = anObject as? NSManagedObject, type != .delete else { return }
        _ = object.value(forKey: "copies")
    }
}
