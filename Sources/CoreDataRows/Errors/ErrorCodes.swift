import Foundation

// Apple: CoreDataErrors. All codes are in NSCocoaErrorDomain.

/// The code of the error "managed object validation".
public let NSManagedObjectValidationError = 1550
/// The code of the error "managed object constraint validation".
public let NSManagedObjectConstraintValidationError = 1551
/// The code of the error "validation multiple errors".
public let NSValidationMultipleErrorsError = 1560
/// The code of the error "validation missing mandatory property".
public let NSValidationMissingMandatoryPropertyError = 1570
/// The code of the error "validation relationship lacks minimum count".
public let NSValidationRelationshipLacksMinimumCountError = 1580
/// The code of the error "validation relationship exceeds maximum count".
public let NSValidationRelationshipExceedsMaximumCountError = 1590
/// The code of the error "validation relationship denied delete".
public let NSValidationRelationshipDeniedDeleteError = 1600
/// The code of the error "validation number too large".
public let NSValidationNumberTooLargeError = 1610
/// The code of the error "validation number too small".
public let NSValidationNumberTooSmallError = 1620
/// The code of the error "validation date too late".
public let NSValidationDateTooLateError = 1630
/// The code of the error "validation date too soon".
public let NSValidationDateTooSoonError = 1640
/// The code of the error "validation invalid date".
public let NSValidationInvalidDateError = 1650
/// The code of the error "validation string too long".
public let NSValidationStringTooLongError = 1660
/// The code of the error "validation string too short".
public let NSValidationStringTooShortError = 1670
/// The code of the error "validation string pattern matching".
public let NSValidationStringPatternMatchingError = 1680
/// The code of the error "validation invalid URI".
public let NSValidationInvalidURIError = 1690
/// The code of the error "managed object context locking".
public let NSManagedObjectContextLockingError = 132000
/// The code of the error "persistent store coordinator locking".
public let NSPersistentStoreCoordinatorLockingError = 132010
/// The code of the error "managed object referential integrity".
public let NSManagedObjectReferentialIntegrityError = 133000
/// The code of the error "managed object external relationship".
public let NSManagedObjectExternalRelationshipError = 133010
/// The code of the error "managed object merge".
public let NSManagedObjectMergeError = 133020
/// The code of the error "managed object constraint merge".
public let NSManagedObjectConstraintMergeError = 133021
/// The code of the error "persistent store invalid type".
public let NSPersistentStoreInvalidTypeError = 134000
/// The code of the error "persistent store type mismatch".
public let NSPersistentStoreTypeMismatchError = 134010
/// The code of the error "persistent store incompatible schema".
public let NSPersistentStoreIncompatibleSchemaError = 134020
/// The code of the error "persistent store save".
public let NSPersistentStoreSaveError = 134030
/// The code of the error "persistent store incomplete save".
public let NSPersistentStoreIncompleteSaveError = 134040
/// The code of the error "persistent store save conflicts".
public let NSPersistentStoreSaveConflictsError = 134050
/// The code of the error "core data".
public let NSCoreDataError = 134060
/// The code of the error "persistent store operation".
public let NSPersistentStoreOperationError = 134070
/// The code of the error "persistent store open".
public let NSPersistentStoreOpenError = 134080
/// The code of the error "persistent store timeout".
public let NSPersistentStoreTimeoutError = 134090
/// The code of the error "persistent store unsupported request type".
public let NSPersistentStoreUnsupportedRequestTypeError = 134091
/// The code of the error "persistent store incompatible version hash".
public let NSPersistentStoreIncompatibleVersionHashError = 134100
/// The code of the error "migration".
public let NSMigrationError = 134110
/// The code of the error "migration constraint violation".
public let NSMigrationConstraintViolationError = 134111
/// The code of the error "migration cancelled".
public let NSMigrationCancelledError = 134120
/// The code of the error "migration missing source model".
public let NSMigrationMissingSourceModelError = 134130
/// The code of the error "migration missing mapping model".
public let NSMigrationMissingMappingModelError = 134140
/// The code of the error "migration manager source store".
public let NSMigrationManagerSourceStoreError = 134150
/// The code of the error "migration manager destination store".
public let NSMigrationManagerDestinationStoreError = 134160
/// The code of the error "entity migration policy".
public let NSEntityMigrationPolicyError = 134170
/// The code of the error "SQLite".
public let NSSQLiteError = 134180
/// The code of the error "inferred mapping model".
public let NSInferredMappingModelError = 134190
/// The code of the error "external record import".
public let NSExternalRecordImportError = 134200
/// The code of the error "persistent history token expired".
public let NSPersistentHistoryTokenExpiredError = 134301
/// The code of the error "managed object model reference not found".
public let NSManagedObjectModelReferenceNotFoundError = 134504
/// The code of the error "staged migration framework version mismatch".
public let NSStagedMigrationFrameworkVersionMismatchError = 134505
/// The code of the error "staged migration backward migration".
public let NSStagedMigrationBackwardMigrationError = 134506
