import Foundation

/// What executing a request in the background gives, possibly before it is done
/// (Apple: NSPersistentStoreAsynchronousResult).
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context in which the request runs.
    public let managedObjectContext: NSManagedObjectContext
    /// How far the request has come; nil where nobody watches it.
    public internal(set) var progress: Progress?
    /// Why the request failed; nil while it runs, and when it went well.
    public internal(set) var operationError: (any Error)?

    init(context: NSManagedObjectContext) {
        managedObjectContext = context
        super.init()
    }

    /// Asks for the request to be given up. What it has already done stays.
    open func cancel() { progress?.cancel() }
}
