import Dispatch
import Foundation

extension NSPersistentStoreCoordinator {
    func enqueue(_ block: @escaping () -> Void) {
        let work = SendableBlock { [self] in runLocked(block) }
        queue.async { work.run() }
    }

    #if compiler(>=6.2)
        /// Runs a block on the coordinator's queue, with exclusive access to the stores, and suspends until it is done.
        ///
        /// - Throws: what the block throws, and nothing else.
        nonisolated(nonsending) public func perform<T, E: Error>(
            _ block: @escaping () throws(E) -> T
        ) async throws(E) -> T {
            try await run(isolation: #isolation, block)
        }
    #else
        /// Runs a block on the coordinator's queue, with exclusive access to the stores, and suspends until it is done.
        ///
        /// - Throws: what the block throws, and nothing else.
        public func perform<T, E: Error>(
            isolation: isolated (any Actor)? = #isolation, _ block: @escaping () throws(E) -> T
        ) async throws(E) -> T {
            try await run(isolation: isolation, block)
        }
    #endif

    private func run<T, E: Error>(
        isolation: isolated (any Actor)?, _ block: @escaping () throws(E) -> T
    ) async throws(E) -> T {
        let outcome: BlockOutcome<T, E> = await withCheckedContinuation { continuation in
            perform { continuation.resume(returning: BlockOutcome(running: block)) }
        }
        return try outcome.result.get()
    }

    /// Runs a block with exclusive access to the stores, waits for it, and gives what it returns or throws.
    public func performAndWait<T>(_ block: () throws -> T) rethrows -> T { try runLocked(block) }
}

extension NSPersistentStoreCoordinator: NSLocking {
    /// Runs a block with exclusive access to the stores.
    func runLocked<T>(_ block: () throws -> T) rethrows -> T {
        try gate.alone(block)
    }
}
