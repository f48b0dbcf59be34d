import Foundation

/// The contexts of a coordinator that take over what others save by themselves.
final class MergingContexts: @unchecked Sendable {
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

    /// Has all but the context that saved merge, each on its queue, later.
    func merge(_ sets: ChangeSets, savedBy source: NSManagedObjectContext) {
        let contexts = lock.withLock { entries.compactMap(\.context) }.filter { $0 !== source }
        guard !contexts.isEmpty else { return }
        let saved = SavedObjectIDs(sets)
        for context in contexts {
            context.perform { [weak context] in context?.merge(saved) }
        }
    }
}
