import Synchronization

/// What carries out a fetch request that is told to execute itself: the storey above, which has contexts.
package protocol RequestExecutor: Sendable {
    /// Fetches in the context whose block is running; stops the program where none is.
    func results<Result>(of request: NSFetchRequest<Result>) throws -> [Result]
}

package enum RequestExecution {
    private static let installed = Mutex<(any RequestExecutor)?>(nil)

    package static func install(_ executor: any RequestExecutor) { installed.withLock { $0 = executor } }

    static var executor: any RequestExecutor {
        guard let executor = installed.withLock({ $0 }) else {
            fatalError("execute() must be called within a context's perform block")
        }
        return executor
    }
}
