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

    @Test("what waits to be merged meanwhile is merged", arguments: pairs)
    func merging(types: (String, String)) throws {
        let stack = try open(types.0)
        let reader = NSManagedObjectContext(.privateQueue)
        reader.persistentStoreCoordinator = stack.coordinator
        reader.automaticallyMergesChangesFromParent = true
        try stack.context.performAndWait {
            for title in ["Jim Knopf", "Momo"] { stack.context.makeBook(title) }
            try stack.context.save()
        }
        let books = try reader.performAndWait {
            let books = try reader.all("Book", sort: "title")
            #expect(books.map { $0.text("title") } == ["Jim Knopf", "Momo"])
            try stack.context.performAndWait {
                let mine = try stack.context.all("Book", sort: "title")
                mine[0].setValue("Krabat", forKey: "title")
                stack.context.delete(mine[1])
                stack.context.makeBook("Zora")
                try stack.context.save()
            }
            try migrate(stack, to: types.1)
            return books
        }
        try reader.performAndWait {
            #expect(books[0].text("title") == "Krabat")
            #expect(books[1].isDeleted || books[1].managedObjectContext == nil)
            let all = try reader.all("Book", sort: "title")
            #expect(all.map { $0.text("title") } == ["Krabat", "Zora"] && all.first === books[0])
        }
    }

    @Test("what a child has of its parent's unsaved objects, with an ID or without", arguments: pairs, [true, false])
    func children(types: (String, String), hasID: Bool) throws {
        let stack = try open(types.0)
        let root = NSManagedObjectContext(.privateQueue)
        root.persistentStoreCoordinator = stack.coordinator
        let child = NSManagedObjectContext(.privateQueue)
        child.parent = root
        let id = try root.performAndWait {
            root.makeBook("Momo", ["author": root.make("Author", ["name": "Ende"])])
            try root.save()
            let new = root.make("Author", ["name": "Preussler"])
            if hasID { try root.obtainPermanentIDs(for: [new]) }
            return new.objectID
        }
        let (author, book) = try child.performAndWait {
            let (author, book) = (child.object(with: id), try #require(try child.all("Book").first))
            book.setValue(author, forKey: "author")
            author.setValue("Preußler", forKey: "name")
            return (author, book)
        }
        try migrate(stack, to: types.1)
        try child.performAndWait {
            #expect(book.value(forKey: "author") as? NSManagedObject === author && author.text("name") == "Preußler")
            try child.save()
        }
        try root.performAndWait {
            try root.save()
            #expect(try root.all("Author").count == 2)
        }
        let context = NSManagedObjectContext(.privateQueue)
        context.persistentStoreCoordinator = stack.coordinator
        try context.performAndWait {
            let books = try context.all("Book")
            #expect(books.map { ($0.value(forKey: "author") as? NSManagedObject)?.text("name") } == ["Preußler"])
        }
    }

    @Test("a request that names objects finds them", arguments: pairs)
    func naming(types: (String, String)) throws {
        let stack = try open(types.0)
        let reader = NSManagedObjectContext(.privateQueue)
        reader.persistentStoreCoordinator = stack.coordinator
        try reader.performAndWait {
            // The other author's identity in the one store may be this one's in the other.
            let authors = ["Zuckmayer", "Ende"].map { reader.make("Author", ["name": $0]) }
            for number in 0..<1200 { reader.makeBook("\(number)", ["author": authors[number % 2]]) }
            try reader.save()
            try onAnotherThread { try migrate(stack, to: types.1) }
            for author in authors {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                request.predicate = NSPredicate(format: "author == %@", author)
                let books = try reader.fetch(request)
                #expect(
                    books.count == 600 && books.allSatisfy { $0.value(forKey: "author") as? NSManagedObject === author }
                )
            }
        }
    }

    @Test("an asynchronous fetch is whole", arguments: pairs)
    func asynchronous(types: (String, String)) async throws {
        let stack = try open(types.0)
        let reader = NSManagedObjectContext(.privateQueue)
        reader.persistentStoreCoordinator = stack.coordinator
        try await reader.perform {
            for number in 0..<1200 { reader.makeBook("\(number)") }
            try reader.save()
            reader.reset()
        }
        let counts = Mutex<[Int]>([])
        try await reader.perform {
            for _ in 0..<6 {
                let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
                let fetch = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    counts.withLock { $0.append(result.finalResult?.count ?? -1) }
                }
                try reader.execute(fetch)
            }
        }
        try await Task.sleep(for: .milliseconds(20))
        try migrate(stack, to: types.1)
        while counts.withLock({ $0.count }) < 6 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(counts.withLock { $0 } == Array(repeating: 1200, count: 6))
    }

    private func onAnotherThread(_ work: @escaping () throws -> Void) throws {
        nonisolated(unsafe) var failure: (any Error)?
        nonisolated(unsafe) let work = work
        let done = DispatchSemaphore(value: 0)
        Thread.detachNewThread {
            do { try work() } catch { failure = error }
            done.signal()
        }
        done.wait()
        if let failure { throw failure }
    }

    @Test("a pinned context moves on to the new store's state", arguments: pairs)
    func pinned(types: (String, String)) throws {
        let stack = try open(types.0)
        let reader = NSManagedObjectContext(.privateQueue)
        reader.persistentStoreCoordinator = stack.coordinator
        try stack.context.performAndWait {
            for title in ["Jim Knopf", "Momo"] { stack.context.makeBook(title) }
            try stack.context.save()
        }
        let books = try reader.performAndWait {
            try reader.setQueryGenerationFrom(.current)
            let books = try reader.all("Book", sort: "title")
            books[0].setValue(7, forKey: "copies")
            return books
        }
        try stack.context.performAndWait {
            stack.context.makeBook("Zora")
            try stack.context.save()
        }
        try migrate(stack, to: types.1)
        try reader.performAndWait {
            let all = try reader.all("Book", sort: "title")
            #expect(all.map { $0.text("title") } == ["Jim Knopf", "Momo", "Zora"] && all[0] === books[0])
            try reader.save()
        }
        #expect(try titles(stack) == ["Jim Knopf", "Momo", "Zora"])
    }

    @Test("a change of what others had deleted is a conflict, and goes no further", arguments: pairs)
    func gone(types: (String, String)) throws {
        let stack = try open(types.0)
        let editor = NSManagedObjectContext(.privateQueue)
        editor.persistentStoreCoordinator = stack.coordinator
        try stack.context.performAndWait {
            for title in ["Jim Knopf", "Momo"] { stack.context.makeBook(title) }
            try stack.context.save()
        }
        try editor.performAndWait {
            for book in try editor.all("Book") { book.setValue(7, forKey: "copies") }
        }
        try stack.context.performAndWait {
            stack.context.delete(try stack.context.all("Book", sort: "title")[1])
            try stack.context.save()
        }
        try migrate(stack, to: types.1)
        try editor.performAndWait {
            #expect(throws: NSError.self) { try editor.save() }
            editor.mergePolicy = NSMergePolicy.mergeByPropertyStoreTrump
            try editor.save()
            #expect(!editor.hasChanges)
        }
        #expect(try titles(stack) == ["Jim Knopf"])
        let copies = try stack.context.performAndWait {
            stack.context.refreshAllObjects()
            return try stack.context.all("Book").compactMap { $0.value(forKey: "copies") as? Int }
        }
        #expect(copies == [7])
    }

    @Test("an ID of the new store leads to the object that the context has", arguments: pairs)
    func ids(types: (String, String)) throws {
        let stack = try open(types.0)
        let reader = NSManagedObjectContext(.privateQueue)
        reader.persistentStoreCoordinator = stack.coordinator
        try reader.performAndWait {
            let book = reader.makeBook("Momo")
            try reader.save()
            try onAnotherThread { try migrate(stack, to: types.1) }
            let id = try stack.context.performAndWait { try #require(try stack.context.all("Book").first).objectID }
            #expect(try reader.existingObject(with: id) === book)
            #expect(book.text("title") == "Momo" && book.objectID == id)
        }
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
