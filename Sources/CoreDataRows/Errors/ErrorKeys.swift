import Foundation

// Apple: CoreDataErrors. The keys of the user info of errors.

/// The objects that an error is about.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"
/// The stores that an error is about.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"
/// The errors that one error stands for.
public let NSDetailedErrorsKey = "NSDetailedErrors"
/// The conflicts that a save met.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"
/// The domain of SQLite's own errors, and the key of their code in the user info of an error that one of them caused.
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"
/// The key whose value failed validation.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"
/// The object that failed validation.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"
/// The predicate that the value does not fulfil.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"
/// The value that failed validation; absent when it is nil.
public let NSValidationValueErrorKey = "NSValidationErrorValue"
