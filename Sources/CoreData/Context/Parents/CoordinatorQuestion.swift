import Foundation

/// What a context asks a coordinator of a program's own class, which may override `execute(_:with:)`, as doubles in tests do. The
/// inherited method then does what the context would have done itself.
final class CoordinatorQuestion {
    let request: NSPersistentStoreRequest
    private(set) var isAnswered = false
    private let inherited: () throws -> Any

    init(_ request: NSPersistentStoreRequest, inherited: @escaping () throws -> Any) {
        self.request = request
        self.inherited = inherited
    }

    func answer() throws -> Any {
        isAnswered = true
        return try inherited()
    }
}

extension NSPersistentStoreCoordinator {
    /// Whether the coordinator is of a program's own class.
    fileprivate var isDouble: Bool { Swift.type(of: self) != NSPersistentStoreCoordinator.self }

    /// The error for an answer of an override of `execute(_:with:)` that isn't of the type that such requests have.
    func wrongAnswer(_ answer: Any, to request: NSPersistentStoreRequest) -> NSError {
        CoreDataError.unsupportedRequest(
            "\(Swift.type(of: self)) has answered a \(Swift.type(of: request)) with a \(Swift.type(of: answer)).")
    }
}

extension NSManagedObjectContext {
    /// The coordinator of a context without parent, where it is of a program's own class and isn't being asked just now.
    var coordinatorToAsk: NSPersistentStoreCoordinator? {
        guard parent == nil, coordinatorQuestion == nil, let coordinator = persistentStoreCoordinator,
            coordinator.isDouble
        else { return nil }
        return coordinator
    }

    /// What the coordinator's `execute(_:with:)` gives.
    private func ask(_ coordinator: NSPersistentStoreCoordinator, _ question: CoordinatorQuestion) throws -> Any {
        coordinatorQuestion = question
        defer { coordinatorQuestion = nil }
        return try coordinator.execute(question.request, with: self)
    }

    /// The results of a fetch.
    func ask(
        _ coordinator: NSPersistentStoreCoordinator, for request: AnyFetchRequest, inherited: () throws -> [Any]
    ) throws -> [Any] {
        try withoutActuallyEscaping(inherited) { inherited in
            let answer = try ask(coordinator, CoordinatorQuestion(request, inherited: inherited))
            guard let results = answer as? [Any] else {
                throw coordinator.wrongAnswer(answer, to: request)
            }
            return results
        }
    }

    /// Has the coordinator save; `commit` writes.
    func askToSave(_ coordinator: NSPersistentStoreCoordinator, commit: () throws -> Void) throws {
        let request = NSSaveChangesRequest(
            inserted: inserted.set, updated: updated.set, deleted: deleted.set, locked: locked)
        try withoutActuallyEscaping(commit) { commit in
            let question = CoordinatorQuestion(request) {
                try commit()
                return [Any]()
            }
            _ = try ask(coordinator, question)
            // Nothing is saved then, whatever the answer says.
            guard question.isAnswered else {
                throw CoreDataError.unsupportedRequest(
                    "\(Swift.type(of: coordinator)) overrides execute(_:with:) and hasn't called the inherited method "
                        + "with the request to save.")
            }
        }
    }
}
