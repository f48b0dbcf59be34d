import Foundation

extension CocoaError.Code {
    /// A value breaks a rule of the model that has no code of its own, or is of another type than its attribute.
    public static let managedObjectValidation = CocoaError.Code(rawValue: NSManagedObjectValidationError)
    /// Several rules of the model are broken; `NSDetailedErrorsKey` has an error for each.
    public static let validationMultipleErrors = CocoaError.Code(rawValue: NSValidationMultipleErrorsError)
    /// A property that the model requires has no value.
    public static let validationMissingMandatoryProperty = CocoaError.Code(
        rawValue: NSValidationMissingMandatoryPropertyError)
    /// A to-many relationship has fewer objects than the model's minimum.
    public static let validationRelationshipLacksMinimumCount = CocoaError.Code(
        rawValue: NSValidationRelationshipLacksMinimumCountError)
    /// A to-many relationship has more objects than the model's maximum.
    public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(
        rawValue: NSValidationRelationshipExceedsMaximumCountError)
    /// An object is to be deleted whose relationship has the delete rule deny and still leads to objects.
    public static let validationRelationshipDeniedDelete = CocoaError.Code(
        rawValue: NSValidationRelationshipDeniedDeleteError)
    /// A number is above the attribute's maximum in the model.
    public static let validationNumberTooLarge = CocoaError.Code(rawValue: NSValidationNumberTooLargeError)
    /// A number is below the attribute's minimum in the model.
    public static let validationNumberTooSmall = CocoaError.Code(rawValue: NSValidationNumberTooSmallError)
    /// A date is after the last one that the model allows for the attribute.
    public static let validationDateTooLate = CocoaError.Code(rawValue: NSValidationDateTooLateError)
    /// A date is before the first one that the model allows for the attribute.
    public static let validationDateTooSoon = CocoaError.Code(rawValue: NSValidationDateTooSoonError)
    /// A date isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
    public static let validationInvalidDate = CocoaError.Code(rawValue: NSValidationInvalidDateError)
    /// A string is longer than the attribute's maximum in the model.
    public static let validationStringTooLong = CocoaError.Code(rawValue: NSValidationStringTooLongError)
    /// A string is shorter than the attribute's minimum in the model.
    public static let validationStringTooShort = CocoaError.Code(rawValue: NSValidationStringTooShortError)
    /// A string doesn't match the regular expression that the model has for the attribute.
    public static let validationStringPatternMatching = CocoaError.Code(
        rawValue: NSValidationStringPatternMatchingError)
    /// A context's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let managedObjectContextLocking = CocoaError.Code(rawValue: NSManagedObjectContextLockingError)
    /// A coordinator's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let persistentStoreCoordinatorLocking = CocoaError.Code(
        rawValue: NSPersistentStoreCoordinatorLockingError)
    /// An object ID leads to an object that isn't in its store: it was deleted, or never saved.
    public static let managedObjectReferentialIntegrity = CocoaError.Code(
        rawValue: NSManagedObjectReferentialIntegrityError)
    /// A relationship leads to an object in another store, which no store can keep.
    public static let managedObjectExternalRelationship = CocoaError.Code(
        rawValue: NSManagedObjectExternalRelationshipError)
    /// An object was changed or deleted in the store after the saving context read it, and the merge policy is error.
    public static let managedObjectMerge = CocoaError.Code(rawValue: NSManagedObjectMergeError)
    /// A uniqueness constraint of the model is broken, and the merge policy is error.
    public static let managedObjectConstraintMerge = CocoaError.Code(rawValue: NSManagedObjectConstraintMergeError)
    /// No store class is registered for the type of store.
    public static let persistentStoreInvalidType = CocoaError.Code(rawValue: NSPersistentStoreInvalidTypeError)
    /// A store's metadata name another type than the one that it is opened as.
    public static let persistentStoreTypeMismatch = CocoaError.Code(rawValue: NSPersistentStoreTypeMismatchError)
    /// The tables of a file aren't those of its model, or the model wants what this type of store can't do.
    public static let persistentStoreIncompatibleSchema = CocoaError.Code(
        rawValue: NSPersistentStoreIncompatibleSchemaError)
    /// A store can't write what it is given; nothing of the save was written.
    public static let persistentStoreSave = CocoaError.Code(rawValue: NSPersistentStoreSaveError)
    /// A save into several stores was committed by some of them and failed in others.
    public static let persistentStoreIncompleteSave = CocoaError.Code(rawValue: NSPersistentStoreIncompleteSaveError)
    /// A store met conflicts in a save. This package throws 133020; an incremental store may throw either.
    public static let persistentStoreSaveConflicts = CocoaError.Code(rawValue: NSPersistentStoreSaveConflictsError)
    /// A request or a save can't be carried out, for a reason that has no code of its own; the message says which.
    public static let coreData = CocoaError.Code(rawValue: NSCoreDataError)
    /// A coordinator or a store can't do what it is asked in its present state; the message says why.
    public static let persistentStoreOperation = CocoaError.Code(rawValue: NSPersistentStoreOperationError)
    /// A store can't be opened; the message says why, with the file where that is the reason.
    public static let persistentStoreOpen = CocoaError.Code(rawValue: NSPersistentStoreOpenError)
    /// A store's file stayed locked by another connection for longer than the time-out.
    public static let persistentStoreTimeout = CocoaError.Code(rawValue: NSPersistentStoreTimeoutError)
    /// A store doesn't answer requests of this kind, such as batch requests on an XML store.
    public static let persistentStoreUnsupportedRequestType = CocoaError.Code(
        rawValue: NSPersistentStoreUnsupportedRequestTypeError)
    /// The model isn't the one that the store was made with: the version hashes of their entities differ.
    public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(
        rawValue: NSPersistentStoreIncompatibleVersionHashError)
    /// A migration failed; the store is as it was.
    public static let migration = CocoaError.Code(rawValue: NSMigrationError)
    /// A migration was cancelled. Thrown only where a program cancels with an error of this code.
    public static let migrationCancelled = CocoaError.Code(rawValue: NSMigrationCancelledError)
    /// A migration doesn't find the model that the store was made with.
    public static let migrationMissingSourceModel = CocoaError.Code(rawValue: NSMigrationMissingSourceModelError)
    /// A migration finds no mapping model from the store's model to the new one.
    public static let migrationMissingMappingModel = CocoaError.Code(rawValue: NSMigrationMissingMappingModelError)
    /// A migration manager can't open the store that it migrates from.
    public static let migrationManagerSourceStore = CocoaError.Code(rawValue: NSMigrationManagerSourceStoreError)
    /// A migration manager can't make the store that it migrates to.
    public static let migrationManagerDestinationStore = CocoaError.Code(
        rawValue: NSMigrationManagerDestinationStoreError)
    /// An entity mapping or its migration policy failed; the message names mapping, property and expression.
    public static let entityMigrationPolicy = CocoaError.Code(rawValue: NSEntityMigrationPolicyError)
    /// SQLite reported an error that has no code of its own here; `NSSQLiteErrorDomain` in the user info has SQLite's.
    public static let sqlite = CocoaError.Code(rawValue: NSSQLiteError)
    /// No mapping model can be inferred: the two models differ by more than lightweight migration can follow.
    public static let inferredMappingModel = CocoaError.Code(rawValue: NSInferredMappingModelError)
    /// An external record couldn't be imported. Never thrown by this package, which has no external records.
    public static let externalRecordImport = CocoaError.Code(rawValue: NSExternalRecordImportError)
    /// A value breaks a rule of the model that has no code of its own, or is of another type than its attribute.
    public static let managedObjectValidationError = CocoaError.Code(rawValue: NSManagedObjectValidationError)
    /// Several rules of the model are broken; `NSDetailedErrorsKey` has an error for each.
    public static let validationMultipleErrorsError = CocoaError.Code(rawValue: NSValidationMultipleErrorsError)
    /// A property that the model requires has no value.
    public static let validationMissingMandatoryPropertyError = CocoaError.Code(
        rawValue: NSValidationMissingMandatoryPropertyError)
    /// A to-many relationship has fewer objects than the model's minimum.
    public static let validationRelationshipLacksMinimumCountError = CocoaError.Code(
        rawValue: NSValidationRelationshipLacksMinimumCountError)
    /// A to-many relationship has more objects than the model's maximum.
    public static let validationRelationshipExceedsMaximumCountError = CocoaError.Code(
        rawValue: NSValidationRelationshipExceedsMaximumCountError)
    /// An object is to be deleted whose relationship has the delete rule deny and still leads to objects.
    public static let validationRelationshipDeniedDeleteError = CocoaError.Code(
        rawValue: NSValidationRelationshipDeniedDeleteError)
    /// A number is above the attribute's maximum in the model.
    public static let validationNumberTooLargeError = CocoaError.Code(rawValue: NSValidationNumberTooLargeError)
    /// A number is below the attribute's minimum in the model.
    public static let validationNumberTooSmallError = CocoaError.Code(rawValue: NSValidationNumberTooSmallError)
    /// A date is after the last one that the model allows for the attribute.
    public static let validationDateTooLateError = CocoaError.Code(rawValue: NSValidationDateTooLateError)
    /// A date is before the first one that the model allows for the attribute.
    public static let validationDateTooSoonError = CocoaError.Code(rawValue: NSValidationDateTooSoonError)
    /// A date isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
    public static let validationInvalidDateError = CocoaError.Code(rawValue: NSValidationInvalidDateError)
    /// A string is longer than the attribute's maximum in the model.
    public static let validationStringTooLongError = CocoaError.Code(rawValue: NSValidationStringTooLongError)
    /// A string is shorter than the attribute's minimum in the model.
    public static let validationStringTooShortError = CocoaError.Code(rawValue: NSValidationStringTooShortError)
    /// A string doesn't match the regular expression that the model has for the attribute.
    public static let validationStringPatternMatchingError = CocoaError.Code(
        rawValue: NSValidationStringPatternMatchingError)
    /// A context's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let managedObjectContextLockingError = CocoaError.Code(rawValue: NSManagedObjectContextLockingError)
    /// A coordinator's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let persistentStoreCoordinatorLockingError = CocoaError.Code(
        rawValue: NSPersistentStoreCoordinatorLockingError)
    /// An object ID leads to an object that isn't in its store: it was deleted, or never saved.
    public static let managedObjectReferentialIntegrityError = CocoaError.Code(
        rawValue: NSManagedObjectReferentialIntegrityError)
    /// A relationship leads to an object in another store, which no store can keep.
    public static let managedObjectExternalRelationshipError = CocoaError.Code(
        rawValue: NSManagedObjectExternalRelationshipError)
    /// An object was changed or deleted in the store after the saving context read it, and the merge policy is error.
    public static let managedObjectMergeError = CocoaError.Code(rawValue: NSManagedObjectMergeError)
    /// A uniqueness constraint of the model is broken, and the merge policy is error.
    public static let managedObjectConstraintMergeError = CocoaError.Code(rawValue: NSManagedObjectConstraintMergeError)
    /// No store class is registered for the type of store.
    public static let persistentStoreInvalidTypeError = CocoaError.Code(rawValue: NSPersistentStoreInvalidTypeError)
    /// A store's metadata name another type than the one that it is opened as.
    public static let persistentStoreTypeMismatchError = CocoaError.Code(rawValue: NSPersistentStoreTypeMismatchError)
    /// The tables of a file aren't those of its model, or the model wants what this type of store can't do.
    public static let persistentStoreIncompatibleSchemaError = CocoaError.Code(
        rawValue: NSPersistentStoreIncompatibleSchemaError)
    /// A store can't write what it is given; nothing of the save was written.
    public static let persistentStoreSaveError = CocoaError.Code(rawValue: NSPersistentStoreSaveError)
    /// A save into several stores was committed by some of them and failed in others.
    public static let persistentStoreIncompleteSaveError = CocoaError.Code(
        rawValue: NSPersistentStoreIncompleteSaveError)
    /// A store met conflicts in a save. This package throws 133020; an incremental store may throw either.
    public static let persistentStoreSaveConflictsError = CocoaError.Code(rawValue: NSPersistentStoreSaveConflictsError)
    /// A request or a save can't be carried out, for a reason that has no code of its own; the message says which.
    public static let coreDataError = CocoaError.Code(rawValue: NSCoreDataError)
    /// A coordinator or a store can't do what it is asked in its present state; the message says why.
    public static let persistentStoreOperationError = CocoaError.Code(rawValue: NSPersistentStoreOperationError)
    /// A store can't be opened; the message says why, with the file where that is the reason.
    public static let persistentStoreOpenError = CocoaError.Code(rawValue: NSPersistentStoreOpenError)
    /// A store's file stayed locked by another connection for longer than the time-out.
    public static let persistentStoreTimeoutError = CocoaError.Code(rawValue: NSPersistentStoreTimeoutError)
    /// A store doesn't answer requests of this kind, such as batch requests on an XML store.
    public static let persistentStoreUnsupportedRequestTypeError = CocoaError.Code(
        rawValue: NSPersistentStoreUnsupportedRequestTypeError)
    /// The model isn't the one that the store was made with: the version hashes of their entities differ.
    public static let persistentStoreIncompatibleVersionHashError = CocoaError.Code(
        rawValue: NSPersistentStoreIncompatibleVersionHashError)
    /// A migration failed; the store is as it was.
    public static let migrationError = CocoaError.Code(rawValue: NSMigrationError)
    /// A migration was cancelled. Thrown only where a program cancels with an error of this code.
    public static let migrationCancelledError = CocoaError.Code(rawValue: NSMigrationCancelledError)
    /// A migration doesn't find the model that the store was made with.
    public static let migrationMissingSourceModelError = CocoaError.Code(rawValue: NSMigrationMissingSourceModelError)
    /// A migration finds no mapping model from the store's model to the new one.
    public static let migrationMissingMappingModelError = CocoaError.Code(rawValue: NSMigrationMissingMappingModelError)
    /// A migration manager can't open the store that it migrates from.
    public static let migrationManagerSourceStoreError = CocoaError.Code(rawValue: NSMigrationManagerSourceStoreError)
    /// A migration manager can't make the store that it migrates to.
    public static let migrationManagerDestinationStoreError = CocoaError.Code(
        rawValue: NSMigrationManagerDestinationStoreError)
    /// An entity mapping or its migration policy failed; the message names mapping, property and expression.
    public static let entityMigrationPolicyError = CocoaError.Code(rawValue: NSEntityMigrationPolicyError)
    /// SQLite reported an error that has no code of its own here; `NSSQLiteErrorDomain` in the user info has SQLite's.
    public static let sqliteError = CocoaError.Code(rawValue: NSSQLiteError)
    /// No mapping model can be inferred: the two models differ by more than lightweight migration can follow.
    public static let inferredMappingModelError = CocoaError.Code(rawValue: NSInferredMappingModelError)
    /// An external record couldn't be imported. Never thrown by this package, which has no external records.
    public static let externalRecordImportError = CocoaError.Code(rawValue: NSExternalRecordImportError)
}

extension CocoaError {
    /// A value breaks a rule of the model that has no code of its own, or is of another type than its attribute.
    public static let managedObjectValidation = CocoaError.Code.managedObjectValidation
    /// Several rules of the model are broken; `NSDetailedErrorsKey` has an error for each.
    public static let validationMultipleErrors = CocoaError.Code.validationMultipleErrors
    /// A property that the model requires has no value.
    public static let validationMissingMandatoryProperty = CocoaError.Code.validationMissingMandatoryProperty
    /// A to-many relationship has fewer objects than the model's minimum.
    public static let validationRelationshipLacksMinimumCount = CocoaError.Code.validationRelationshipLacksMinimumCount
    /// A to-many relationship has more objects than the model's maximum.
    public static let validationRelationshipExceedsMaximumCount = CocoaError.Code
        .validationRelationshipExceedsMaximumCount
    /// An object is to be deleted whose relationship has the delete rule deny and still leads to objects.
    public static let validationRelationshipDeniedDelete = CocoaError.Code.validationRelationshipDeniedDelete
    /// A number is above the attribute's maximum in the model.
    public static let validationNumberTooLarge = CocoaError.Code.validationNumberTooLarge
    /// A number is below the attribute's minimum in the model.
    public static let validationNumberTooSmall = CocoaError.Code.validationNumberTooSmall
    /// A date is after the last one that the model allows for the attribute.
    public static let validationDateTooLate = CocoaError.Code.validationDateTooLate
    /// A date is before the first one that the model allows for the attribute.
    public static let validationDateTooSoon = CocoaError.Code.validationDateTooSoon
    /// A date isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
    public static let validationInvalidDate = CocoaError.Code.validationInvalidDate
    /// A string is longer than the attribute's maximum in the model.
    public static let validationStringTooLong = CocoaError.Code.validationStringTooLong
    /// A string is shorter than the attribute's minimum in the model.
    public static let validationStringTooShort = CocoaError.Code.validationStringTooShort
    /// A string doesn't match the regular expression that the model has for the attribute.
    public static let validationStringPatternMatching = CocoaError.Code.validationStringPatternMatching
    /// A context's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let managedObjectContextLocking = CocoaError.Code.managedObjectContextLocking
    /// A coordinator's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let persistentStoreCoordinatorLocking = CocoaError.Code.persistentStoreCoordinatorLocking
    /// An object ID leads to an object that isn't in its store: it was deleted, or never saved.
    public static let managedObjectReferentialIntegrity = CocoaError.Code.managedObjectReferentialIntegrity
    /// A relationship leads to an object in another store, which no store can keep.
    public static let managedObjectExternalRelationship = CocoaError.Code.managedObjectExternalRelationship
    /// An object was changed or deleted in the store after the saving context read it, and the merge policy is error.
    public static let managedObjectMerge = CocoaError.Code.managedObjectMerge
    /// A uniqueness constraint of the model is broken, and the merge policy is error.
    public static let managedObjectConstraintMerge = CocoaError.Code.managedObjectConstraintMerge
    /// No store class is registered for the type of store.
    public static let persistentStoreInvalidType = CocoaError.Code.persistentStoreInvalidType
    /// A store's metadata name another type than the one that it is opened as.
    public static let persistentStoreTypeMismatch = CocoaError.Code.persistentStoreTypeMismatch
    /// The tables of a file aren't those of its model, or the model wants what this type of store can't do.
    public static let persistentStoreIncompatibleSchema = CocoaError.Code.persistentStoreIncompatibleSchema
    /// A store can't write what it is given; nothing of the save was written.
    public static let persistentStoreSave = CocoaError.Code.persistentStoreSave
    /// A save into several stores was committed by some of them and failed in others.
    public static let persistentStoreIncompleteSave = CocoaError.Code.persistentStoreIncompleteSave
    /// A store met conflicts in a save. This package throws 133020; an incremental store may throw either.
    public static let persistentStoreSaveConflicts = CocoaError.Code.persistentStoreSaveConflicts
    /// A request or a save can't be carried out, for a reason that has no code of its own; the message says which.
    public static let coreData = CocoaError.Code.coreData
    /// A coordinator or a store can't do what it is asked in its present state; the message says why.
    public static let persistentStoreOperation = CocoaError.Code.persistentStoreOperation
    /// A store can't be opened; the message says why, with the file where that is the reason.
    public static let persistentStoreOpen = CocoaError.Code.persistentStoreOpen
    /// A store's file stayed locked by another connection for longer than the time-out.
    public static let persistentStoreTimeout = CocoaError.Code.persistentStoreTimeout
    /// A store doesn't answer requests of this kind, such as batch requests on an XML store.
    public static let persistentStoreUnsupportedRequestType = CocoaError.Code.persistentStoreUnsupportedRequestType
    /// The model isn't the one that the store was made with: the version hashes of their entities differ.
    public static let persistentStoreIncompatibleVersionHash = CocoaError.Code.persistentStoreIncompatibleVersionHash
    /// A migration failed; the store is as it was.
    public static let migration = CocoaError.Code.migration
    /// A migration was cancelled. Thrown only where a program cancels with an error of this code.
    public static let migrationCancelled = CocoaError.Code.migrationCancelled
    /// A migration doesn't find the model that the store was made with.
    public static let migrationMissingSourceModel = CocoaError.Code.migrationMissingSourceModel
    /// A migration finds no mapping model from the store's model to the new one.
    public static let migrationMissingMappingModel = CocoaError.Code.migrationMissingMappingModel
    /// A migration manager can't open the store that it migrates from.
    public static let migrationManagerSourceStore = CocoaError.Code.migrationManagerSourceStore
    /// A migration manager can't make the store that it migrates to.
    public static let migrationManagerDestinationStore = CocoaError.Code.migrationManagerDestinationStore
    /// An entity mapping or its migration policy failed; the message names mapping, property and expression.
    public static let entityMigrationPolicy = CocoaError.Code.entityMigrationPolicy
    /// SQLite reported an error that has no code of its own here; `NSSQLiteErrorDomain` in the user info has SQLite's.
    public static let sqlite = CocoaError.Code.sqlite
    /// No mapping model can be inferred: the two models differ by more than lightweight migration can follow.
    public static let inferredMappingModel = CocoaError.Code.inferredMappingModel
    /// An external record couldn't be imported. Never thrown by this package, which has no external records.
    public static let externalRecordImport = CocoaError.Code.externalRecordImport
    /// A value breaks a rule of the model that has no code of its own, or is of another type than its attribute.
    public static let managedObjectValidationError = CocoaError.Code.managedObjectValidationError
    /// Several rules of the model are broken; `NSDetailedErrorsKey` has an error for each.
    public static let validationMultipleErrorsError = CocoaError.Code.validationMultipleErrorsError
    /// A property that the model requires has no value.
    public static let validationMissingMandatoryPropertyError = CocoaError.Code.validationMissingMandatoryPropertyError
    /// A to-many relationship has fewer objects than the model's minimum.
    public static let validationRelationshipLacksMinimumCountError = CocoaError.Code
        .validationRelationshipLacksMinimumCountError
    /// A to-many relationship has more objects than the model's maximum.
    public static let validationRelationshipExceedsMaximumCountError = CocoaError.Code
        .validationRelationshipExceedsMaximumCountError
    /// An object is to be deleted whose relationship has the delete rule deny and still leads to objects.
    public static let validationRelationshipDeniedDeleteError = CocoaError.Code.validationRelationshipDeniedDeleteError
    /// A number is above the attribute's maximum in the model.
    public static let validationNumberTooLargeError = CocoaError.Code.validationNumberTooLargeError
    /// A number is below the attribute's minimum in the model.
    public static let validationNumberTooSmallError = CocoaError.Code.validationNumberTooSmallError
    /// A date is after the last one that the model allows for the attribute.
    public static let validationDateTooLateError = CocoaError.Code.validationDateTooLateError
    /// A date is before the first one that the model allows for the attribute.
    public static let validationDateTooSoonError = CocoaError.Code.validationDateTooSoonError
    /// A date isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
    public static let validationInvalidDateError = CocoaError.Code.validationInvalidDateError
    /// A string is longer than the attribute's maximum in the model.
    public static let validationStringTooLongError = CocoaError.Code.validationStringTooLongError
    /// A string is shorter than the attribute's minimum in the model.
    public static let validationStringTooShortError = CocoaError.Code.validationStringTooShortError
    /// A string doesn't match the regular expression that the model has for the attribute.
    public static let validationStringPatternMatchingError = CocoaError.Code.validationStringPatternMatchingError
    /// A context's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let managedObjectContextLockingError = CocoaError.Code.managedObjectContextLockingError
    /// A coordinator's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let persistentStoreCoordinatorLockingError = CocoaError.Code.persistentStoreCoordinatorLockingError
    /// An object ID leads to an object that isn't in its store: it was deleted, or never saved.
    public static let managedObjectReferentialIntegrityError = CocoaError.Code.managedObjectReferentialIntegrityError
    /// A relationship leads to an object in another store, which no store can keep.
    public static let managedObjectExternalRelationshipError = CocoaError.Code.managedObjectExternalRelationshipError
    /// An object was changed or deleted in the store after the saving context read it, and the merge policy is error.
    public static let managedObjectMergeError = CocoaError.Code.managedObjectMergeError
    /// A uniqueness constraint of the model is broken, and the merge policy is error.
    public static let managedObjectConstraintMergeError = CocoaError.Code.managedObjectConstraintMergeError
    /// No store class is registered for the type of store.
    public static let persistentStoreInvalidTypeError = CocoaError.Code.persistentStoreInvalidTypeError
    /// A store's metadata name another type than the one that it is opened as.
    public static let persistentStoreTypeMismatchError = CocoaError.Code.persistentStoreTypeMismatchError
    /// The tables of a file aren't those of its model, or the model wants what this type of store can't do.
    public static let persistentStoreIncompatibleSchemaError = CocoaError.Code.persistentStoreIncompatibleSchemaError
    /// A store can't write what it is given; nothing of the save was written.
    public static let persistentStoreSaveError = CocoaError.Code.persistentStoreSaveError
    /// A save into several stores was committed by some of them and failed in others.
    public static let persistentStoreIncompleteSaveError = CocoaError.Code.persistentStoreIncompleteSaveError
    /// A store met conflicts in a save. This package throws 133020; an incremental store may throw either.
    public static let persistentStoreSaveConflictsError = CocoaError.Code.persistentStoreSaveConflictsError
    /// A request or a save can't be carried out, for a reason that has no code of its own; the message says which.
    public static let coreDataError = CocoaError.Code.coreDataError
    /// A coordinator or a store can't do what it is asked in its present state; the message says why.
    public static let persistentStoreOperationError = CocoaError.Code.persistentStoreOperationError
    /// A store can't be opened; the message says why, with the file where that is the reason.
    public static let persistentStoreOpenError = CocoaError.Code.persistentStoreOpenError
    /// A store's file stayed locked by another connection for longer than the time-out.
    public static let persistentStoreTimeoutError = CocoaError.Code.persistentStoreTimeoutError
    /// A store doesn't answer requests of this kind, such as batch requests on an XML store.
    public static let persistentStoreUnsupportedRequestTypeError = CocoaError.Code
        .persistentStoreUnsupportedRequestTypeError
    /// The model isn't the one that the store was made with: the version hashes of their entities differ.
    public static let persistentStoreIncompatibleVersionHashError = CocoaError.Code
        .persistentStoreIncompatibleVersionHashError
    /// A migration failed; the store is as it was.
    public static let migrationError = CocoaError.Code.migrationError
    /// A migration was cancelled. Thrown only where a program cancels with an error of this code.
    public static let migrationCancelledError = CocoaError.Code.migrationCancelledError
    /// A migration doesn't find the model that the store was made with.
    public static let migrationMissingSourceModelError = CocoaError.Code.migrationMissingSourceModelError
    /// A migration finds no mapping model from the store's model to the new one.
    public static let migrationMissingMappingModelError = CocoaError.Code.migrationMissingMappingModelError
    /// A migration manager can't open the store that it migrates from.
    public static let migrationManagerSourceStoreError = CocoaError.Code.migrationManagerSourceStoreError
    /// A migration manager can't make the store that it migrates to.
    public static let migrationManagerDestinationStoreError = CocoaError.Code.migrationManagerDestinationStoreError
    /// An entity mapping or its migration policy failed; the message names mapping, property and expression.
    public static let entityMigrationPolicyError = CocoaError.Code.entityMigrationPolicyError
    /// SQLite reported an error that has no code of its own here; `NSSQLiteErrorDomain` in the user info has SQLite's.
    public static let sqliteError = CocoaError.Code.sqliteError
    /// No mapping model can be inferred: the two models differ by more than lightweight migration can follow.
    public static let inferredMappingModelError = CocoaError.Code.inferredMappingModelError
    /// An external record couldn't be imported. Never thrown by this package, which has no external records.
    public static let externalRecordImportError = CocoaError.Code.externalRecordImportError
}
