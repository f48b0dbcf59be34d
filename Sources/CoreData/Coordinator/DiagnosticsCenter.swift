import Synchronization

/// Passes what was noticed about fetches to the program's handler, and to the log.
final class DiagnosticsCenter: Sendable {
    private struct State {
        var handler: (@Sendable (FetchDiagnostic) -> Void)?
        var told: Set<Subject> = []
    }

    /// What is reported once only.
    private struct Subject: Hashable {
        let entityName: String
        let names: [String]
    }

    private let state = Mutex(State())

    var handler: (@Sendable (FetchDiagnostic) -> Void)? {
        get { state.withLock { $0.handler } }
        set { state.withLock { $0 = State(handler: newValue) } }
    }

    func report(_ diagnostic: FetchDiagnostic) {
        let names =
            switch diagnostic.cause {
            case .faultedOneByOne(let relationship, _): [relationship]
            case .scannedTable(let attributes, _): attributes
            }
        let subject = Subject(entityName: diagnostic.entityName, names: names)
        let (isNew, handler) = state.withLock { ($0.told.insert(subject).inserted, $0.handler) }
        guard isNew else { return }
        handler?(diagnostic)
        CoreDataLog.write(diagnostic.description, atLevel: 1)
    }
}

extension NSPersistentStoreCoordinator {
    /// Called when fetching was noticed to cost more than it need: a relationship faulted object by object, a big table
    /// that was scanned where an index would serve. Each of these is reported once. It's called on the thread that
    /// fetches, and must not fetch itself.
    ///
    /// An addition to Apple's API.
    public final var diagnosticsHandler: (@Sendable (FetchDiagnostic) -> Void)? {
        get { diagnostics.handler }
        set { diagnostics.handler = newValue }
    }
}
