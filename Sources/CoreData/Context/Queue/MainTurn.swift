import Dispatch
import Foundation
import Synchronization

/// Blocks for the main queue that a turn of the main run loop runs as well, whichever comes first.
///
/// Who waits on the main thread for a save's notification, as tests do, stops the run loop from the thread that posts it. On Linux the
/// loop then returns without having served the main queue (seen in tests of brave-ios), though not without having run its own blocks:
/// what was enqueued before the notification has to be done by then.
enum MainTurn {
    private struct Pending {
        var blocks: [SendableBlock] = []
        /// Whether the run loop has a block that runs them. Where nobody runs the loop there is never a second one.
        var isInRunLoop = false
    }

    private static let pending = Mutex(Pending())

    static func async(_ block: SendableBlock) {
        let isFirst = pending.withLock { pending in
            pending.blocks.append(block)
            defer { pending.isInRunLoop = true }
            return !pending.isInRunLoop
        }
        DispatchQueue.main.async { _ = runNext() }
        guard isFirst else { return }
        RunLoop.main.perform(inModes: [.common]) {
            pending.withLock { $0.isInRunLoop = false }
            while runNext() {}
        }
    }

    /// Runs the block that has waited longest; false where there is none.
    private static func runNext() -> Bool {
        let next = pending.withLock { $0.blocks.isEmpty ? nil : $0.blocks.removeFirst() }
        next?.run()
        return next != nil
    }
}
