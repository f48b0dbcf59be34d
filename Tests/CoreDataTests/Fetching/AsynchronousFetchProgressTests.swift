import CoreData
import Foundation
import Synchronization
import Testing

// Safe: one thread after the other uses it.
/// What a progress said at each object that was read.
private final class ProgressCounts: @unchecked Sendable {
    var progress: Progress?
    private(set) var completed: [Int64] = []
    private let cancelsAt: Int

    init(cancelsAt: Int) { self.cancelsAt = cancelsAt }

    func read() {
        completed.append(progress?.completedUnitCount ?? -1)
        if completed.count == cancelsAt { progress?.cancel() }
    }
}

@Suite("An asynchronous fetch counts objects and can be cancelled between them")
struct AsynchronousFetchProgressTests {
    private func stack(of count: Int) throws -> (TemporaryStack, NSManagedObjectContext) {
        let stack = try TemporaryStack()
        let context = stack.queueContext()
        try context.performAndWait {
            for number in 0..<count { context.makeBook("Book \(number)", ["pages": number + 1]) }
            try context.save()
            context.reset()
        }
        return (stack, context)
    }

    private var request: NSFetchRequest<NSManagedObject> {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Book")
        request.sortDescriptors = [NSSortDescriptor(key: "pages", ascending: true)]
        return request
    }

    @Test("The progress ends at the number of objects, in the order asked for")
    func counting() async throws {
        let (stack, context) = try stack(of: 1_200)
        defer { withExtendedLifetime(stack) {} }
        let (units, pages): (Int64, [Int]) = try await withCheckedThrowingContinuation { continuation in
            do {
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    let pages = result.finalResult?.compactMap { $0.value(forKey: "pages") as? Int } ?? []
                    continuation.resume(returning: (result.progress?.totalUnitCount ?? 0, pages))
                }
                try context.performAndWait { _ = try context.execute(asynchronous) }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(units == 1_200)
        #expect(pages == Array(1...1_200))
    }

    /// Tells of each object that is read.
    final class Row: NSManagedObject {
        static let readings = Mutex<(@Sendable () -> Void)?>(nil)

        override func awakeFromFetch() {
            super.awakeFromFetch()
            Self.readings.withLock { $0 }?()
        }
    }

    @Test(
        "While it runs, its progress is the number of objects so far, and cancelling there ends it", .serialized,
        arguments: [false, true])
    func underWay(cancels: Bool) async throws {
        let entity = NSEntityDescription()
        entity.name = "Row"
        entity.managedObjectClassName = NSStringFromClass(Row.self)
        let model = NSManagedObjectModel()
        model.entities = [entity]
        let stack = try TemporaryStack(model: model)
        let context = stack.queueContext()
        try context.performAndWait {
            for _ in 0..<3_000 { _ = Row(context: context) }
            try context.save()
            context.reset()
        }
        let request = NSFetchRequest<Row>(entityName: "Row")
        request.returnsObjectsAsFaults = false
        let counts = ProgressCounts(cancelsAt: cancels ? 1_700 : .max)
        let (code, count): (CocoaError.Code?, Int?) = try await withCheckedThrowingContinuation { continuation in
            do {
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    Row.readings.withLock { $0 = nil }
                    continuation.resume(
                        returning: ((result.operationError as? CocoaError)?.code, result.finalResult?.count))
                }
                try context.performAndWait {
                    let result = try context.execute(asynchronous) as? NSPersistentStoreAsynchronousResult
                    counts.progress = try #require(result?.progress)
                    Row.readings.withLock { $0 = { counts.read() } }
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(code == (cancels ? .userCancelled : nil))
        #expect(count == (cancels ? nil : 3_000))
        // Objects are read some hundreds at a time.
        #expect(counts.completed == counts.completed.sorted())
        #expect(Set(counts.completed).count >= 3, "\(Set(counts.completed))")
        #expect(zip(counts.completed, 1...).allSatisfy { $0 < $1 && $0 >= $1 - 1_000 })
        #expect(counts.completed.count < (cancels ? 2_700 : 3_001))
    }

    @Test("A fetch that is cancelled on its way ends with an error")
    func cancelling() async throws {
        let (stack, context) = try stack(of: 1_200)
        defer { withExtendedLifetime(stack) {} }
        let code: CocoaError.Code? = try await withCheckedThrowingContinuation { continuation in
            do {
                let asynchronous = NSAsynchronousFetchRequest(fetchRequest: request) { result in
                    #expect(result.finalResult == nil)
                    continuation.resume(returning: (result.operationError as? CocoaError)?.code)
                }
                try context.performAndWait {
                    let result = try context.execute(asynchronous) as? NSPersistentStoreAsynchronousResult
                    result?.cancel()
                }
            } catch {
                continuation.resume(throwing: error)
            }
        }
        #expect(code == .userCancelled)
    }
}
