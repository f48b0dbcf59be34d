/// The contexts of a coordinator that take over what others save by themselves.
final class MergingContexts: Sendable {
    private let list = ContextList()

    func add(_ context: NSManagedObjectContext) { list.add(context) }

    func remove(_ context: NSManagedObjectContext) { list.remove(context) }

    /// Has all but the context that saved merge, each on its queue, later.
    func merge(_ sets: ChangeSets, savedBy source: NSManagedObjectContext) {
        let contexts = list.contexts.filter { $0 !== source }
        guard !contexts.isEmpty else { return }
        let saved = SavedObjectIDs(sets)
        for context in contexts {
            context.perform { [weak context] in context?.merge(saved) }
        }
    }
}
