@_spi(Engine) import CoreDataRows
import Foundation

/// A protocol of contexts, for a method that yields to one of the same signature in another package: Swift prefers a
/// method in an extension of the class to one in an extension of a protocol.
public protocol WaitingForBlocks: NSManagedObjectContext {}

extension NSManagedObjectContext: WaitingForBlocks {}

extension WaitingForBlocks {
    /// Runs a block on the context's queue, waits for it, and gives what it returns or throws.
    ///
    /// Packages that are older than this method declare one of the same signature; theirs is called where both are seen (our
    /// choice: else each call in a third module is ambiguous).
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T {
        guard isDouble else { return try runOnQueue(block) }
        return try waitForOutcome(of: block) { throw $0 }
    }
}

extension NSManagedObjectContext {
    /// What ``performAndWait(_:)`` does, for this module: a subclass that overrides that isn't told of a child's requests (seen in a
    /// test of Alicerce).
    func runOnQueue<T>(_ block: () throws -> T) rethrows -> T {
        try queue.sync { try CurrentContext.run(self, block) }
    }

    func enqueue(_ block: @escaping () -> Void) {
        queue.async {
            CurrentContext.run(self, block)
            self.processPendingChanges()
        }
    }

    /// Runs a block by way of the method that the context's class may have overridden.
    fileprivate func waitForOutcome<T>(
        of block: () throws -> T, otherwise rethrow: (any Error) throws -> T
    ) rethrows -> T {
        var outcome: Result<T, any Error>?
        performAndWait { outcome = Result(catching: block) }
        guard let outcome else {
            fatalError("\(Swift.type(of: self)) overrides performAndWait(_:) and hasn't called the block.")
        }
        switch outcome {
        case .success(let value): return value
        case .failure(let error): return try rethrow(error)
        }
    }

    /// Whether the context is of a subclass, whose overrides count for what is built upon the overridden methods.
    @inline(__always)
    var isDouble: Bool { Swift.type(of: self) != NSManagedObjectContext.self }

    /// When an asynchronous block runs.
    public enum ScheduledTaskType: Sendable {
        /// At once where the caller is on the context's queue; otherwise as if enqueued.
        case immediate
        /// After what is already in the queue.
        case enqueued
    }

    #if compiler(>=6.2)
        /// Runs a block on the context's queue and suspends until it is done.
        ///
        /// - Throws: what the block throws, and nothing else.
        nonisolated(nonsending) public func perform<T, E: Error>(
            schedule: ScheduledTaskType = .immediate, _ block: @escaping () throws(E) -> T
        ) async throws(E) -> T {
            try await run(schedule, isolation: #isolation, block)
        }
    #else
        /// Runs a block on the context's queue and suspends until it is done.
        ///
        /// - Throws: what the block throws, and nothing else.
        public func perform<T, E: Error>(
            schedule: ScheduledTaskType = .immediate, isolation: isolated (any Actor)? = #isolation,
            _ block: @escaping () throws(E) -> T
        ) async throws(E) -> T {
            try await run(schedule, isolation: isolation, block)
        }
    #endif

    private func run<T, E: Error>(
        _ schedule: ScheduledTaskType, isolation: isolated (any Actor)?, _ block: @escaping () throws(E) -> T
    ) async throws(E) -> T {
        if schedule == .immediate, queue.isOwned {
            return try CurrentContext.run(self) { BlockOutcome(running: block) }.result.get()
        }
        let outcome: BlockOutcome<T, E> = await withCheckedContinuation { continuation in
            perform {
                let outcome = BlockOutcome(running: block)
                self.processPendingChanges()
                continuation.resume(returning: outcome)
            }
        }
        return try outcome.result.get()
    }
}

extension ContextQueue {
    /// Whether the current thread is on the context's own queue, rather than one where any block may run.
    var isOwned: Bool { queue != nil && isCurrent }
}
