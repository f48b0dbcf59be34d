import Foundation

/// A request for the objects of an entity that fulfil a predicate.
///
/// `ResultType` has no constraint, unlike Apple's: protocols do not conform to themselves on Linux, and
/// `NSFetchRequest<NSFetchRequestResult>` has to be a type. The properties are declared in `AnyFetchRequest`.
///
/// For one thread at a time, and not `Sendable`: make it where it is used, or hand a copy of your own to another thread.
open class NSFetchRequest<ResultType>: AnyFetchRequest, NSSecureCoding {
    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool { true }

    /// Makes a request for no entity yet.
    public override init() {
        super.init()
    }

    /// Makes a request for the entity of that name, which is looked up when the request is used.
    public convenience init(entityName: String) {
        self.init()
        state.entityName = entityName
    }

    /// Reads a request that `encode(with:)` wrote. Returns nil where the data is not one. The entity is known by
    /// name only.
    public required init?(coder: NSCoder) {
        super.init()
        guard let source: AnyFetchRequest = DescriptionCoding.decode(from: coder) else { return nil }
        state = source.state
        state.entityName = source.entityName
        state.entity = nil
    }

    /// Writes one archive in Apple's layout into the coder, which this package reads.
    open func encode(with coder: NSCoder) {
        DescriptionCoding.encode(self, with: coder)
    }

    /// Fetches in the context whose `perform` or `performAndWait` block this is called from.
    ///
    /// The program stops when it is called elsewhere (Apple raises an exception).
    open func execute() throws -> [ResultType] { try RequestExecution.executor.results(of: self) }

    /// Returns a request of the same contents that may be changed.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).madePlainly(())
        copy.state = state
        copy.state.referencesEntityWeakly = false
        copy.affectedStoreObjects = affectedStoreObjects
        return copy
    }

    override func joinContents() { contents.add(self) }
}

extension NSFetchRequest {
    /// The same request, seen as one for results of another type: what is set in one of the two is set in the other.
    ///
    /// An addition for Linux, where generics are invariant and `request as! NSFetchRequest<Person>` can't succeed:
    /// `coredata swift` and `coredata port` write this for it. Where the types differ, the result is an object
    /// of its own, which is equal to the request. The program stops where the value is no fetch request.
    public static func cast(_ request: Any?) -> NSFetchRequest<ResultType> {
        guard let request = request as? AnyFetchRequest else {
            fatalError(
                "Could not cast value of type '\(request.map { "\(type(of: $0))" } ?? "nil")' to '\(NSFetchRequest<ResultType>.self)'."
            )
        }
        return seenAsOwn(request)
    }

    /// The same request, seen as one for results of another type; nil where the value is no fetch request.
    ///
    /// What `coredata swift` and `coredata port` write for `request as? NSFetchRequest<Person>`.
    public static func castIfRequest(_ value: Any?) -> NSFetchRequest<ResultType>? {
        (value as? AnyFetchRequest).map(seenAsOwn)
    }

    private static func seenAsOwn(_ request: AnyFetchRequest) -> NSFetchRequest<ResultType> {
        if let request = request as? NSFetchRequest<ResultType> { return request }
        if let known = request.contents.view(as: NSFetchRequest<ResultType>.self) { return known }
        let view = NSFetchRequest<ResultType>()
        request.joinContents()
        view.contents = request.contents
        view.affectedStoreList = request.affectedStoreList
        view.joinContents()
        return view
    }
}
