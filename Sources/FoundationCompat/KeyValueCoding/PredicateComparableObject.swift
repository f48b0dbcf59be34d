/// What an object adopts that is compared in predicates by something other than itself.
///
/// Managed objects and object IDs both answer the object ID, so that `owner == %@` takes either.
public protocol PredicateComparableObject {
    /// What stands for the object in comparisons.
    var predicateIdentity: AnyHashable { get }

    /// Whether another object or ID may stand for it later, as the ID of an object that isn't saved yet is a temporary one.
    var predicateIdentityMayChange: Bool { get }
}

extension PredicateComparableObject {
    /// False: what stands for the object stays the same.
    public var predicateIdentityMayChange: Bool { false }
}
