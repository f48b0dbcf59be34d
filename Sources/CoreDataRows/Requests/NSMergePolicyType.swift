/// What a context does about changes that others made to the objects it saves.
public enum NSMergePolicyType: UInt, Sendable {
    /// The save fails.
    case errorMergePolicyType = 0
    /// Property by property; where both sides changed one, the store's value stays.
    case mergeByPropertyStoreTrumpMergePolicyType = 1
    /// Property by property; where both sides changed one, the context's value stays.
    case mergeByPropertyObjectTrumpMergePolicyType = 2
    /// The context's object as a whole is written.
    case overwriteMergePolicyType = 3
    /// The context's changes are dropped.
    case rollbackMergePolicyType = 4
}
