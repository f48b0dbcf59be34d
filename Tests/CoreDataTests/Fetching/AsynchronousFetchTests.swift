import CoreData
import Foundation
import Synchronization
import Testing

@Suite("Asynchronous fetches")
struct AsynchronousFetchTests {
    private func library() throws -> (TemporaryStack, NSManagedObjectContext) {
        let stack = try TemporaryStack()
        let context = stack.queueContext()
        try context.performAndWait {
            for name in ["Ada", "Emma"] { context.make("Author", ["name": name]) }
            try context.save()
        }
        return (stack, context)
    }

    /// Executes a request, and waits until its completion block was called.
    private func run<T>(
        _ request: NSFetchRequest<T>, in context: NSManagedObjectContext,
        _ change: (NSAsynchronousFetchResult<T>) -> Void = { _ in }
    ) throws -> NSAsynchronousFetchResult<T> {
        let done = DispatchSemaphore(value: 0)
        let result = try context.performAndWait {
            let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { _ in done.signal() }
            asynchronous.estimatedResultCount = 2
            let result = try #require(try context.execute(asynchronous) as? NSAsynchronousFetchResult<T>)
            // The queue is ours until this block ends, so nothing has been fetched yet.
            #expect(result.finalResult == nil && result.operationError == nil)
            #expect(result.fetchRequest === asynchronous && result.managedObjectContext === context)
            change(result)
            return result
        }
        done.wait()
        return result
    }

    @Test(
        "A fetch request that a context executes gives such a result at once, with unsaved changes and what it was typed with"
    )
    func plainRequest() throws {
        let (stack, context) = try library()
        try context.performAndWait {
            context.make("Author", ["name": "Zoe"])
            let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
            request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)]
            let result = try #require(try context.execute(request) as? NSAsynchronousFetchResult<NSManagedObject>)
            #expect(result.finalResult?.map { $0.value(forKey: "name") as? String } == ["Zoe", "Emma", "Ada"])
            #expect(result.fetchRequest.fetchRequest === request && result.managedObjectContext === context)
            let rows = NSFetchRequest<NSDictionary>(entityName: "Author")
            rows.resultType = .dictionaryResultType
            rows.predicate = NSPredicate(format: "name == 'Ada'")
            let dictionaries = try context.execute(rows) as? NSAsynchronousFetchResult<NSDictionary>
            #expect(dictionaries?.finalResult?.count == 1)
            // A request that is typed with a class, and asks for a number.
            request.resultType = .countResultType
            let counted = try context.execute(request)
            #expect(NSAsynchronousFetchResult<NSNumber>.cast(counted).finalResult == [3])
            let erased = NSAsynchronousFetchResult<any NSFetchRequestResult>.castIfResult(counted)
            #expect(erased?.finalResult?.first as? Int == 3)
            #expect(NSAsynchronousFetchResult<NSNumber>.castIfResult("text") == nil)
            #expect(throws: NSError.self) { try context.execute(NSFetchRequest<NSManagedObject>(entityName: "Nobody")) }
        }
        withExtendedLifetime(stack) {}
    }

    @Test("A result that is seen as one of another type gets its objects, and its error, when they are there")
    func seenAsOther() throws {
        let (stack, context) = try library()
        typealias Erased = NSAsynchronousFetchResult<any NSFetchRequestResult>
        var seen: Erased?
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        let result = try run(request, in: context) { seen = .cast($0) }
        context.performAndWait {
            #expect(seen?.finalResult?.count == 2 && seen?.progress === result.progress)
            #expect(seen?.operationError == nil && seen?.managedObjectContext === context)
        }
        let failing = NSFetchRequest<NSManagedObject>(entityName: "Author")
        failing.predicate = NSPredicate(format: "nothing == 1")
        let failed = try run(failing, in: context) { seen = .cast($0) }
        context.performAndWait {
            #expect(failed.operationError != nil && seen?.operationError != nil && seen?.finalResult == nil)
        }
        withExtendedLifetime(stack) {}
    }

    @Test("The results come on the context's queue, after execute has returned")
    func results() throws {
        let (stack, context) = try library()
        defer { withExtendedLifetime(stack) {} }
        let request = NSFetchRequest<NSManagedObject>(entityName: "Author")
        request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
        let result = try run(request, in: context)
        #expect(context.performAndWait { result.finalResult?.map { $0.text("name") } } == ["Ada", "Emma"])
        #expect(result.progress?.isFinished == true && result.progress?.totalUnitCount == 2)
    }

    @Test("A fetch that fails says why, and one that was cancelled isn't made")
    func failures() throws {
        let (stack, context) = try library()
        defer { withExtendedLifetime(stack) {} }
        let wrong = NSFetchRequest<NSManagedObject>(entityName: "Author")
        wrong.predicate = NSPredicate(format: "nme == 'Ada'")
        let failed = try run(wrong, in: context)
        #expect(failed.finalResult == nil)
        #expect(failed.operationError?.localizedDescription.contains("nme") ?? false)
        let cancelled = try run(NSFetchRequest<NSManagedObjectID>(entityName: "Author"), in: context) { $0.cancel() }
        #expect(cancelled.finalResult == nil)
        #expect((cancelled.operationError as? CocoaError)?.code == .userCancelled)
    }
}
