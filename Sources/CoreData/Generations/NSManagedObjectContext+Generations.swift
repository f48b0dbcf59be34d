import Foundation

extension NSManagedObjectContext {
    /// The state of the stores that the context sees; nil where it sees whatever they hold (the default).
    public var queryGenerationToken: NSQueryGenerationToken? { generation.map { NSQueryGenerationToken($0) } }

    /// Pins the context to a state of the stores: what others write from then on it doesn't see.
    ///
    /// With `NSQueryGenerationToken.current` the state is taken when the context next reads; saving, merging and resetting
    /// move the context on to a new one. With the token of another context the two see the same. Nil ends it. Objects that
    /// the context already has stay as they are. Only SQLite stores with a write-ahead log can hold on to a state; others
    /// are read as they are (Apple: "Accessing data when the store changes").
    ///
    /// - Throws: an error for a token of another coordinator's context or of another process.
    public func setQueryGenerationFrom(_ token: NSQueryGenerationToken?) throws {
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
