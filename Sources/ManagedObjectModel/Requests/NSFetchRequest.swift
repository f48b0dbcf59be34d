import Foundation

/// A request for the objects of an entity that fulfil a predicate.
///
/// `ResultType` has no constraint, unlike Apple's: protocols do not conform to themselves on Linux, and
/// `NSFetchRequest<NSFetchRequestResult>` has to be a type. The properties are declared in `AnyFetchRequest`.
open class NSFetchRequest<ResultType>: AnyFetchRequest, NSSecureCoding {
    open class var supportsSecureCoding: Bool { true }

    /// Makes a request for no entity yet.
    public required override init() {
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

    open func encode(with coder: NSCoder) {
        DescriptionCoding.encode(self, with: coder)
    }

    /// Returns a request of the same contents that may be changed.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).init()
        copy.state = state
        copy.state.referencesEntityWeakly = false
        copy.affectedStoreObjects = affectedStoreObjects
        return copy
    }
}

extension NSFetchRequest {
    /// Makes a request of the same contents for results of another type, such as `NSFetchRequestResult`.
    ///
    /// An addition for Linux, where `request as! NSFetchRequest<NSFetchRequestResult>` can't succeed: `coredata swift`
    /// writes this for it. Changes to one request afterwards are not seen by the other.
    public convenience init(erasing request: AnyFetchRequest) {
        self.init()
        state = request.state
        state.referencesEntityWeakly = false
        affectedStoreObjects = request.affectedStoreObjects
    }
}
