import Foundation
import FoundationCompat
import Testing

@Suite("What Foundation's classes tell nobody is observed by looking")
struct PolledObservationTests {
    /// What blocks were told, from whatever thread.
    private final class Told: @unchecked Sendable {
        private let lock = NSLock()
        private var values: [Double] = []
        func add(_ value: Double) { lock.withLock { values.append(value) } }
        var all: [Double] { lock.withLock { values } }
    }

    @Test("A progress tells its observers, at the latest when they leave")
    func progress() {
        let (told, progress) = (Told(), Progress(totalUnitCount: 4))
        let token = progress.observe(\.fractionCompleted, options: [.new]) { _, change in
            told.add(change.newValue ?? -1)
        }
        progress.completedUnitCount = 2
        token.invalidate()
        #expect(told.all == [0.5])
        progress.completedUnitCount = 4
        token.invalidate()
        #expect(told.all == [0.5])
    }

    @Test("It tells them meanwhile, and what it was at first where that is asked for")
    func meanwhile() async throws {
        let (told, progress) = (Told(), Progress(totalUnitCount: 4))
        let token = progress.observe(\.fractionCompleted, options: [.initial, .old]) { progress, change in
            told.add(change.oldValue ?? progress.fractionCompleted)
        }
        progress.completedUnitCount = 3
        for _ in 0..<200 where told.all.count < 2 { try await Task.sleep(for: .milliseconds(20)) }
        #expect(told.all == [0, 0])
        withExtendedLifetime(token) {}
    }

    @Test("An operation that ends tells its observers")
    func operation() {
        let (told, operation) = (Told(), BlockOperation {})
        let token = operation.observe(\.isFinished) { operation, _ in told.add(operation.isFinished ? 1 : 0) }
        operation.start()
        token.invalidate()
        #expect(told.all == [1])
    }
}
