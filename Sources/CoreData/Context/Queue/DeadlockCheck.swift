import FoundationCompat
import Synchronization

/// Detects deadlocks: blocks of contexts that wait for each other in a cycle.
///
/// Works in debug builds, and while ``ConcurrencyCheck`` is on. It stops only programs that would hang.
enum DeadlockCheck {
    static let isOn = DebugSettings.isDebugBuild || ConcurrencyCheck.isOn

    private struct State {
        /// The chain of blocks that each queue is busy with.
        var holders: [ObjectIdentifier: Int] = [:]
        /// The queue that each chain waits for.
        var waits: [Int: ContextQueue] = [:]

        func holder(of queue: ContextQueue) -> Int? { holders[ObjectIdentifier(queue)] ?? (queue.isMain ? 0 : nil) }

        /// The queues that are waited for, from this one on, if the last one is held by the chain.
        func circle(from queue: ContextQueue, backTo chain: Int) -> [ContextQueue]? {
            var circle = [queue]
            while let holder = holder(of: circle[circle.count - 1]) {
                if holder == chain { return circle }
                guard let next = waits[holder], !circle.contains(where: { $0 === next }) else { return nil }
                circle.append(next)
            }
            return nil
        }
    }

    private static let state = Mutex(State())

    /// Called before a thread waits for a queue. Stops the program where it would wait for ever.
    static func willWait(for queue: ContextQueue, in frame: QueueFrame?) {
        guard let chain = frame?.chain ?? (MainQueue.isCurrent ? 0 : nil) else { return }
        let circle = state.withLock { state -> [ContextQueue]? in
            state.waits[chain] = queue
            return state.circle(from: queue, backTo: chain)
        }
        guard let circle else { return }
        let own = frame?.queue.description ?? "the main queue"
        let steps = circle.map(\.description).joined(separator: ", whose block waits for ")
        fatalError("CoreData deadlock: performAndWait would never return. A block of \(own) waits for \(steps).")
    }

    static func didBegin(_ frame: QueueFrame) {
        state.withLock { state in
            state.waits[frame.chain] = nil
            state.holders[ObjectIdentifier(frame.queue)] = frame.chain
        }
    }

    static func didEnd(_ frame: QueueFrame) {
        state.withLock { $0.holders[ObjectIdentifier(frame.queue)] = nil }
    }
}
