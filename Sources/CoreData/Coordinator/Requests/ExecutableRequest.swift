import Foundation
import ManagedObjectModel

/// A request that a context executes as a whole, with a result of its own, such as batch and history requests.
protocol ExecutableRequest: NSPersistentStoreRequest {
    /// Asks the stores, and returns the result.
    ///
    /// - Parameter context: the context that asks. It gives the author, the merge policy and the generation.
    func result(from coordinator: NSPersistentStoreCoordinator, for context: NSManagedObjectContext?) throws
        -> NSPersistentStoreResult
    /// Whether executing it asks a coordinator of a program's own class already.
    var asksCoordinator: Bool { get }
}

extension ExecutableRequest {
    var asksCoordinator: Bool { false }
}

extension NSManagedObjectContext {
    func result(of request: NSPersistentStoreRequest) throws -> NSPersistentStoreResult {
        guard let executable = request as? any ExecutableRequest else {
            throw CoreDataError.unsupportedRequest(
                "A context can't execute a \(type(of: request)); use save(), or have the coordinator execute it."
            )
        }
        // What a request names has other identities in a store that has taken another one's place.
        adoptExchanges()
        guard !executable.asksCoordinator, let coordinator = coordinatorToAsk else {
            return try executable.result(from: coordinator, for: self)
        }
        let answer = try coordinator.execute(request, with: self)
        guard let result = answer as? NSPersistentStoreResult else {
            throw coordinator.wrongAnswer(answer, to: request)
        }
        return result
    }
}

extension NSPersistentStoreCoordinator {
    func answer(to request: NSPersistentStoreRequest, for context: NSManagedObjectContext) throws -> Any {
        if let question = context.coordinatorQuestion, question.request === request { return try question.answer() }
        switch request {
        case let fetch as AnyFetchRequest:
            let stored = fetch.erasedCopy()
            stored.includesPendingChanges = false
            return try context.fetch(stored)
        case let save as NSSaveChangesRequest:
            try execute(save, in: context)
            return []
        case let executable as any ExecutableRequest:
            return try executable.result(from: self, for: context)
        default:
            return try answers(to: request, from: persistentStores, for: context)
        }
    }

    private func execute(_ save: NSSaveChangesRequest, in context: NSManagedObjectContext) throws {
        var parts = persistentStores.map { StoreChanges(store: $0, of: context) }
        func append(_ objects: Set<NSManagedObject>?, _ list: WritableKeyPath<StoreChanges, [NSManagedObject]>) throws {
            for object in objects ?? [] {
                guard let store = object.registry.store(at: object.savedStoreIndex),
                    let index = parts.firstIndex(where: { $0.store === store })
                else {
                    throw CoreDataError.make(
                        NSPersistentStoreOperationError,
                        "The object \(object.objectID) has no permanent ID in a store of this coordinator.")
                }
                parts[index][keyPath: list].append(object)
            }
        }
        try append(save.insertedObjects, \.inserted)
        try append(save.updatedObjects, \.updated)
        try append(save.deletedObjects, \.deleted)
        try append(save.lockedObjects, \.locked)
        var written: [NSPersistentStore] = []
        do {
            try self.save(parts, in: context, written: &written)
        } catch let conflicts as StoreConflicts {
            // No context asks its merge policy here.
            throw ConflictResolution.error(for: conflicts, in: context)
        }
    }

    /// What each of these stores that the request is for answers.
    ///
    /// - Throws: 134091 before any of them was asked, where one doesn't take such requests.
    func answers(
        to request: NSPersistentStoreRequest, from candidates: [NSPersistentStore], for context: NSManagedObjectContext?
    ) throws -> [Any] {
        let stores = candidates.filter { store in
            request.affectedStores.map { $0.contains { $0 === store } } ?? true
        }
        for store in stores where !store.accepts(request) { throw CoreDataError.unsupported(request, by: store) }
        return try stores.map { store in try ask(store) { try store.answer(request, in: context) } }
    }
}

extension CoreDataError {
    /// A request that the kind of store can't execute.
    static func unsupported(_ request: NSPersistentStoreRequest, by store: NSPersistentStore) -> NSError {
        make(
            NSPersistentStoreUnsupportedRequestTypeError,
            "The store \(store.place) of type \(store.type) can't execute a \(type(of: request)).",
            [NSAffectedStoresErrorKey: [store]])
    }
}
