import Foundation
import ManagedObjectModel

/// What is called when an asynchronous fetch is done, on the context's queue.
public typealias NSPersistentStoreAsynchronousFetchResultCompletionBlock =
    (NSAsynchronousFetchResult<NSFetchRequestResult>) -> Void

/// A fetch that runs on the context's queue without making its caller wait (Apple: NSAsynchronousFetchRequest).
///
///     let request = NSAsynchronousFetchRequest(fetchRequest: people) { show($0.finalResult ?? []) }
///     try context.execute(request)
open class NSAsynchronousFetchRequest<ResultType>: NSPersistentStoreRequest {
    /// What is fetched.
    open private(set) var fetchRequest: NSFetchRequest<ResultType>
    /// What is called with the result, on the context's queue.
    open private(set) var completionBlock: ((NSAsynchronousFetchResult<ResultType>) -> Void)?
    /// How many results are expected: the number of units of the result's progress. 0 where it isn't known.
    open var estimatedResultCount = 0

    /// Makes a request that runs a fetch.
    public init(
        fetchRequest request: NSFetchRequest<ResultType>,
        completionBlock blk: ((NSAsynchronousFetchResult<ResultType>) -> Void)? = nil
    ) {
        fetchRequest = request
        completionBlock = blk
        super.init()
    }

    /// What the request wants of the stores.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// A request of its own with a copy of the fetch request.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let made = fetchRequest.copy()
        // A request that was cast to another type of results has copies of its own type.
        let fetch = made as? NSFetchRequest<ResultType> ?? NSFetchRequest<ResultType>.cast(made)
        let copy = NSAsynchronousFetchRequest(fetchRequest: fetch, completionBlock: completionBlock)
        copy.estimatedResultCount = estimatedResultCount
        copy.affectedStores = affectedStores
        return copy
    }
}

extension NSAsynchronousFetchRequest: ExecutableRequest {
    func result(from coordinator: NSPersistentStoreCoordinator, for context: NSManagedObjectContext?) throws
        -> NSPersistentStoreResult
    {
        guard let context else {
            throw CoreDataError.unsupportedRequest("An asynchronous fetch needs the context that executes it.")
        }
        let result = NSAsynchronousFetchResult(self, in: context)
        context.perform { result.run(self) }
        return result
    }
}
