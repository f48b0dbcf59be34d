/// What an object adopts that is compared in predicates by something other than itself.
///
/// Managed objects and object IDs both answer the object ID, so that `owner == %@` takes either.
public protocol PredicateComparableObject {
    /// What stands for the object in comparisons.
    var predicateIdentity: AnyHashable { get }
}
