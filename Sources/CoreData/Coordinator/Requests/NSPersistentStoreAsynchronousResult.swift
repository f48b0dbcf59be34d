import Foundation

/// What executing a request in the background gives, possibly before it is done
/// (Apple: NSPersistentStoreAsynchronousResult).
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
    /// The context in which the request runs.
    open private(set) var managedObjectContext: NSManagedObjectContext
    /// How far the request has come; nil where the caller doesn't observe it.
    open internal(set) var progress: Progress?
    /// Why the request failed; nil while it runs, and when it went well.
    open internal(set) var operationError: (any Error)? {
        get { ownError ?? original?.operationError }
        set { ownError = newValue }
    }
    private var ownError: (any Error)?
    /// The result that this one shows as one of another type.
    final var original: NSPersistentStoreAsynchronousResult?

    /// Makes a result of nothing, as doubles in tests need.
    public override init() {
        managedObjectContext = NSManagedObjectContext(.privateQueue)
        super.init()
    }

    init(context: NSManagedObjectContext) {
        managedObjectContext = context
        super.init()
    }

    /// Asks for the request to be given up. What it has already done stays.
    open func cancel() { progress?.cancel() }
}
