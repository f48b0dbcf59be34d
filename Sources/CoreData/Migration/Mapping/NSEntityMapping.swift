import Foundation
import FoundationCompat
import ManagedObjectModel

@_exported import class FoundationCompat.NSExpression

/// How the objects of one entity are made from those of another model's (Apple: NSEntityMapping).
open class NSEntityMapping: NSObject {
    /// The name by which expressions refer to the mapping.
    open var name: String! = ""

    /// What the mapping does. A custom mapping has to name a policy class.
    open var mappingType: NSEntityMappingType = .undefinedEntityMappingType

    /// The entity of the source model; nil where the entity is new.
    open var sourceEntityName: String?

    /// The version hash of the source entity, if the mapping is for that version only.
    open var sourceEntityVersionHash: Data?

    /// The entity of the destination model; nil where the entity goes.
    open var destinationEntityName: String?

    /// The version hash of the destination entity, if the mapping is for that version only.
    open var destinationEntityVersionHash: Data?

    /// How attributes get their values, in the order in which they are set.
    open var attributeMappings: [NSPropertyMapping]?

    /// How relationships get their objects, in the order in which they are set.
    open var relationshipMappings: [NSPropertyMapping]?

    /// What gives the source objects. It sees `$manager`.
    open var sourceExpression: NSExpression?

    /// The subclass of ``NSEntityMigrationPolicy`` that carries the mapping out; nil for that class itself.
    open var entityMigrationPolicyClassName: String?

    /// Free notes of the mapping's author.
    open var userInfo: [AnyHashable: Any]?

    /// Makes a mapping that says nothing yet.
    public override init() { super.init() }

    /// Two mappings are equal that do the same under the same name.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? NSEntityMapping else { return false }
        if self === other { return true }
        return name == other.name && mappingType == other.mappingType
            && sourceEntityName == other.sourceEntityName && sourceEntityVersionHash == other.sourceEntityVersionHash
            && destinationEntityName == other.destinationEntityName
            && destinationEntityVersionHash == other.destinationEntityVersionHash
            && attributeMappings ?? [] == other.attributeMappings ?? []
            && relationshipMappings ?? [] == other.relationshipMappings ?? []
            && sourceExpression == other.sourceExpression
            && entityMigrationPolicyClassName == other.entityMigrationPolicyClassName
            && ValueEquality.areEqual(userInfo ?? [:], other.userInfo ?? [:])
    }

    /// A hash that equal objects share.
    open override var hash: Int { name.hashValue }
}
