/// The contexts that merge automatically what others save.
final class MergingContexts: Sendable {
    private let list = ContextList()

    func add(_ context: NSManagedObjectContext) { list.add(context) }

    func remove(_ context: NSManagedObjectContext) { list.remove(context) }

    /// Makes all contexts but the one that saved merge, each on its queue, later.
    func merge(_ sets: ChangeSets, savedBy source: NSManagedObjectContext) {
        let contexts = contexts(without: source)
        if !contexts.isEmpty { merge(SavedObjectIDs(sets), in: contexts) }
    }

    func merge(_ saved: SavedObjectIDs, savedBy source: NSManagedObjectContext) {
        merge(saved, in: contexts(without: source))
    }

    private func contexts(without source: NSManagedObjectContext) -> [NSManagedObjectContext] {
        list.contexts.filter { $0 !== source }
    }

    private func merge(_ saved: SavedObjectIDs, in contexts: [NSManagedObjectContext]) {
        for context in contexts {
            context.perform { [reference = context.reference] in reference.target?.merge(saved) }
        }
    }
}
