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
    open internal(set) var finalResult: [ResultType]? {
        get { ownResults ?? (original as? any AnyAsynchronousFetchResult)?.fetched as? [ResultType] }
        set { ownResults = newValue }
    }
    private var ownResults: [ResultType]?
    /// What was fetched, where the request asks for something else than it is typed with, as one for a count does.
    fileprivate var otherResults: [Any]?

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

    /// Makes the result of a fetch that is done.
    fileprivate init(_ results: [Any], of request: NSFetchRequest<ResultType>, in context: NSManagedObjectContext) {
        fetchRequest = NSAsynchronousFetchRequest(fetchRequest: request)
        super.init(context: context)
        ownResults = results as? [ResultType]
        if ownResults == nil { otherResults = results }
    }

    fileprivate init(showing original: any AnyAsynchronousFetchResult) {
        fetchRequest = NSAsynchronousFetchRequest(fetchRequest: .cast(original.erasedRequest))
        super.init(context: original.managedObjectContext)
        self.original = original
        progress = original.progress
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

extension NSFetchRequest: ExecutableRequest {
    var asksCoordinator: Bool { true }

    /// Fetches at once. The kind of result is Apple's: public programs cast it to this one, and read `finalResult`.
    func result(from coordinator: NSPersistentStoreCoordinator, for context: NSManagedObjectContext?) throws
        -> NSPersistentStoreResult
    {
        guard let context else { throw CoreDataError.unsupportedRequest("A fetch needs the context that executes it.") }
        let erased = NSFetchRequest<any NSFetchRequestResult>.cast(self)
        return NSAsynchronousFetchResult(try context.fetch(erased), of: self, in: context)
    }
}

/// The result of a fetch, whatever its type.
private protocol AnyAsynchronousFetchResult: NSPersistentStoreAsynchronousResult {
    /// What was fetched, as it is; nil until it is there.
    var fetched: [Any]? { get }
    var erasedRequest: AnyFetchRequest { get }
}

extension NSAsynchronousFetchResult: AnyAsynchronousFetchResult {
    fileprivate var fetched: [Any]? { otherResults ?? finalResult }
    fileprivate var erasedRequest: AnyFetchRequest { fetchRequest.fetchRequest }
}

extension NSAsynchronousFetchResult {
    /// The same result, seen as one of another type.
    ///
    /// An addition for Linux, where generics are invariant and `result as! NSAsynchronousFetchResult<Person>` can't succeed for
    /// that of a request of another type: `coredata swift` and `coredata port` write this for it. The program stops where the value
    /// is no such result.
    public static func cast(_ result: Any?) -> NSAsynchronousFetchResult<ResultType> {
        guard let seen = castIfResult(result) else {
            fatalError("Could not cast value of type '\(result.map { "\(type(of: $0))" } ?? "nil")' to '\(Self.self)'.")
        }
        return seen
    }

    /// The same result, seen as one of another type; nil where the value is no such result.
    ///
    /// What `coredata swift` and `coredata port` write for `result as? NSAsynchronousFetchResult<Person>`.
    public static func castIfResult(_ value: Any?) -> NSAsynchronousFetchResult<ResultType>? {
        if let same = value as? NSAsynchronousFetchResult<ResultType> { return same }
        return (value as? any AnyAsynchronousFetchResult).map { NSAsynchronousFetchResult(showing: $0) }
    }
}
