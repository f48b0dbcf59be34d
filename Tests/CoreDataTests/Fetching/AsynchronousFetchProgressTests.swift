import CoreData
import Foundation
import Testing

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
