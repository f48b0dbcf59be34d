/// What happens to the objects at the other end of a relationship when their owner is deleted.
public enum NSDeleteRule: UInt, Sendable {
    /// Nothing: the other end keeps pointing at an object that is gone.
    case noActionDeleteRule = 0
    /// The inverse relationship is set to nil.
    case nullifyDeleteRule = 1
    /// The objects are deleted as well.
    case cascadeDeleteRule = 2
    /// The deletion fails while there are any.
    case denyDeleteRule = 3
}
