import Foundation

// Safe: the list is behind a lock.
/// The contexts of a coordinator, none of them retained.
final class ContextList: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [BackReference<NSManagedObjectContext>] = []

    func add(_ context: NSManagedObjectContext) { replace(context, with: [context.reference]) }

    func remove(_ context: NSManagedObjectContext) { replace(context, with: []) }

    /// Contexts that are looked at while the lock is held are released after it: the release may deinitialise a
    /// context, which takes the lock.
    private func replace(_ context: NSManagedObjectContext, with replacement: [BackReference<NSManagedObjectContext>]) {
        let held = lock.withLock {
            let alive = entries.compactMap(\.target)
            entries = alive.filter { $0 !== context }.map(\.reference) + replacement
            return alive
        }
        withExtendedLifetime(held) {}
    }

    /// Does something in every context, on its queue: at once where that is the caller's, as the next thing there otherwise.
    func perform(_ work: @escaping (NSManagedObjectContext) -> Void) {
        for context in contexts {
            if context.queue.isCurrent {
                context.performAndWait { work(context) }
            } else {
                context.perform { [reference = context.reference] in reference.target.map(work) }
            }
        }
    }

    /// Those that are alive.
    var contexts: [NSManagedObjectContext] { lock.withLock { entries.compactMap(\.target) } }
}
