/// What an entity mapping does (Apple: NSEntityMappingType; the numbers are those of compiled mapping models).
public enum NSEntityMappingType: UInt, Sendable {
    /// Nothing is said; the mapping is carried out like a transformation.
    case undefinedEntityMappingType = 0
    /// A policy class of the mapping's own carries it out.
    case customEntityMappingType = 1
    /// The entity is new in the destination model.
    case addEntityMappingType = 2
    /// The entity isn't in the destination model; its objects aren't taken over.
    case removeEntityMappingType = 3
    /// The entity is the same in both models.
    case copyEntityMappingType = 4
    /// The entity is in both models, with changes.
    case transformEntityMappingType = 5
}
