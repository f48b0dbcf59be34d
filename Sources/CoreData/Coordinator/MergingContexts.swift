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
        let contexts = contexts(without: source)
        if !contexts.isEmpty { merge(SavedObjectIDs(sets), in: contexts) }
    }

    func merge(_ saved: SavedObjectIDs, savedBy source: NSManagedObjectContext) {
        merge(saved, in: contexts(without: source))
    }

    private func contexts(without source: NSManagedObjectContext) -> [NSManagedObjectContext] {
        lock.withLock { entries.compactMap(\.context) }.filter { $0 !== source }
    }

    private func merge(_ saved: SavedObjectIDs, in contexts: [NSManagedObjectContext]) {
        for context in contexts {
            context.perform { [weak context] in context?.merge(saved) }
        }
    }
}
