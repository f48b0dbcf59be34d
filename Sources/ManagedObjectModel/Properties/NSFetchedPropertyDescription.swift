import Foundation

/// The description of a property whose value is the result of a fetch.
///
/// The request's predicate may use the variables `$FETCH_SOURCE` (the object) and `$FETCHED_PROPERTY` (this).
open class NSFetchedPropertyDescription: NSPropertyDescription {
    /// The request that gives the value.
    open var fetchRequest: NSFetchRequest<NSFetchRequestResult>? {
        willSet { requireMutable() }
        didSet { fetchRequest?.state.referencesEntityWeakly = true }
    }

    /// Makes a description without a name. Fetched properties are transient and read-only, as compiled models show.
    public override init() {
        super.init()
        isTransient = true
        isReadOnly = true
    }

    /// Reads the description from an archive, such as a compiled model; nil where the archive is damaged.
    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }

    package override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSFetchedPropertyDescription else { return }
        fetchRequest = other.fetchRequest?.erasedCopy()
    }

    package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSFetchedPropertyDescription, super.hasSameContents(as: other) else {
            return false
        }
        return ValueEquality.areEqual(fetchRequest, other.fetchRequest)
    }

    package override func makeImmutable() {
        super.makeImmutable()
        fetchRequest?.makeImmutable()
    }
}
