import ManagedObjectModel

/// The context whose block is running, for what is asked without naming one.
enum CurrentContext {
    /// Who gets the context by it is in one of its blocks.
    @TaskLocal private static var reference: BackReference<NSManagedObjectContext>?

    static var context: NSManagedObjectContext? { reference?.target }

    /// Has requests that are told to execute themselves do so in the current context, once asked for.
    static let executesRequests: Void = RequestExecution.install(Executor())

    private struct Executor: RequestExecutor {
        func results<Result>(of request: NSFetchRequest<Result>) throws -> [Result] {
            guard let context else { fatalError("execute() must be called within a context's perform block") }
            return try context.fetch(request)
        }
    }

    static func run<T>(_ context: NSManagedObjectContext, _ body: () throws -> T) rethrows -> T {
        try $reference.withValue(context.reference, operation: body)
    }
}
