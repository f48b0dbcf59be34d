import CSwiftRuntime
import FoundationCompat
import Synchronization

/// A context's queue whose block the current thread is in, and those that wait for that block to end.
///
/// A thread that waits for a block of another queue keeps its own queue meanwhile, so the block may use the queues of
/// all threads that wait for it.
final class QueueFrame {
    let queue: ContextQueue
    let outer: QueueFrame?
    /// The number of the chain of blocks that wait for each other; the main queue's is 0.
    let chain: Int

    private static let chains = Atomic<Int>(0)

    private init(_ queue: ContextQueue, inside outer: QueueFrame?) {
        self.queue = queue
        self.outer = outer
        chain = outer?.chain ?? (MainQueue.isCurrent ? 0 : Self.chains.add(1, ordering: .relaxed).newValue)
    }

    /// The innermost block that the current thread is in.
    static var current: QueueFrame? {
        guard let pointer = thread_queue_frame() else { return nil }
        return Unmanaged<QueueFrame>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Whether the block, or one that waits for it, is of a queue.
    func holds(_ queue: ContextQueue) -> Bool { self.queue === queue || outer?.holds(queue) ?? false }

    /// Runs the block of a queue, on that queue.
    ///
    /// - Parameter outer: the block that waits for this one, which may run on another thread.
    static func run<T>(_ queue: ContextQueue, inside outer: QueueFrame?, _ body: () throws -> T) rethrows -> T {
        let frame = QueueFrame(queue, inside: outer)
        let before = thread_queue_frame()
        set_thread_queue_frame(Unmanaged.passUnretained(frame).toOpaque())
        defer { set_thread_queue_frame(before) }
        if DeadlockCheck.isOn { DeadlockCheck.didBegin(frame) }
        defer { if DeadlockCheck.isOn { DeadlockCheck.didEnd(frame) } }
        return try withExtendedLifetime(frame, body)
    }
}
