import Foundation
import Synchronization
import FoundationCompat
import class FoundationCompat.NSPredicate
import class FoundationCompat.NSSortDescriptor

/// A fetch request, whatever the type of its results.
///
/// An addition to Apple's API. Swift's generics are invariant, so an `NSFetchRequest<Person>` is no
/// `NSFetchRequest<NSFetchRequestResult>`; everything that a request says is therefore declared here, in its
/// superclass. A store that is handed an `NSPersistentStoreRequest` may cast it in either way:
///
///     let fetch = request as! AnyFetchRequest                        // any request
///     let fetch = request as! NSFetchRequest<NSFetchRequestResult>   // what coordinators hand to stores
///
/// The second one is what programs for Apple's platforms say. It holds as well, because a coordinator hands the
/// `erasedCopy()` of a request to its stores. Make requests as `NSFetchRequest`.
open class AnyFetchRequest: NSPersistentStoreRequest {
    /// What the request says, and shares with itself seen as a request for results of another type.
    final var contents = FetchRequestContents()

    /// All that the request says.
    package final var state: FetchRequestState {
        _read { yield contents.state }
        _modify {
            if contents.isImmutable { fatalError("Can't modify a named fetch request in an immutable model.") }
            yield &contents.state
        }
    }

    /// Whether the request is a template of a model in use.
    package final var isImmutable: Bool { contents.isImmutable }

    /// Fetch.
    open override var requestType: NSPersistentStoreRequestType { .fetchRequestType }

    /// Sets the entity of the model that the request is used with, where only its name was known (as Apple's does; programs ask for it
    /// once a results controller has been made). A template of a model stays as it is.
    package final func resolveEntity(_ entity: NSEntityDescription) {
        if state.entity == nil, !isImmutable { state.entity = entity }
    }

    /// The entity whose objects are fetched; nil while only its name is known: until the request is used with a context.
    open var entity: NSEntityDescription? {
        get { state.entity }
        set { state.entity = newValue }
    }

    /// The name of the entity whose objects are fetched.
    open var entityName: String? { state.nameOfEntity }

    /// What the objects have to fulfil; nil for all.
    open var predicate: NSPredicate? {
        get { state.predicate }
        set { state.predicate = newValue }
    }

    /// The order of the results; nil for none.
    open var sortDescriptors: [NSSortDescriptor]? {
        get { state.sortDescriptors }
        set { state.sortDescriptors = newValue }
    }

    /// The largest number of results; 0 for no limit.
    open var fetchLimit: Int {
        get { state.fetchLimit }
        set { state.fetchLimit = newValue }
    }

    /// How many results are skipped at the beginning.
    open var fetchOffset: Int {
        get { state.fetchOffset }
        set { state.fetchOffset = newValue }
    }

    /// How many results are brought in at a time; 0 for all at once.
    open var fetchBatchSize: Int {
        get { state.fetchBatchSize }
        set { state.fetchBatchSize = newValue }
    }

    /// What is given for each match. Managed objects by default.
    open var resultType: NSFetchRequestResultType {
        get { state.resultType }
        set { state.resultType = newValue }
    }

    /// Whether objects of subentities are fetched too. True by default.
    open var includesSubentities: Bool {
        get { state.includesSubentities }
        set { state.includesSubentities = newValue }
    }

    /// Whether the rows' values are brought into the row cache. True by default.
    open var includesPropertyValues: Bool {
        get { state.includesPropertyValues }
        set { state.includesPropertyValues = newValue }
    }

    /// Whether unsaved changes of the context count. True by default.
    open var includesPendingChanges: Bool {
        get { state.includesPendingChanges }
        set { state.includesPendingChanges = newValue }
    }

    /// Whether objects come without their values, which are then read from the row cache when needed.
    /// True by default.
    open var returnsObjectsAsFaults: Bool {
        get { state.returnsObjectsAsFaults }
        set { state.returnsObjectsAsFaults = newValue }
    }

    /// Whether equal dictionaries are given once only. False by default.
    open var returnsDistinctResults: Bool {
        get { state.returnsDistinctResults }
        set { state.returnsDistinctResults = newValue }
    }

    /// Whether objects that the context already has are refreshed from the store. False by default.
    open var shouldRefreshRefetchedObjects: Bool {
        get { state.shouldRefreshRefetchedObjects }
        set { state.shouldRefreshRefetchedObjects = newValue }
    }

    /// Relationships whose objects are brought in with the results.
    open var relationshipKeyPathsForPrefetching: [String]? {
        get { state.relationshipKeyPathsForPrefetching }
        set { state.relationshipKeyPathsForPrefetching = newValue }
    }

    /// The properties of dictionary results, or those of partially faulted objects: names, key paths,
    /// property descriptions or `NSExpressionDescription`s.
    open var propertiesToFetch: [Any]? {
        get { state.propertiesToFetch }
        set { state.propertiesToFetch = newValue }
    }

    /// The properties by which dictionary results are grouped.
    open var propertiesToGroupBy: [Any]? {
        get { state.propertiesToGroupBy }
        set { state.propertiesToGroupBy = newValue }
    }

    /// What groups have to fulfil.
    open var havingPredicate: NSPredicate? {
        get { state.havingPredicate }
        set { state.havingPredicate = newValue }
    }

    /// The same request in the type that stores and models use.
    ///
    /// Never the receiver itself, so that changing the copy leaves the receiver as it was.
    package final func erasedCopy() -> NSFetchRequest<NSFetchRequestResult> {
        let copy = NSFetchRequest<NSFetchRequestResult>()
        copy.state = state
        copy.state.referencesEntityWeakly = false
        copy.affectedStoreObjects = affectedStoreObjects
        return copy
    }

    /// Two requests are equal that say the same, whatever the types of their results.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AnyFetchRequest else { return false }
        return self === other || state.isEqual(to: other.state)
    }

    /// A hash that equal objects share.
    open override var hash: Int { entityName.hashValue }

    /// Class, address and what the request says.
    open override var description: String { text }

    /// Adds the request to those that have its contents. A request of a known type overrides this.
    func joinContents() {}

    /// Forbids further changes, for good.
    package final func makeImmutable() {
        contents.isImmutable = true
    }
}

/// What a fetch request says. Generics are invariant, so a request that is to be seen as one for results of another type is a
/// second object, with the same contents.
final class FetchRequestContents {
    var state = FetchRequestState()
    var isImmutable = false
    /// The requests that have these contents, by the type of their results, as long as they live. A cast changes nothing of what a
    /// request says, and programs cast one request on any thread.
    private let views = Mutex<[ObjectIdentifier: View]>([:])

    // Safe: the reference isn't changed, and a weak one is read on any thread.
    private struct View: @unchecked Sendable {
        weak var request: AnyFetchRequest?
    }

    /// Adds a request that has these contents.
    func add<ResultType>(_ request: NSFetchRequest<ResultType>) {
        let view = View(request: request)
        views.withLock { $0[ObjectIdentifier(ResultType.self)] = view }
    }

    /// The request of that type that has these contents; nil where there is none.
    func view<ResultType>(as type: NSFetchRequest<ResultType>.Type) -> NSFetchRequest<ResultType>? {
        let known = views.withLock { $0[ObjectIdentifier(ResultType.self)] }
        return known?.request as? NSFetchRequest<ResultType>
    }
}
