import CoreData

extension NSManagedObjectContext {
    /// Runs a block that may use all of the contexts, as a parent and its child: inside a block of each, which waits for the next
    /// one's.
    static func performAndWait<T>(in contexts: [NSManagedObjectContext], _ block: () throws -> T) rethrows -> T {
        guard let first = contexts.first else { return try block() }
        return try first.performAndWait { try performAndWait(in: Array(contexts.dropFirst()), block) }
    }
}
