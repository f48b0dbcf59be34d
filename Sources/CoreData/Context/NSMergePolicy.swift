import Foundation

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

/// How conflicts between a context and its stores are resolved (Apple: NSMergePolicy).
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// The way of this policy.
    public let mergeType: NSMergePolicyType

    /// Makes a policy of a type.
    public init(merge type: NSMergePolicyType) { mergeType = type }

    /// The save fails with `NSManagedObjectMergeError`.
    public static let error = NSMergePolicy(merge: .errorMergePolicyType)
    /// Property by property, the store's changes winning.
    public static let mergeByPropertyStoreTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
    /// Property by property, the context's changes winning.
    public static let mergeByPropertyObjectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
    /// The context's objects win as a whole.
    public static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
    /// The store wins as a whole.
    public static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)

    /// Resolves the conflicts that a save met, so that saving again goes through; override it for rules of your own.
    ///
    /// - Parameter list: `NSMergeConflict`s.
    /// - Throws: `NSManagedObjectMergeError` (133020) when a conflict stays.
    open func resolve(mergeConflicts list: [Any]) throws {
        let conflicts = list.compactMap { $0 as? NSMergeConflict }
        if mergeType == .errorMergePolicyType, !conflicts.isEmpty { throw ConflictResolution.error(for: conflicts) }
        for conflict in conflicts { ConflictResolution.resolve(conflict, by: mergeType) }
    }
}
