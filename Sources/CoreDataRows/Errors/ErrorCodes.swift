import Foundation

// Apple: CoreDataErrors. All codes are in NSCocoaErrorDomain.

/// A value breaks a rule of the model that has no code of its own, or is of another type than its attribute.
public let NSManagedObjectValidationError = 1550
/// A batch deletion would leave a required relationship without its destination.
public let NSManagedObjectConstraintValidationError = 1551
/// Several rules of the model are broken; `NSDetailedErrorsKey` has an error for each.
public let NSValidationMultipleErrorsError = 1560
/// A property that the model requires has no value.
public let NSValidationMissingMandatoryPropertyError = 1570
/// A to-many relationship has fewer objects than the model's minimum.
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// A to-many relationship has more objects than the model's maximum.
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// An object is to be deleted whose relationship has the delete rule deny and still leads to objects.
public let NSValidationRelationshipDeniedDeleteError = 1600
/// A number is above the attribute's maximum in the model.
public let NSValidationNumberTooLargeError = 1610
/// A number is below the attribute's minimum in the model.
public let NSValidationNumberTooSmallError = 1620
/// A date is after the last one that the model allows for the attribute.
public let NSValidationDateTooLateError = 1630
/// A date is before the first one that the model allows for the attribute.
public let NSValidationDateTooSoonError = 1640
/// A date isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
public let NSValidationInvalidDateError = 1650
/// A string is longer than the attribute's maximum in the model.
public let NSValidationStringTooLongError = 1660
/// A string is shorter than the attribute's minimum in the model.
public let NSValidationStringTooShortError = 1670
/// A string doesn't match the regular expression that the model has for the attribute.
public let NSValidationStringPatternMatchingError = 1680
/// A URI isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
public let NSValidationInvalidURIError = 1690
/// A context's lock couldn't be acquired. Never thrown by this package: locks wait.
public let NSManagedObjectContextLockingError = 132000
/// A coordinator's lock couldn't be acquired. Never thrown by this package: locks wait.
public let NSPersistentStoreCoordinatorLockingError = 132010
/// An object ID leads to an object that isn't in its store: it was deleted, or never saved.
public let NSManagedObjectReferentialIntegrityError = 133000
/// A relationship leads to an object in another store, which no store can keep.
public let NSManagedObjectExternalRelationshipError = 133010
/// An object was changed or deleted in the store after the saving context read it, and the merge policy is error.
public let NSManagedObjectMergeError = 133020
/// A uniqueness constraint of the model is broken, and the merge policy is error.
public let NSManagedObjectConstraintMergeError = 133021
/// No store class is registered for the type of store.
public let NSPersistentStoreInvalidTypeError = 134000
/// A store's metadata name another type than the one that it is opened as.
public let NSPersistentStoreTypeMismatchError = 134010
/// The tables of a file aren't those of its model, or the model wants what this type of store can't do.
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// A store can't write what it is given; nothing of the save was written.
public let NSPersistentStoreSaveError = 134030
/// A save into several stores was committed by some of them and failed in others.
public let NSPersistentStoreIncompleteSaveError = 134040
/// A store met conflicts in a save. This package throws 133020; an incremental store may throw either.
public let NSPersistentStoreSaveConflictsError = 134050
/// A request or a save can't be carried out, for a reason that has no code of its own; the message says which.
public let NSCoreDataError = 134060
/// A coordinator or a store can't do what it is asked in its present state; the message says why.
public let NSPersistentStoreOperationError = 134070
/// A store can't be opened; the message has the file and the reason of SQLite or of the system.
public let NSPersistentStoreOpenError = 134080
/// A store's file stayed locked by another connection for longer than the time-out.
public let NSPersistentStoreTimeoutError = 134090
/// A store doesn't answer requests of this kind, such as batch requests on an XML store.
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The model isn't the one that the store was made with: the version hashes of their entities differ.
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// A migration failed; the store is as it was.
public let NSMigrationError = 134110
/// A store has duplicates that a uniqueness constraint of the new model forbids.
public let NSMigrationConstraintViolationError = 134111
/// A migration was cancelled. Thrown only where a program cancels with an error of this code.
public let NSMigrationCancelledError = 134120
/// A migration doesn't find the model that the store was made with.
public let NSMigrationMissingSourceModelError = 134130
/// A migration finds no mapping model from the store's model to the new one.
public let NSMigrationMissingMappingModelError = 134140
/// A migration manager can't open the store that it migrates from.
public let NSMigrationManagerSourceStoreError = 134150
/// A migration manager can't make the store that it migrates to.
public let NSMigrationManagerDestinationStoreError = 134160
/// An entity mapping or its migration policy failed; the message names mapping, property and expression.
public let NSEntityMigrationPolicyError = 134170
/// SQLite reported an error that has no code of its own here; `NSSQLiteErrorDomain` in the user info has SQLite's.
public let NSSQLiteError = 134180
/// No mapping model can be inferred: the two models differ by more than lightweight migration can follow.
public let NSInferredMappingModelError = 134190
/// An external record couldn't be imported. Never thrown by this package, which has no external records.
public let NSExternalRecordImportError = 134200
/// The transactions behind a history token are gone, or the token isn't one of this store.
public let NSPersistentHistoryTokenExpiredError = 134301
/// No model is found for the version checksum of a model reference.
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// A staged migration began in another version of the framework. Never thrown by this package.
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// The store's model comes after the coordinator's in the order of the migration stages.
public let NSStagedMigrationBackwardMigrationError = 134506
