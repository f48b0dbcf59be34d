import Foundation

extension NSManagedObjectContext {
    func pin(to token: NSQueryGenerationToken?) throws {
        guard parent == nil else {
            throw CoreDataError.unsupportedRequest("A child context sees what its parent sees: pin the root context.")
        }
        guard let token else {
            generation = nil
            return
        }
        if token.isCurrent {
            generation = QueryGeneration(coordinator)
            return
        }
        guard let shared = token.generation, shared.belongs(to: coordinator) else {
            throw CoreDataError.unsupportedRequest(
                "The query generation token belongs to another coordinator, or to a process that has ended: \(token)")
        }
        generation = shared
    }

    /// Moves a pinned context on: it takes a new state when it next reads.
    func advanceGeneration() {
        if generation != nil { generation = QueryGeneration(coordinator) }
    }

    /// The rows of a store that the context may take for what it sees.
    func rowCache(of store: NSPersistentStore) -> RowCache { generation?.rowCache(of: store) ?? store.rowCache }
}
