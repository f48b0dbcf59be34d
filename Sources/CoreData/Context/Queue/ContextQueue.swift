import Dispatch
import Foundation
import FoundationCompat

// Safe: all of it is constant; the reference is set before others see it.
/// The queue of a context, and whether the current thread is on it.
final class ContextQueue: @unchecked Sendable, CustomStringConvertible {
    let queue: DispatchQueue?
    let isMain: Bool
    /// For messages.
    var context: BackReference<NSManagedObjectContext>?

    init(_ type: NSManagedObjectContextConcurrencyType) {
        isMain = type == .mainQueueConcurrencyType
        switch type {
        case .mainQueueConcurrencyType: queue = .main
        case .privateQueueConcurrencyType: queue = DispatchQueue(label: "NSManagedObjectContext")
        case .confinementConcurrencyType: queue = nil
        }
    }

    /// How long a wait for the main queue may last before it is reported, in seconds.
    private static let patience = 5.0

    /// Whether the context may be used right here: on its queue, or by a block that its queue waits for.
    var isCurrent: Bool {
        guard queue != nil else { return true }
        if isMain, MainQueue.isCurrent { return true }
        return QueueFrame.current?.holds(self) ?? false
    }

    /// Runs a block on the queue and waits for it; inline when already there.
    func sync<T>(_ block: () throws -> T) rethrows -> T {
        guard let queue, !isCurrent else { return try block() }
        let outer = QueueFrame.current
        if DeadlockCheck.isOn { DeadlockCheck.willWait(for: self, in: outer) }
        guard isMain else {
            return try MainQueue.stayingThere({ try QueueFrame.run(self, inside: outer, block) }, on: queue)
        }
        return try MainQueue.sync({ try QueueFrame.run(self, inside: outer, block) }, ifUnservedFor: Self.patience) {
            CoreDataLog.warn(
                "performAndWait of \(self) has been waiting for \(Int(Self.patience)) seconds: nothing serves the main "
                    + "queue, or it is busy. A program needs RunLoop.main.run(), dispatchMain() or an asynchronous main for "
                    + "it; without one, as on a server, use newBackgroundContext() or performBackgroundTask(_:), whose "
                    + "queues are their own. This is said once. (Documentation/Concurrency.md)")
        }
    }

    /// Runs a block on the queue, where the current code is on it, so that it counts as being there whatever queues of others it goes
    /// through, as those of a database.
    func staying<T>(_ block: () throws -> T) rethrows -> T {
        guard queue != nil, QueueFrame.current?.holds(self) != true, isCurrent else { return try block() }
        return try QueueFrame.run(self, inside: QueueFrame.current, block)
    }

    func async(_ block: @escaping () -> Void) {
        guard let queue else { return block() }
        let work = SendableBlock(block)
        queue.async { QueueFrame.run(self, inside: nil) { work.run() } }
    }

    var description: String {
        let kind = isMain ? "the main queue" : queue == nil ? "no queue" : "a private queue"
        guard let context = context?.target else { return "a context of \(kind) that has gone" }
        let name = context.name.map { "'\($0)' " } ?? ""
        return "the context \(name)\(ObjectAddress.text(of: context)) of \(kind)"
    }
}
