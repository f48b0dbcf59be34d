import CoreData
import Foundation
import Testing

/// What the tests below do wrong, each in a process of its own.
private enum Wrong {
    /// Switches the check on, and makes a stack with one book.
    static func stack(
        _ check: String? = "1"
    ) throws -> (TemporaryStack, NSManagedObjectContext, NSManagedObject) {
        if let check { setenv("COREDATA_CONCURRENCY_DEBUG", check, 1) } else { unsetenv("COREDATA_CONCURRENCY_DEBUG") }
        let stack = try TemporaryStack()
        let context = stack.queueContext()
        context.name = "import"
        nonisolated(unsafe) var book: NSManagedObject?
        try context.performAndWait {
            book = context.makeBook("Orlando")
            try context.save()
        }
        return (stack, context, book!)
    }

    /// Uses an object three times in one place, and its context in another. (What stands in a macro's argument has no place in
    /// this file.)
    static func use(_ book: NSManagedObject, in context: NSManagedObjectContext) throws {
        for _ in 0..<3 { _ = book.value(forKey: "title") }
        _ = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Book"))
    }

    static func make(in context: NSManagedObjectContext) { _ = Thing(context: context) }

    /// Ends the process, which waits for the warnings. What comes when the test's body has returned isn't part of its output.
    static func end() -> Never { exit(0) }
}

@Suite("With com.apple.CoreData.ConcurrencyDebug")
struct ConcurrencyCheckTests {
    private func expect(_ words: String..., in result: ExitTest.Result?) {
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        for word in words { #expect(text.contains(word), "\(text)") }
    }

    @Test("reading an object outside its queue stops the program and says what, whose and from where")
    func object() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, _, book) = try Wrong.stack()
            _ = book.value(forKey: "title")
            withExtendedLifetime(stack) {}
        }
        expect("concurrency violation", "'title' of the Book x-coredata://", "'import'", "a private queue", in: result)
    }

    #if DEBUG
        @Test(
            "a debug build warns without being asked, once a place, with the line and the public method that was called",
            .disabled(if: Sanitizer.isOn, "a line takes minutes to find")
        )
        func unasked() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                let (stack, context, book) = try Wrong.stack(nil)
                try Wrong.use(book, in: context)
                withExtendedLifetime(stack) {}
                Wrong.end()
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.components(separatedBy: "concurrency violation at").count == 3, "\(text)")
            expect(
                "ConcurrencyCheckTests.swift:", "'title' of the Book", "fetch(_:)", "COREDATA_CONCURRENCY_DEBUG=1",
                in: result)
        }

        @Test(
            "an initialiser that takes a context is told of with the program's line",
            .disabled(if: Sanitizer.isOn, "a line takes minutes to find"))
        func initialisers() async throws {
            let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
                setenv("COREDATA_CONCURRENCY_DEBUG", "warn", 1)
                let stack = try TemporaryStack(model: ThingModel.make(), storeType: NSInMemoryStoreType)
                let context = stack.queueContext()
                Wrong.make(in: context)
                withExtendedLifetime(stack) {}
                Wrong.end()
            }
            expect("ConcurrencyCheckTests.swift:", "init(context:)", in: result)
        }
    #endif

    @Test("warn in the place of 1 warns in every build")
    func warning() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let (stack, _, book) = try Wrong.stack("warn")
            _ = book.value(forKey: "title")
            withExtendedLifetime(stack) {}
            Wrong.end()
        }
        expect("concurrency violation at", "'title' of the Book", in: result)
    }

    @Test("0 in the place of 1 is silence")
    func switchedOff() async throws {
        await #expect(processExitsWith: .success) {
            let (stack, _, book) = try Wrong.stack("0")
            _ = book.value(forKey: "title")
            withExtendedLifetime(stack) {}
        }
    }

    @Test("so does fetching, inserting or saving there")
    func context() async throws {
        let results = [
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (_, context, _) = try Wrong.stack()
                _ = try context.all("Book")
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (_, context, _) = try Wrong.stack()
                try context.save()
            },
            await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
                let (stack, context, _) = try Wrong.stack()
                stack.queueContext().performAndWait { _ = context.makeBook("New") }
            },
        ]
        for result in results { expect("concurrency violation", "'import'", in: result) }
        expect("in a block of the context", in: results[2])
    }

    @Test("blocks inside blocks of other contexts raise no alarm, nor do IDs and equality anywhere")
    func nesting() async throws {
        await #expect(processExitsWith: .success) {
            let (stack, context, book) = try Wrong.stack()
            let other = stack.queueContext()
            _ = (book.objectID, book.entity, book == book, book.isFault)
            context.performAndWait {
                other.performAndWait {
                    _ = book.value(forKey: "title")
                    context.performAndWait { book.setValue("Changed", forKey: "title") }
                    _ = other.object(with: book.objectID).value(forKey: "title")
                }
            }
            await context.perform { _ = book.value(forKey: "title") }
            withExtendedLifetime(stack) {}
        }
    }

    @Test("two contexts that wait for each other are reported, and do not hang")
    func deadlock() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let (stack, first, _) = try Wrong.stack()
            let second = stack.queueContext()
            second.name = "export"
            Deadlock.run(first, second)
        }
        expect("deadlock", "'import'", "'export'", in: result)
    }
}

@Suite("A context's queue")
struct ContextQueueTests {
    @Test("performAndWait may be nested through another context and back")
    func nested() throws {
        let stack = try TemporaryStack()
        let (first, second) = (stack.queueContext(), stack.queueContext())
        let depth = first.performAndWait { second.performAndWait { first.performAndWait { 3 } } }
        #expect(depth == 3)
    }

    @Test("Asynchronous blocks run in order, give what they return, and throw what they throw")
    func asynchronous() async throws {
        struct Failure: Error {}
        let stack = try TemporaryStack()
        let context = stack.queueContext()
        let title = try await context.perform {
            let book = context.makeBook("Orlando")
            try context.save()
            return book.text("title")
        }
        #expect(title == "Orlando")
        await #expect(throws: Failure.self) { try await context.perform(schedule: .enqueued) { throw Failure() } }
        let nested = await context.perform { context.performAndWait { context.registeredObjects.count } }
        #expect(nested <= 1)
    }

    @Test("A coordinator runs blocks one at a time, with and without waiting")
    func coordinator() async throws {
        struct Failure: Error {}
        let coordinator = try TemporaryStack().container.persistentStoreCoordinator
        let count = await coordinator.perform { coordinator.persistentStores.count }
        #expect(count == 1)
        await #expect(throws: Failure.self) { try await coordinator.perform { throw Failure() } }
        let nested = coordinator.performAndWait { coordinator.performAndWait { 2 } }
        #expect(nested == 2)
    }
}
