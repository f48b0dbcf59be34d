import CoreData
import Foundation
import Testing

/// The tests' main queue is served by other threads than the main one, as that of each program with an asynchronous `main`.
@Suite("Code on the main queue keeps it while it waits for a private queue")
struct MainQueueTests {
    @MainActor
    @Test("A child of the main context saves, fetches and fires faults in performAndWait")
    func child() async throws {
        let stack = try TemporaryStack()
        let main = stack.container.viewContext
        try await Task.sleep(for: .milliseconds(1))
        let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        child.parent = main
        try child.performAndWait {
            child.makeBook("One")
            try child.save()
        }
        #expect(main.insertedObjects.count == 1)
        try main.save()
        main.reset()
        let title = try child.performAndWait {
            child.reset()
            return try child.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book")).first?.value(forKey: "title")
                as? String
        }
        #expect(title == "One")
    }

    @MainActor
    @Test("A private context inside of another uses the main context, whose changes are told at the end of the turn")
    func nested() async throws {
        let stack = try TemporaryStack()
        let main = stack.container.viewContext
        try await Task.sleep(for: .milliseconds(1))
        try await confirmation(expectedCount: 1) { confirmed in
            let token = NotificationCenter.default.addObserver(
                forName: .NSManagedObjectContextObjectsDidChange, object: main, queue: nil
            ) { _ in confirmed() }
            defer { NotificationCenter.default.removeObserver(token) }
            let (outer, inner) = (stack.container.newBackgroundContext(), stack.container.newBackgroundContext())
            outer.performAndWait {
                inner.performAndWait {
                    main.performAndWait { _ = main.makeBook("One") }
                    main.makeBook("Two")
                }
            }
            try await Task.sleep(for: .milliseconds(200))
        }
        #expect(main.insertedObjects.count == 2)
    }

    @MainActor
    @Test("The thread has left the main queue when the waiting is over, and others never were on it")
    func leaving() async throws {
        let stack = try TemporaryStack()
        let main = stack.container.viewContext
        stack.container.newBackgroundContext().performAndWait {}
        let container = stack.container
        await Task.detached {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                DispatchQueue.global().async {
                    let inner = container.newBackgroundContext()
                    inner.performAndWait { main.performAndWait { _ = main.makeBook("One") } }
                    continuation.resume()
                }
            }
        }.value
        #expect(main.insertedObjects.count == 1)
    }
}
