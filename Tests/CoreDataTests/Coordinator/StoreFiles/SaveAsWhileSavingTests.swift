import CoreData
import Foundation
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
}
