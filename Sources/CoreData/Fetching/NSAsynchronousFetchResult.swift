import Foundation
import ManagedObjectModel

/// What an asynchronous fetch has brought, once it's done (Apple: NSAsynchronousFetchResult).
///
/// Its properties change on the context's queue, before the completion block is called. The progress counts objects: first the
/// expected ones, then those that there are. A cancelled fetch ends before its next few hundred objects; `operationError` is
/// then `CocoaError.userCancelled`, and there is no result.
open class NSAsynchronousFetchResult<ResultType>: NSPersistentStoreAsynchronousResult {
    /// The request that was executed.
    open private(set) var fetchRequest: NSAsynchronousFetchRequest<ResultType>
    /// The results; nil until they are there, and where the fetch failed.
    open internal(set) var finalResult: [ResultType]?

    /// Makes a result of nothing, as doubles in tests need.
    public override init() {
        fetchRequest = NSAsynchronousFetchRequest(fetchRequest: NSFetchRequest())
        super.init()
    }

    init(_ request: NSAsynchronousFetchRequest<ResultType>, in context: NSManagedObjectContext) {
        fetchRequest = request
        super.init(context: context)
        // Joins the progress that is current, as Apple's does.
        progress = Progress(totalUnitCount: Int64(max(1, request.estimatedResultCount)))
    }

    /// Fetches; called on the context's queue.
    func run(_ request: NSAsynchronousFetchRequest<ResultType>) {
        defer { request.completionBlock?(self) }
        guard progress?.isCancelled != true else {
            operationError = CocoaError(.userCancelled)
            return
        }
        do {
            finalResult = try AsynchronousFetch(request.fetchRequest, in: managedObjectContext, progress).run()
        } catch {
            operationError = error
        }
    }
}
