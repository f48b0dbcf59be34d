/// The context whose block is running, for what is asked without naming one.
enum CurrentContext {
    private struct Box: @unchecked Sendable {
        weak var context: NSManagedObjectContext?
    }

    @TaskLocal private static var box: Box?

    static var context: NSManagedObjectContext? { box?.context }

    static func run<T>(_ context: NSManagedObjectContext, _ body: () throws -> T) rethrows -> T {
        try $box.withValue(Box(context: context), operation: body)
    }
}
