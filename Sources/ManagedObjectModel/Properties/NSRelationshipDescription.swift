import Foundation

/// The description of a relationship to objects of an entity.
open class NSRelationshipDescription: NSPropertyDescription {
    /// The class, the address and what the relationship is made of.
    open override var description: String { super.description + PrintedDescription.details(of: self) }

    private weak var destination: NSEntityDescription?
    private weak var inverse: NSRelationshipDescription?
    private var destinationName: String?
    private var inverseName: String?

    /// The entity of the objects at the other end. Not kept alive by the relationship: the model does that.
    open var destinationEntity: NSEntityDescription? {
        get { destination }
        set {
            requireMutable()
            destination = newValue
            destinationName = newValue?.name
        }
    }

    /// The relationship that leads back. Set on both sides; not kept alive.
    open var inverseRelationship: NSRelationshipDescription? {
        get { inverse }
        set {
            requireMutable()
            inverse = newValue
            inverseName = newValue?.name
        }
    }

    /// The name of the destination, which is known even where the entity is not in the model.
    package final var destinationEntityName: String? {
        get { destination?.name ?? destinationName }
        set {
            requireMutable()
            destinationName = newValue
        }
    }

    /// The name of the inverse, which is known even where the relationship is not in the model.
    package final var inverseRelationshipName: String? {
        get { inverse?.name ?? inverseName }
        set {
            requireMutable()
            inverseName = newValue
        }
    }

    /// The largest number of objects; 0 means any number.
    open var maxCount: Int = 0 { willSet { requireMutable() } }

    /// The smallest number of objects of a relationship that is not empty, or not optional.
    open var minCount: Int = 0 { willSet { requireMutable() } }

    /// What happens to the objects when their owner is deleted. Nullify by default.
    open var deleteRule: NSDeleteRule = .nullifyDeleteRule { willSet { requireMutable() } }

    /// Whether the relationship leads to several objects: whether `maxCount` is not 1.
    open var isToMany: Bool { maxCount != 1 }

    /// Whether the objects of a to-many relationship keep an order. False by default.
    open var isOrdered: Bool = false { willSet { requireMutable() } }

    /// Points at the entity and the inverse of the names that the relationship holds, where the model has them.
    package final func connect(
        in entitiesByName: [String: NSEntityDescription],
        findingInverseWith findInverse: (String, NSEntityDescription) -> NSRelationshipDescription?
    ) {
        if let name = destinationEntityName, let found = entitiesByName[name] { destination = found }
        guard let inverseRelationshipName, let destination else { return }
        if let found = findInverse(inverseRelationshipName, destination) { inverse = found }
    }

    package override func assign(from other: NSPropertyDescription) {
        super.assign(from: other)
        guard let other = other as? NSRelationshipDescription else { return }
        destination = other.destination
        destinationName = other.destinationEntityName
        inverse = other.inverse
        inverseName = other.inverseRelationshipName
        maxCount = other.maxCount
        minCount = other.minCount
        deleteRule = other.deleteRule
        isOrdered = other.isOrdered
    }

    package override func hasSameContents(as other: NSPropertyDescription) -> Bool {
        guard let other = other as? NSRelationshipDescription, super.hasSameContents(as: other) else { return false }
        return destinationEntityName == other.destinationEntityName
            && inverseRelationshipName == other.inverseRelationshipName
            && maxCount == other.maxCount && minCount == other.minCount
            && deleteRule == other.deleteRule && isOrdered == other.isOrdered
    }
}
