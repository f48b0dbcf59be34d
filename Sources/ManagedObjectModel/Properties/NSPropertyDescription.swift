import Foundation
import FoundationCompat

import class FoundationCompat.NSPredicate

/// The description of a property of an entity: what attributes, relationships and fetched properties share.
///
/// Abstract: make one of the subclasses. A description belongs to one entity. It may be changed until its model
/// is used by a coordinator; afterwards it may be read on any thread, and changing it is a programming error.
open class NSPropertyDescription: NSObject, NSCopying, NSSecureCoding {
    /// That archives of it can be read where a class is asked for.
    open class var supportsSecureCoding: Bool { true }

    /// The class, the address and what the property is made of.
    open override var description: String { PrintedDescription.text(of: self) }

    /// Whether the property's model is in use.
    package final private(set) var isImmutable = false

    /// The entity that declares the property, if it was given to one.
    package final weak var declaringEntity: NSEntityDescription?

    /// The entity that declares the property.
    ///
    /// An inherited property is the same object as in the entity that declares it, and answers with that one.
    ///
    /// A property that belongs to no entity, or whose entity is gone, has one without a name that nothing else knows: Apple's answers
    /// nil, whose messages do nothing, though Swift sees no optional (seen in the tests of ManagedModels).
    open var entity: NSEntityDescription { declaringEntity ?? NSEntityDescription() }

    /// The property's name. Must not be the name of a member of `NSManagedObject`.
    open var name: String = "" { willSet { requireMutable() } }

    /// Whether an object may be saved without a value. True by default.
    open var isOptional: Bool = true { willSet { requireMutable() } }

    /// Whether the value is kept out of the store. False by default.
    open var isTransient: Bool = false { willSet { requireMutable() } }

    /// Whether only the framework may set the value: fetched properties and derived attributes. Kept for archives.
    package final var isReadOnly = false { willSet { requireMutable() } }

    /// What each value has to fulfil before a save, `SELF` being the value.
    open private(set) var validationPredicates: [NSPredicate] = []

    /// A warning for each validation predicate: a text, or the number of an `NSValidation…Error`.
    open private(set) var validationWarnings: [Any] = []

    /// Replaces the validation predicates and their warnings, which are parallel arrays.
    open func setValidationPredicates(
        _ validationPredicates: [NSPredicate]?, withValidationWarnings validationWarnings: [String]?
    ) {
        setValidation(validationPredicates ?? [], warnings: validationWarnings ?? [])
    }

    /// Replaces the validation predicates with warnings that may be error numbers, as model files have them.
    package final func setValidation(_ predicates: [NSPredicate], warnings: [Any]) {
        requireMutable()
        validationPredicates = predicates
        validationWarnings = warnings
    }

    /// Free notes of the model's author.
    open var userInfo: [AnyHashable: Any]? = [:]

    /// Whether the store was asked for an index. Replaced by `NSEntityDescription.indexes`.
    open var isIndexed: Bool = false { willSet { requireMutable() } }

    /// Whether Spotlight is to find the value. Has no effect on Linux; kept for model files.
    open var isIndexedBySpotlight: Bool = false { willSet { requireMutable() } }

    /// Whether the value goes into an external record. Has no effect on Linux; kept for model files.
    open var isStoredInExternalRecord: Bool = false { willSet { requireMutable() } }

    /// A text that makes the version hash differ where nothing else in the model does.
    open var versionHashModifier: String? { willSet { requireMutable() } }

    /// The name under which older versions of the model know the property, or nil where there is none.
    package final var explicitRenamingIdentifier: String? { willSet { requireMutable() } }

    /// The name that ties the property to one of the older model's during migration; the name where unset.
    open var renamingIdentifier: String? {
        get { explicitRenamingIdentifier ?? name }
        set { explicitRenamingIdentifier = newValue }
    }

    /// The SHA-256 digest, 32 bytes, of what in the property matters to stored data.
    open var versionHash: Data { VersionHasher.hash(of: self) }

    /// Makes a description without a name.
    public override init() {
        super.init()
    }

    /// Reads a description that `encode(with:)` wrote. Returns nil where the data is not one of this class.
    public required init?(coder: NSCoder) {
        super.init()
        guard let source: Self = DescriptionCoding.decode(from: coder) else { return nil }
        assign(from: source)
    }

    /// Writes one archive in Apple's layout into the coder, which this package reads.
    open func encode(with coder: NSCoder) {
        DescriptionCoding.encode(self, with: coder)
    }

    /// Returns a description with the same contents that belongs to no entity and may be changed.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = type(of: self).madePlainly(())
        copy.assign(from: self)
        return copy
    }

    /// Takes over everything that a copy shares with its original.
    package func assign(from other: NSPropertyDescription) {
        name = other.name
        isOptional = other.isOptional
        isTransient = other.isTransient
        isReadOnly = other.isReadOnly
        setValidation(other.validationPredicates, warnings: other.validationWarnings)
        userInfo = other.userInfo
        isIndexed = other.isIndexed
        isIndexedBySpotlight = other.isIndexedBySpotlight
        isStoredInExternalRecord = other.isStoredInExternalRecord
        versionHashModifier = other.versionHashModifier
        explicitRenamingIdentifier = other.explicitRenamingIdentifier
    }

    /// Two properties are equal that have the same class and contents. Entities are compared by name only.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSPropertyDescription else { return false }
        return self === other || (type(of: self) == type(of: other) && hasSameContents(as: other))
    }

    /// A hash that equal objects share.
    open override var hash: Int { name.hashValue }

    /// Whether the contents, not the class, are those of the other property.
    package func hasSameContents(as other: NSPropertyDescription) -> Bool {
        name == other.name && isOptional == other.isOptional && isTransient == other.isTransient
            && isReadOnly == other.isReadOnly && isIndexed == other.isIndexed
            && isIndexedBySpotlight == other.isIndexedBySpotlight
            && isStoredInExternalRecord == other.isStoredInExternalRecord
            && (versionHashModifier ?? "") == (other.versionHashModifier ?? "")
            && renamingIdentifier == other.renamingIdentifier
            && ValueEquality.areEqual(userInfo ?? [:], other.userInfo ?? [:])
            && ValueEquality.areEqual(validationPredicates, other.validationPredicates)
            && ValueEquality.areEqual(validationWarnings, other.validationWarnings)
    }

    /// Forbids further changes, for good.
    package func makeImmutable() {
        isImmutable = true
    }

    /// Stops the program if the property's model is in use.
    package final func requireMutable() {
        if isImmutable { fatalError("Can't modify an immutable model.") }
        DescriptionChanges.increment()
    }
}
