import Dispatch
import Foundation

/// The queue of a context, and whether the current thread is on it.
final class ContextQueue: @unchecked Sendable {
    let queue: DispatchQueue?
    private let key = DispatchSpecificKey<Bool>()
    private let isMain: Bool

    init(_ type: NSManagedObjectContextConcurrencyType) {
        isMain = type == .mainQueueConcurrencyType
        switch type {
        case .mainQueueConcurrencyType: queue = .main
        case .privateQueueConcurrencyType:
            queue = DispatchQueue(label: "NSManagedObjectContext")
            queue?.setSpecific(key: key, value: true)
        case .confinementConcurrencyType: queue = nil
        }
    }

    /// Whether blocks may run right here.
    var isCurrent: Bool {
        guard queue != nil else { return true }
        return isMain ? Thread.isMainThread : DispatchQueue.getSpecific(key: key) == true
    }

    /// Runs a block on the queue and waits for it; inline when already there.
    func sync<T>(_ block: () throws -> T) rethrows -> T {
        guard let queue, !isCurrent else { return try block() }
        return try queue.sync(execute: block)
    }

    func async(_ block: @escaping () -> Void) {
        guard let queue else { return block() }
        let work = UncheckedWork(block)
        queue.async { work.run() }
    }
}

/// A block on its way to the one queue that it is meant for.
private struct UncheckedWork: @unchecked Sendable {
    let run: () -> Void
    init(_ run: @escaping () -> Void) { self.run = run }
}
