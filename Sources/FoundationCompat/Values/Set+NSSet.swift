import Foundation

extension Set {
    /// The set that `as?` bridges to; nil where an element is of another type.
    ///
    /// `owner.pets.flatMap(Set<Pet>.init)` finds it, for an `NSSet?`: on Apple's platforms a set has initialisers that take sets of
    /// Objective-C (seen in published sources). It has a label, so that no call without one becomes ambiguous.
    public init?(bridging set: NSSet) {
        // Linux bridges a subclass of `NSSet`, as `mutableSetValue(forKey:)` gives, to an empty set.
        guard let elements = set.allObjects as? [Element] else { return nil }
        self = Set(elements)
    }
}
