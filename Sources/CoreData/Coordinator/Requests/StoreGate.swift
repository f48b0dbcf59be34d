import CoreDataRows
import Foundation

// Safe: everything that changes is looked at with the condition's lock held.
/// A lock between two uses of the stores: requests and saves run side by side, and one thread at a time may have
/// exclusive access.
///
/// A thread that is inside may enter again. A thread with shared access, such as one that runs a store class's method,
/// doesn't get exclusive access: it would wait for others that wait for it.
final class StoreGate: @unchecked Sendable {
    private let condition = NSCondition()
    /// How often each thread has entered with shared access.
    private var guests: [Int: Int] = [:]
    /// The thread with exclusive access, and how often it has entered.
    private var owner: (thread: Int, depth: Int)?
    private var waitingOwners = 0
    /// What is to be done when the owner leaves.
    private var deferred: [() -> Void] = []
    /// Since when threads have been waiting for exclusive access.
    private var ownersHaveWaitedSince = Date.distantFuture

    /// For how many seconds a new shared access lets waiting exclusive ones go first: longer, the longer these have waited, as others
    /// would keep them out for ever. It must not be for ever either: a thread that is inside may be waiting for this very request.
    private static let courtesy = 0.05...1
    private var patience: Double {
        min(max(-ownersHaveWaitedSince.timeIntervalSinceNow, Self.courtesy.lowerBound), Self.courtesy.upperBound)
    }

    /// Runs a closure with shared access.
    func shared<Result>(_ body: () throws -> Result) rethrows -> Result {
        let thread = ThreadNumber.current
        enter(thread)
        defer { leave(thread) }
        return try body()
    }

    /// Runs a closure with exclusive access.
    func alone<Result>(_ body: () throws -> Result) rethrows -> Result {
        lock()
        defer { unlock() }
        return try body()
    }

    private func enter(_ thread: Int) {
        condition.withLock {
            if owner?.thread != thread, guests[thread] == nil {
                var deadline: Date?
                var isPatient = true
                while owner != nil || isPatient && waitingOwners > 0 {
                    guard owner == nil else {
                        condition.wait()
                        continue
                    }
                    let end = deadline ?? Date(timeIntervalSinceNow: patience)
                    deadline = end
                    // One of them may have got in meanwhile.
                    isPatient = condition.wait(until: end)
                }
            }
            guests[thread, default: 0] += 1
        }
    }

    private func leave(_ thread: Int) {
        condition.withLock {
            let depth = guests[thread] ?? 1
            guests[thread] = depth > 1 ? depth - 1 : nil
            if guests.isEmpty { condition.broadcast() }
        }
    }

    /// Takes exclusive access until ``unlock()``, unless the thread has shared access.
    func lock() {
        let thread = ThreadNumber.current
        condition.withLock {
            if enterAgain(thread) { return }
            if waitingOwners == 0 { ownersHaveWaitedSince = Date() }
            waitingOwners += 1
            while owner != nil || !guests.isEmpty { condition.wait() }
            waitingOwners -= 1
            owner = (thread, 1)
        }
    }

    func tryLock() -> Bool {
        let thread = ThreadNumber.current
        return condition.withLock {
            if enterAgain(thread) { return true }
            guard owner == nil, guests.isEmpty else { return false }
            owner = (thread, 1)
            return true
        }
    }

    private func enterAgain(_ thread: Int) -> Bool {
        if owner?.thread == thread {
            owner?.depth += 1
        } else if let depth = guests[thread] {
            guests[thread] = depth + 1
        } else {
            return false
        }
        return true
    }

    func unlock() {
        let thread = ThreadNumber.current
        guard condition.withLock({ owner?.thread == thread }) else { return leave(thread) }
        let deferred = condition.withLock { () -> [() -> Void] in
            owner?.depth -= 1
            guard owner?.depth == 0 else { return [] }
            owner = nil
            condition.broadcast()
            defer { self.deferred = [] }
            return self.deferred
        }
        for work in deferred { work() }
    }

    /// Does something that has other threads ask the stores: where the calling thread has exclusive access, when it gives that up, as it
    /// may wait for these threads until then.
    func afterwards(_ work: @escaping () -> Void) {
        let isDeferred = condition.withLock {
            guard owner?.thread == ThreadNumber.current else { return false }
            deferred.append(work)
            return true
        }
        if !isDeferred { work() }
    }
}
