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

    /// What a thread has under this key while it runs a block of another queue that code on the main queue waits for.
    private static let heldKey = makeKey()
    private static var isHeld: UnsafeRawPointer? { UnsafeRawPointer(bitPattern: 1) }

    /// Under this key a thread has whether it is the main one, once it was asked.
    private static let mainThreadKey = makeKey()

    private static func makeKey() -> pthread_key_t {
        var key = pthread_key_t()
        guard pthread_key_create(&key, nil) == 0 else { fatalError("The process has no thread-specific key left.") }
        return key
    }

    /// Foundation's own calls the system twice, and every checked access to an object's value asks.
    private static var isMainThread: Bool {
        if let known = pthread_getspecific(mainThreadKey) { return Int(bitPattern: known) == 1 }
        let isMain = Thread.isMainThread
        pthread_setspecific(mainThreadKey, UnsafeRawPointer(bitPattern: isMain ? 1 : 2))
        return isMain
    }

    package static var isCurrent: Bool {
        isMainThread || DispatchQueue.getSpecific(key: key) == true || pthread_getspecific(heldKey) != nil
    }

    /// Runs a block on another queue and waits for it. Where the caller is on the main queue, the block counts as being there
    /// as well: the caller keeps that queue, and dispatch can tell the block only of the queue that it has been sent to.
    package static func stayingThere<T>(_ block: () throws -> T, on queue: DispatchQueue) rethrows -> T {
        guard !isMainThread, isCurrent else { return try queue.sync(execute: block) }
        return try queue.sync {
            let before = pthread_getspecific(heldKey)
            pthread_setspecific(heldKey, isHeld)
            defer { pthread_setspecific(heldKey, before) }
            return try block()
        }
    }

    /// Runs a block when what is going on there has ended: on the main thread's run loop or, where nothing runs that, on the
    /// main queue.
    package static func atEndOfTurn(_ block: @escaping () -> Void) {
        // Safe: it is only handed over; callers are on the main queue already, or give it nothing else that they use.
        nonisolated(unsafe) let block = block
        DispatchQueue.main.async { block() }
    }

    /// Whether anybody is known to serve the main queue.
    private static let served = Atomic<Bool>(false)

    /// Waits for a block on the main queue, and reports once where the queue doesn't run it.
    package static func sync<T>(
        _ block: () throws -> T, ifUnservedFor seconds: Double, report: @escaping @Sendable () -> Void
    ) rethrows -> T {
        // By the name `DispatchQueue.main` its blocks would be the main actor's, and blocks that aren't sendable couldn't be given to it.
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
