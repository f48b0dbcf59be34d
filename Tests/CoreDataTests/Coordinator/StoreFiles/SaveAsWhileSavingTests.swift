import CoreData
import Foundation
import Synchronization
import Testing

@Suite("What is saved while Save As changes stores is in the new store")
struct SaveAsWhileSavingTests {
    private static let pairs = [
        (NSSQLiteStoreType, NSSQLiteStoreType), (NSXMLStoreType, NSSQLiteStoreType),
        (NSSQLiteStoreType, NSXMLStoreType), (NSInMemoryStoreType, NSXMLStoreType),
        (NSBinaryStoreType, NSBinaryStoreType),
    ]

    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func open(_ type: String) throws -> AtomicStack {
        try AtomicStack(
            folder.url.appendingPathComponent("old"), type: type, model: Library.model(for: NSXMLStoreType))
    }

    private func migrate(_ stack: AtomicStack, to type: String) throws {
        _ = try stack.coordinator.migratePersistentStore(
            stack.store, to: folder.url.appendingPathComponent("new"), withType: type)
    }

    private func titles(_ stack: AtomicStack) throws -> [String] {
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = stack.coordinator
        return try context.performAndWait { try context.all("Book", sort: "title").compactMap { $0.text("title") } }
    }

    @Test("by an observer of the store's removal", arguments: pairs, [true, false])
    func observer(types: (String, String), inOwnContext: Bool) throws {
        let stack = try open(types.0)
        let other = NSManagedObjectContext(.privateQueue)
        other.persistentStoreCoordinator = stack.coordinator
        try stack.context.performAndWait {
            stack.context.makeBook("Momo")
            stack.context.makeBook("Tehanu")
            try stack.context.save()
        }
        let saving = inOwnContext ? stack.context : other
        let observer = NotificationCenter.default.addObserver(
            forName: .NSPersistentStoreCoordinatorWillRemoveStore, object: stack.store, queue: nil
        ) { _ in
            #expect(throws: Never.self) {
                try saving.performAndWait {
                    let books = try saving.all("Book", sort: "title")
                    books[0].setValue("Krabat", forKey: "title")
                    saving.delete(books[1])
                    saving.makeBook("Zora")
                    try saving.save()
                }
            }
        }
        defer { NotificationCenter.default.removeObserver(observer) }
        try migrate(stack, to: types.1)
        #expect(try titles(stack) == ["Krabat", "Zora"])
    }

    @Test("by other queues, each save of which returns without an error", arguments: pairs)
    func queues(types: (String, String)) async throws {
        let stack = try open(types.0)
        let writers = (0..<3).map { _ in
            let context = NSManagedObjectContext(.privateQueue)
            context.persistentStoreCoordinator = stack.coordinator
            return context
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, context) in writers.enumerated() {
                group.addTask {
                    for count in 0..<20 {
                        try await context.perform {
                            // One that was saved before the stores changed, too.
                            for book in context.insertedObjects.union(context.registeredObjects) {
                                book.setValue((book.value(forKey: "copies") as? Int ?? 0) + 1, forKey: "copies")
                            }
                            context.makeBook("\(number)-\(count)")
                            try context.save()
                        }
                    }
                }
            }
            try await Task.sleep(for: .milliseconds(30))
            try migrate(stack, to: types.1)
            try await group.waitForAll()
        }
        let expected = (0..<3).flatMap { writer in (0..<20).map { "\(writer)-\($0)" } }
        #expect(try titles(stack) == expected.sorted())
    }

    @Test("what one block on another queue reads comes from either store, one object a row", arguments: pairs)
    func readers(types: (String, String)) async throws {
        let stack = try open(types.0)
        try stack.context.performAndWait {
            let author = stack.context.make("Author", ["name": "Ende"])
            for title in ["Jim Knopf", "Momo"] { stack.context.makeBook(title, ["author": author]) }
            try stack.context.save()
        }
        let (coordinator, isDone) = (stack.coordinator, Latch())
        async let rounds = withThrowingTaskGroup(of: Int.self) { group in
            for readsThroughChild in [false, true] {
                let root = NSManagedObjectContext(.privateQueue)
                root.persistentStoreCoordinator = coordinator
                let child = NSManagedObjectContext(.privateQueue)
                child.parent = root
                group.addTask {
                    try await (readsThroughChild ? child : root).perform {
                        try Self.read(in: readsThroughChild ? child : root, until: isDone)
                    }
                }
            }
            return try await group.reduce(0, +)
        }
        try await Task.sleep(for: .milliseconds(20))
        try migrate(stack, to: types.1)
        try await Task.sleep(for: .milliseconds(20))
        isDone.open()
        #expect(try await rounds > 1)
    }

    private final class Latch: Sendable {
        private let state = Mutex(false)
        var isOpen: Bool { state.withLock { $0 } }
        func open() { state.withLock { $0 = true } }
    }

    /// Reads in every way while another queue changes stores; once more when it has. Returns how often.
    private static func read(in context: NSManagedObjectContext, until latch: Latch) throws -> Int {
        let books = try context.all("Book", sort: "title")
        let author = try #require(try context.all("Author").first)
        let ids = NSFetchRequest<NSManagedObjectID>(entityName: "Book")
        ids.resultType = .managedObjectIDResultType
        let titles = NSFetchRequest<NSDictionary>(entityName: "Book")
        titles.resultType = .dictionaryResultType
        titles.propertiesToFetch = ["title"]
        var rounds = 0
        while true {
            let isLast = latch.isOpen
            rounds += 1
            switch rounds % 6 {
            case 0: #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Book")) == 2)
            case 1: #expect(try context.fetch(ids).count == 2)
            case 2: #expect(try context.fetch(titles).count == 2)
            case 3:
                context.refresh(author, mergeChanges: false)
                #expect(author.members("books") == Set(books))
            case 4:
                context.refresh(books[0], mergeChanges: true)
                #expect(books[0].text("title") == "Jim Knopf")
            default: #expect(try context.all("Book", sort: "title") == books)
            }
            if !isLast { continue }
            #expect(try context.all("Book", sort: "title").elementsEqual(books, by: ===))
            #expect(author.members("books") == Set(books))
            #expect(try context.all("Book", "author.name == 'Ende'").count == 2)
            return rounds
        }
    }
}
