import Foundation

/// The contexts of a coordinator, none of them owned.
final class ContextList: @unchecked Sendable {
    private let lock = NSLock()
    private var entries: [Entry] = []

    private struct Entry {
        weak var context: NSManagedObjectContext?
    }

    func add(_ context: NSManagedObjectContext) {
        lock.withLock {
            entries.removeAll { $0.context == nil || $0.context === context }
            entries.append(Entry(context: context))
        }
    }

    func remove(_ context: NSManagedObjectContext) {
        lock.withLock { entries.removeAll { $0.context == nil || $0.context === context } }
    }

    /// Those that are alive.
    var contexts: [NSManagedObjectContext] { lock.withLock { entries.compactMap(\.context) } }
}
