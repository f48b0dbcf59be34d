import ManagedObjectModel

/// The context whose block is running, for what is asked without naming one.
enum CurrentContext {
    /// Code that gets the context from it runs in one of the context's blocks.
    @TaskLocal private static var reference: BackReference<NSManagedObjectContext>?

    static var context: NSManagedObjectContext? { reference?.target }

    /// Makes requests that execute themselves do so in the current context. Evaluated once.
    static let executesRequests: Void = RequestExecution.install(Executor())

    private struct Executor: RequestExecutor {
        func results<Result>(of request: NSFetchRequest<Result>) throws -> [Result] {
            guard let context else { fatalError("execute() must be called within a context's perform block") }
            return try context.fetch(request)
        }
    }

    static func run<T>(_ context: NSManagedObjectContext, _ body: () throws -> T) rethrows -> T {
        let isNested = Self.context === context
        defer { if !isNested, !context.keptResults.isEmpty { _ = context.keptResults.takeAll() } }
        return try $reference.withValue(context.reference, operation: body)
    }
}
