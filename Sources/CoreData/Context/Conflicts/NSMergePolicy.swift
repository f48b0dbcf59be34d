import Foundation

// Safe: nothing of it changes once it is made.
/// How conflicts between a context and its stores are resolved (Apple: NSMergePolicy).
///
/// One policy may be that of any number of contexts, on any queue: it never changes. A save calls it on the queue of the context that
/// saves, and what a subclass overrides may use the objects of that context alone.
open class NSMergePolicy: NSObject, @unchecked Sendable {
    /// The way of this policy.
    open private(set) var mergeType: NSMergePolicyType

    /// Makes a policy of a type.
    public init(merge type: NSMergePolicyType) { mergeType = type }

    /// The save fails with `NSManagedObjectMergeError` (133020), or `NSManagedObjectConstraintMergeError` (133021) for unique values.
    open class var error: NSMergePolicy { StandardPolicies.error }
    /// Property by property, the store's changes winning.
    open class var mergeByPropertyStoreTrump: NSMergePolicy { StandardPolicies.storeTrump }
    /// Property by property, the context's changes winning.
    open class var mergeByPropertyObjectTrump: NSMergePolicy { StandardPolicies.objectTrump }
    /// The context's objects win as a whole.
    open class var overwrite: NSMergePolicy { StandardPolicies.overwrite }
    /// The store wins as a whole.
    open class var rollback: NSMergePolicy { StandardPolicies.rollback }

    private enum StandardPolicies {
        static let error = NSMergePolicy(merge: .errorMergePolicyType)
        static let storeTrump = NSMergePolicy(merge: .mergeByPropertyStoreTrumpMergePolicyType)
        static let objectTrump = NSMergePolicy(merge: .mergeByPropertyObjectTrumpMergePolicyType)
        static let overwrite = NSMergePolicy(merge: .overwriteMergePolicyType)
        static let rollback = NSMergePolicy(merge: .rollbackMergePolicyType)
    }

    /// Resolves the conflicts that a save met, so that saving again goes through; override it, or one of the two below, for
    /// rules of your own, and call super.
    ///
    /// - Parameter list: `NSMergeConflict`s and `NSConstraintConflict`s. The former are resolved first.
    /// - Throws: `NSManagedObjectMergeError` (133020) or `NSManagedObjectConstraintMergeError` (133021) when a conflict
    ///   stays.
    open func resolve(mergeConflicts list: [Any]) throws {
        let changed = list.compactMap { $0 as? NSMergeConflict }
        let constraints = list.compactMap { $0 as? NSConstraintConflict }
        if !changed.isEmpty { try resolve(optimisticLockingConflicts: changed) }
        if !constraints.isEmpty { try resolve(constraintConflicts: constraints) }
    }

    /// Resolves the conflicts with what others have saved since objects were read.
    ///
    /// - Throws: `NSManagedObjectMergeError` (133020) where the policy is ``error``.
    open func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
        if mergeType == .errorMergePolicyType, !list.isEmpty { throw ConflictResolution.error(for: list) }
        for conflict in list { ConflictResolution.resolve(conflict, by: mergeType) }
    }

    /// Resolves the conflicts over values that are to be unique.
    ///
    /// Where an unsaved object has the values of a row, the row stays and the unsaved object leaves the context. By
    /// property, the object trumping: the row gets every attribute that was set, and the relationships that are there;
    /// overwriting: everything; the store trumping: relationships where it has none; rolling back: nothing.
    ///
    /// - Throws: `NSManagedObjectConstraintMergeError` (133021) where the policy is ``error``, or where a conflict stays.
    open func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
        try ConstraintResolution.resolve(list, by: mergeType)
    }
}
