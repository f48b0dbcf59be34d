import Foundation
import FoundationCompat

@_exported import class FoundationCompat.NSPredicate

// What the user info of an error says, under the names that Apple's CocoaError has for it.
extension CocoaError {
    /// The object that failed validation.
    public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }
    /// The key whose value failed validation.
    public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }
    /// The predicate that the value doesn't fulfil.
    public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }
    /// The value that failed validation.
    public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }
    /// The stores that the error is about.
    public var affectedStores: [AnyObject]? {
        (userInfo[NSAffectedStoresErrorKey] as? [Any])?.map { $0 as AnyObject }
    }
    /// The objects that the error is about.
    public var affectedObjects: [AnyObject]? {
        (userInfo[NSAffectedObjectsErrorKey] as? [Any])?.map { $0 as AnyObject }
    }
    /// The conflicts that a save met between the context and a store. Those of unique values are
    /// ``NSConstraintConflict``s, in the user info under ``NSPersistentStoreSaveConflictsErrorKey``.
    public var persistentStoreSaveConflicts: [NSMergeConflict]? {
        userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict]
    }
}
