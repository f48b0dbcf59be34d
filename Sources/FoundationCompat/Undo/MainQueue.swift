import Dispatch
import Foundation
import Synchronization

/// Whether the current code runs on the main queue, and what is to be done at the end of the run loop's turn there.
///
/// That isn't always the main thread: in a program that has called `dispatchMain()`, as every program with an asynchronous
/// `main` has, other threads serve the main queue.
package enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }

    /// Runs a block when what is going on there has ended: on the main thread's run loop or, where nothing runs that, on the
    /// main queue.
    package static func atEndOfTurn(_ block: @escaping () -> Void) {
        // Safe: it is only handed over; callers are on the main queue already, or give it nothing else that they use.
        nonisolated(unsafe) let block = block
        DispatchQueue.main.async { block() }
    }

    /// Whether anybody is known to serve the main queue.
    private static let served = Atomic<Bool>(false)

    /// Waits for a block on the main queue, and reports once where nobody comes to run it.
    package static func sync<T>(
        _ block: () throws -> T, ifUnservedFor seconds: Double, report: @escaping @Sendable () -> Void
    ) rethrows -> T {
        // By its own name its blocks would count as the main actor's, which others may not send theirs to.
        let main = DispatchQueue.main
        if served.load(ordering: .relaxed) { return try main.sync(execute: block) }
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            if served.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged { report() }
        }
        return try main.sync {
            served.store(true, ordering: .relaxed)
            return try block()
        }
    }
}
