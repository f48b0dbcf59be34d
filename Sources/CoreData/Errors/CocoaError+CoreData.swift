import Foundation

extension CocoaError.Code {
    /// A value breaks a rule of the model that has no code of its own, or is of another type than its attribute.
    public static let managedObjectValidation = CocoaError.Code(rawValue: 1550)
    /// Several rules of the model are broken; `NSDetailedErrorsKey` has an error for each.
    public static let validationMultipleErrors = CocoaError.Code(rawValue: 1560)
    /// A property that the model requires has no value.
    public static let validationMissingMandatoryProperty = CocoaError.Code(rawValue: 1570)
    /// A to-many relationship has fewer objects than the model's minimum.
    public static let validationRelationshipLacksMinimumCount = CocoaError.Code(rawValue: 1580)
    /// A to-many relationship has more objects than the model's maximum.
    public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(rawValue: 1590)
    /// An object is to be deleted whose relationship has the delete rule deny and still leads to objects.
    public static let validationRelationshipDeniedDelete = CocoaError.Code(rawValue: 1600)
    /// A number is above the attribute's maximum in the model.
    public static let validationNumberTooLarge = CocoaError.Code(rawValue: 1610)
    /// A number is below the attribute's minimum in the model.
    public static let validationNumberTooSmall = CocoaError.Code(rawValue: 1620)
    /// A date is after the last one that the model allows for the attribute.
    public static let validationDateTooLate = CocoaError.Code(rawValue: 1630)
    /// A date is before the first one that the model allows for the attribute.
    public static let validationDateTooSoon = CocoaError.Code(rawValue: 1640)
    /// A date isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
    public static let validationInvalidDate = CocoaError.Code(rawValue: 1650)
    /// A string is longer than the attribute's maximum in the model.
    public static let validationStringTooLong = CocoaError.Code(rawValue: 1660)
    /// A string is shorter than the attribute's minimum in the model.
    public static let validationStringTooShort = CocoaError.Code(rawValue: 1670)
    /// A string doesn't match the regular expression that the model has for the attribute.
    public static let validationStringPatternMatching = CocoaError.Code(rawValue: 1680)
    /// A context's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let managedObjectContextLocking = CocoaError.Code(rawValue: 132000)
    /// A coordinator's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let persistentStoreCoordinatorLocking = CocoaError.Code(rawValue: 132010)
    /// An object ID leads to an object that isn't in its store: it was deleted, or never saved.
    public static let managedObjectReferentialIntegrity = CocoaError.Code(rawValue: 133000)
    /// A relationship leads to an object in another store, which no store can keep.
    public static let managedObjectExternalRelationship = CocoaError.Code(rawValue: 133010)
    /// An object was changed or deleted in the store after the saving context read it, and the merge policy is error.
    public static let managedObjectMerge = CocoaError.Code(rawValue: 133020)
    /// A uniqueness constraint of the model is broken, and the merge policy is error.
    public static let managedObjectConstraintMerge = CocoaError.Code(rawValue: 133021)
    /// No store class is registered for the type of store.
    public static let persistentStoreInvalidType = CocoaError.Code(rawValue: 134000)
    /// A store's metadata name another type than the one that it is opened as.
    public static let persistentStoreTypeMismatch = CocoaError.Code(rawValue: 134010)
    /// The tables of a file aren't those of its model, or the model wants what this type of store can't do.
    public static let persistentStoreIncompatibleSchema = CocoaError.Code(rawValue: 134020)
    /// A store can't write what it is given; nothing of the save was written.
    public static let persistentStoreSave = CocoaError.Code(rawValue: 134030)
    /// A save into several stores was committed by some of them and failed in others.
    public static let persistentStoreIncompleteSave = CocoaError.Code(rawValue: 134040)
    /// A store met conflicts in a save. This package throws 133020; an incremental store may throw either.
    public static let persistentStoreSaveConflicts = CocoaError.Code(rawValue: 134050)
    /// A request or a save can't be carried out, for a reason that has no code of its own; the message says which.
    public static let coreData = CocoaError.Code(rawValue: 134060)
    /// A coordinator or a store can't do what it is asked in its present state; the message says why.
    public static let persistentStoreOperation = CocoaError.Code(rawValue: 134070)
    /// A store can't be opened; the message has the file and the reason of SQLite or of the system.
    public static let persistentStoreOpen = CocoaError.Code(rawValue: 134080)
    /// A store's file stayed locked by another connection for longer than the time-out.
    public static let persistentStoreTimeout = CocoaError.Code(rawValue: 134090)
    /// A store doesn't answer requests of this kind, such as batch requests on an XML store.
    public static let persistentStoreUnsupportedRequestType = CocoaError.Code(rawValue: 134091)
    /// The model isn't the one that the store was made with: the version hashes of their entities differ.
    public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(rawValue: 134100)
    /// A migration failed; the store is as it was.
    public static let migration = CocoaError.Code(rawValue: 134110)
    /// A migration was cancelled. Thrown only where a program cancels with an error of this code.
    public static let migrationCancelled = CocoaError.Code(rawValue: 134120)
    /// A migration doesn't find the model that the store was made with.
    public static let migrationMissingSourceModel = CocoaError.Code(rawValue: 134130)
    /// A migration finds no mapping model from the store's model to the new one.
    public static let migrationMissingMappingModel = CocoaError.Code(rawValue: 134140)
    /// A migration manager can't open the store that it migrates from.
    public static let migrationManagerSourceStore = CocoaError.Code(rawValue: 134150)
    /// A migration manager can't make the store that it migrates to.
    public static let migrationManagerDestinationStore = CocoaError.Code(rawValue: 134160)
    /// An entity mapping or its migration policy failed; the message names mapping, property and expression.
    public static let entityMigrationPolicy = CocoaError.Code(rawValue: 134170)
    /// SQLite reported an error that has no code of its own here; `NSSQLiteErrorDomain` in the user info has SQLite's.
    public static let sqlite = CocoaError.Code(rawValue: 134180)
    /// No mapping model can be inferred: the two models differ by more than lightweight migration can follow.
    public static let inferredMappingModel = CocoaError.Code(rawValue: 134190)
    /// An external record couldn't be imported. Never thrown by this package, which has no external records.
    public static let externalRecordImport = CocoaError.Code(rawValue: 134200)
    /// A value breaks a rule of the model that has no code of its own, or is of another type than its attribute.
    public static let managedObjectValidationError = CocoaError.Code(rawValue: 1550)
    /// Several rules of the model are broken; `NSDetailedErrorsKey` has an error for each.
    public static let validationMultipleErrorsError = CocoaError.Code(rawValue: 1560)
    /// A property that the model requires has no value.
    public static let validationMissingMandatoryPropertyError = CocoaError.Code(rawValue: 1570)
    /// A to-many relationship has fewer objects than the model's minimum.
    public static let validationRelationshipLacksMinimumCountError = CocoaError.Code(rawValue: 1580)
    /// A to-many relationship has more objects than the model's maximum.
    public static let validationRelationshipExceedsMaximumCountError = CocoaError.Code(rawValue: 1590)
    /// An object is to be deleted whose relationship has the delete rule deny and still leads to objects.
    public static let validationRelationshipDeniedDeleteError = CocoaError.Code(rawValue: 1600)
    /// A number is above the attribute's maximum in the model.
    public static let validationNumberTooLargeError = CocoaError.Code(rawValue: 1610)
    /// A number is below the attribute's minimum in the model.
    public static let validationNumberTooSmallError = CocoaError.Code(rawValue: 1620)
    /// A date is after the last one that the model allows for the attribute.
    public static let validationDateTooLateError = CocoaError.Code(rawValue: 1630)
    /// A date is before the first one that the model allows for the attribute.
    public static let validationDateTooSoonError = CocoaError.Code(rawValue: 1640)
    /// A date isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
    public static let validationInvalidDateError = CocoaError.Code(rawValue: 1650)
    /// A string is longer than the attribute's maximum in the model.
    public static let validationStringTooLongError = CocoaError.Code(rawValue: 1660)
    /// A string is shorter than the attribute's minimum in the model.
    public static let validationStringTooShortError = CocoaError.Code(rawValue: 1670)
    /// A string doesn't match the regular expression that the model has for the attribute.
    public static let validationStringPatternMatchingError = CocoaError.Code(rawValue: 1680)
    /// A context's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let managedObjectContextLockingError = CocoaError.Code(rawValue: 132000)
    /// A coordinator's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let persistentStoreCoordinatorLockingError = CocoaError.Code(rawValue: 132010)
    /// An object ID leads to an object that isn't in its store: it was deleted, or never saved.
    public static let managedObjectReferentialIntegrityError = CocoaError.Code(rawValue: 133000)
    /// A relationship leads to an object in another store, which no store can keep.
    public static let managedObjectExternalRelationshipError = CocoaError.Code(rawValue: 133010)
    /// An object was changed or deleted in the store after the saving context read it, and the merge policy is error.
    public static let managedObjectMergeError = CocoaError.Code(rawValue: 133020)
    /// A uniqueness constraint of the model is broken, and the merge policy is error.
    public static let managedObjectConstraintMergeError = CocoaError.Code(rawValue: 133021)
    /// No store class is registered for the type of store.
    public static let persistentStoreInvalidTypeError = CocoaError.Code(rawValue: 134000)
    /// A store's metadata name another type than the one that it is opened as.
    public static let persistentStoreTypeMismatchError = CocoaError.Code(rawValue: 134010)
    /// The tables of a file aren't those of its model, or the model wants what this type of store can't do.
    public static let persistentStoreIncompatibleSchemaError = CocoaError.Code(rawValue: 134020)
    /// A store can't write what it is given; nothing of the save was written.
    public static let persistentStoreSaveError = CocoaError.Code(rawValue: 134030)
    /// A save into several stores was committed by some of them and failed in others.
    public static let persistentStoreIncompleteSaveError = CocoaError.Code(rawValue: 134040)
    /// A store met conflicts in a save. This package throws 133020; an incremental store may throw either.
    public static let persistentStoreSaveConflictsError = CocoaError.Code(rawValue: 134050)
    /// A request or a save can't be carried out, for a reason that has no code of its own; the message says which.
    public static let coreDataError = CocoaError.Code(rawValue: 134060)
    /// A coordinator or a store can't do what it is asked in its present state; the message says why.
    public static let persistentStoreOperationError = CocoaError.Code(rawValue: 134070)
    /// A store can't be opened; the message has the file and the reason of SQLite or of the system.
    public static let persistentStoreOpenError = CocoaError.Code(rawValue: 134080)
    /// A store's file stayed locked by another connection for longer than the time-out.
    public static let persistentStoreTimeoutError = CocoaError.Code(rawValue: 134090)
    /// A store doesn't answer requests of this kind, such as batch requests on an XML store.
    public static let persistentStoreUnsupportedRequestTypeError = CocoaError.Code(rawValue: 134091)
    /// The model isn't the one that the store was made with: the version hashes of their entities differ.
    public static let persistentStoreIncompatibleVersionHashError = CocoaError.Code(rawValue: 134100)
    /// A migration failed; the store is as it was.
    public static let migrationError = CocoaError.Code(rawValue: 134110)
    /// A migration was cancelled. Thrown only where a program cancels with an error of this code.
    public static let migrationCancelledError = CocoaError.Code(rawValue: 134120)
    /// A migration doesn't find the model that the store was made with.
    public static let migrationMissingSourceModelError = CocoaError.Code(rawValue: 134130)
    /// A migration finds no mapping model from the store's model to the new one.
    public static let migrationMissingMappingModelError = CocoaError.Code(rawValue: 134140)
    /// A migration manager can't open the store that it migrates from.
    public static let migrationManagerSourceStoreError = CocoaError.Code(rawValue: 134150)
    /// A migration manager can't make the store that it migrates to.
    public static let migrationManagerDestinationStoreError = CocoaError.Code(rawValue: 134160)
    /// An entity mapping or its migration policy failed; the message names mapping, property and expression.
    public static let entityMigrationPolicyError = CocoaError.Code(rawValue: 134170)
    /// SQLite reported an error that has no code of its own here; `NSSQLiteErrorDomain` in the user info has SQLite's.
    public static let sqliteError = CocoaError.Code(rawValue: 134180)
    /// No mapping model can be inferred: the two models differ by more than lightweight migration can follow.
    public static let inferredMappingModelError = CocoaError.Code(rawValue: 134190)
    /// An external record couldn't be imported. Never thrown by this package, which has no external records.
    public static let externalRecordImportError = CocoaError.Code(rawValue: 134200)
}

extension CocoaError {
    /// A value breaks a rule of the model that has no code of its own, or is of another type than its attribute.
    public static let managedObjectValidation = CocoaError.Code(rawValue: 1550)
    /// Several rules of the model are broken; `NSDetailedErrorsKey` has an error for each.
    public static let validationMultipleErrors = CocoaError.Code(rawValue: 1560)
    /// A property that the model requires has no value.
    public static let validationMissingMandatoryProperty = CocoaError.Code(rawValue: 1570)
    /// A to-many relationship has fewer objects than the model's minimum.
    public static let validationRelationshipLacksMinimumCount = CocoaError.Code(rawValue: 1580)
    /// A to-many relationship has more objects than the model's maximum.
    public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(rawValue: 1590)
    /// An object is to be deleted whose relationship has the delete rule deny and still leads to objects.
    public static let validationRelationshipDeniedDelete = CocoaError.Code(rawValue: 1600)
    /// A number is above the attribute's maximum in the model.
    public static let validationNumberTooLarge = CocoaError.Code(rawValue: 1610)
    /// A number is below the attribute's minimum in the model.
    public static let validationNumberTooSmall = CocoaError.Code(rawValue: 1620)
    /// A date is after the last one that the model allows for the attribute.
    public static let validationDateTooLate = CocoaError.Code(rawValue: 1630)
    /// A date is before the first one that the model allows for the attribute.
    public static let validationDateTooSoon = CocoaError.Code(rawValue: 1640)
    /// A date isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
    public static let validationInvalidDate = CocoaError.Code(rawValue: 1650)
    /// A string is longer than the attribute's maximum in the model.
    public static let validationStringTooLong = CocoaError.Code(rawValue: 1660)
    /// A string is shorter than the attribute's minimum in the model.
    public static let validationStringTooShort = CocoaError.Code(rawValue: 1670)
    /// A string doesn't match the regular expression that the model has for the attribute.
    public static let validationStringPatternMatching = CocoaError.Code(rawValue: 1680)
    /// A context's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let managedObjectContextLocking = CocoaError.Code(rawValue: 132000)
    /// A coordinator's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let persistentStoreCoordinatorLocking = CocoaError.Code(rawValue: 132010)
    /// An object ID leads to an object that isn't in its store: it was deleted, or never saved.
    public static let managedObjectReferentialIntegrity = CocoaError.Code(rawValue: 133000)
    /// A relationship leads to an object in another store, which no store can keep.
    public static let managedObjectExternalRelationship = CocoaError.Code(rawValue: 133010)
    /// An object was changed or deleted in the store after the saving context read it, and the merge policy is error.
    public static let managedObjectMerge = CocoaError.Code(rawValue: 133020)
    /// A uniqueness constraint of the model is broken, and the merge policy is error.
    public static let managedObjectConstraintMerge = CocoaError.Code(rawValue: 133021)
    /// No store class is registered for the type of store.
    public static let persistentStoreInvalidType = CocoaError.Code(rawValue: 134000)
    /// A store's metadata name another type than the one that it is opened as.
    public static let persistentStoreTypeMismatch = CocoaError.Code(rawValue: 134010)
    /// The tables of a file aren't those of its model, or the model wants what this type of store can't do.
    public static let persistentStoreIncompatibleSchema = CocoaError.Code(rawValue: 134020)
    /// A store can't write what it is given; nothing of the save was written.
    public static let persistentStoreSave = CocoaError.Code(rawValue: 134030)
    /// A save into several stores was committed by some of them and failed in others.
    public static let persistentStoreIncompleteSave = CocoaError.Code(rawValue: 134040)
    /// A store met conflicts in a save. This package throws 133020; an incremental store may throw either.
    public static let persistentStoreSaveConflicts = CocoaError.Code(rawValue: 134050)
    /// A request or a save can't be carried out, for a reason that has no code of its own; the message says which.
    public static let coreData = CocoaError.Code(rawValue: 134060)
    /// A coordinator or a store can't do what it is asked in its present state; the message says why.
    public static let persistentStoreOperation = CocoaError.Code(rawValue: 134070)
    /// A store can't be opened; the message has the file and the reason of SQLite or of the system.
    public static let persistentStoreOpen = CocoaError.Code(rawValue: 134080)
    /// A store's file stayed locked by another connection for longer than the time-out.
    public static let persistentStoreTimeout = CocoaError.Code(rawValue: 134090)
    /// A store doesn't answer requests of this kind, such as batch requests on an XML store.
    public static let persistentStoreUnsupportedRequestType = CocoaError.Code(rawValue: 134091)
    /// The model isn't the one that the store was made with: the version hashes of their entities differ.
    public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(rawValue: 134100)
    /// A migration failed; the store is as it was.
    public static let migration = CocoaError.Code(rawValue: 134110)
    /// A migration was cancelled. Thrown only where a program cancels with an error of this code.
    public static let migrationCancelled = CocoaError.Code(rawValue: 134120)
    /// A migration doesn't find the model that the store was made with.
    public static let migrationMissingSourceModel = CocoaError.Code(rawValue: 134130)
    /// A migration finds no mapping model from the store's model to the new one.
    public static let migrationMissingMappingModel = CocoaError.Code(rawValue: 134140)
    /// A migration manager can't open the store that it migrates from.
    public static let migrationManagerSourceStore = CocoaError.Code(rawValue: 134150)
    /// A migration manager can't make the store that it migrates to.
    public static let migrationManagerDestinationStore = CocoaError.Code(rawValue: 134160)
    /// An entity mapping or its migration policy failed; the message names mapping, property and expression.
    public static let entityMigrationPolicy = CocoaError.Code(rawValue: 134170)
    /// SQLite reported an error that has no code of its own here; `NSSQLiteErrorDomain` in the user info has SQLite's.
    public static let sqlite = CocoaError.Code(rawValue: 134180)
    /// No mapping model can be inferred: the two models differ by more than lightweight migration can follow.
    public static let inferredMappingModel = CocoaError.Code(rawValue: 134190)
    /// An external record couldn't be imported. Never thrown by this package, which has no external records.
    public static let externalRecordImport = CocoaError.Code(rawValue: 134200)
    /// A value breaks a rule of the model that has no code of its own, or is of another type than its attribute.
    public static let managedObjectValidationError = CocoaError.Code(rawValue: 1550)
    /// Several rules of the model are broken; `NSDetailedErrorsKey` has an error for each.
    public static let validationMultipleErrorsError = CocoaError.Code(rawValue: 1560)
    /// A property that the model requires has no value.
    public static let validationMissingMandatoryPropertyError = CocoaError.Code(rawValue: 1570)
    /// A to-many relationship has fewer objects than the model's minimum.
    public static let validationRelationshipLacksMinimumCountError = CocoaError.Code(rawValue: 1580)
    /// A to-many relationship has more objects than the model's maximum.
    public static let validationRelationshipExceedsMaximumCountError = CocoaError.Code(rawValue: 1590)
    /// An object is to be deleted whose relationship has the delete rule deny and still leads to objects.
    public static let validationRelationshipDeniedDeleteError = CocoaError.Code(rawValue: 1600)
    /// A number is above the attribute's maximum in the model.
    public static let validationNumberTooLargeError = CocoaError.Code(rawValue: 1610)
    /// A number is below the attribute's minimum in the model.
    public static let validationNumberTooSmallError = CocoaError.Code(rawValue: 1620)
    /// A date is after the last one that the model allows for the attribute.
    public static let validationDateTooLateError = CocoaError.Code(rawValue: 1630)
    /// A date is before the first one that the model allows for the attribute.
    public static let validationDateTooSoonError = CocoaError.Code(rawValue: 1640)
    /// A date isn't valid. Thrown only where a validation rule of the model, or a program, names this code.
    public static let validationInvalidDateError = CocoaError.Code(rawValue: 1650)
    /// A string is longer than the attribute's maximum in the model.
    public static let validationStringTooLongError = CocoaError.Code(rawValue: 1660)
    /// A string is shorter than the attribute's minimum in the model.
    public static let validationStringTooShortError = CocoaError.Code(rawValue: 1670)
    /// A string doesn't match the regular expression that the model has for the attribute.
    public static let validationStringPatternMatchingError = CocoaError.Code(rawValue: 1680)
    /// A context's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let managedObjectContextLockingError = CocoaError.Code(rawValue: 132000)
    /// A coordinator's lock couldn't be acquired. Never thrown by this package: locks wait.
    public static let persistentStoreCoordinatorLockingError = CocoaError.Code(rawValue: 132010)
    /// An object ID leads to an object that isn't in its store: it was deleted, or never saved.
    public static let managedObjectReferentialIntegrityError = CocoaError.Code(rawValue: 133000)
    /// A relationship leads to an object in another store, which no store can keep.
    public static let managedObjectExternalRelationshipError = CocoaError.Code(rawValue: 133010)
    /// An object was changed or deleted in the store after the saving context read it, and the merge policy is error.
    public static let managedObjectMergeError = CocoaError.Code(rawValue: 133020)
    /// A uniqueness constraint of the model is broken, and the merge policy is error.
    public static let managedObjectConstraintMergeError = CocoaError.Code(rawValue: 133021)
    /// No store class is registered for the type of store.
    public static let persistentStoreInvalidTypeError = CocoaError.Code(rawValue: 134000)
    /// A store's metadata name another type than the one that it is opened as.
    public static let persistentStoreTypeMismatchError = CocoaError.Code(rawValue: 134010)
    /// The tables of a file aren't those of its model, or the model wants what this type of store can't do.
    public static let persistentStoreIncompatibleSchemaError = CocoaError.Code(rawValue: 134020)
    /// A store can't write what it is given; nothing of the save was written.
    public static let persistentStoreSaveError = CocoaError.Code(rawValue: 134030)
    /// A save into several stores was committed by some of them and failed in others.
    public static let persistentStoreIncompleteSaveError = CocoaError.Code(rawValue: 134040)
    /// A store met conflicts in a save. This package throws 133020; an incremental store may throw either.
    public static let persistentStoreSaveConflictsError = CocoaError.Code(rawValue: 134050)
    /// A request or a save can't be carried out, for a reason that has no code of its own; the message says which.
    public static let coreDataError = CocoaError.Code(rawValue: 134060)
    /// A coordinator or a store can't do what it is asked in its present state; the message says why.
    public static let persistentStoreOperationError = CocoaError.Code(rawValue: 134070)
    /// A store can't be opened; the message has the file and the reason of SQLite or of the system.
    public static let persistentStoreOpenError = CocoaError.Code(rawValue: 134080)
    /// A store's file stayed locked by another connection for longer than the time-out.
    public static let persistentStoreTimeoutError = CocoaError.Code(rawValue: 134090)
    /// A store doesn't answer requests of this kind, such as batch requests on an XML store.
    public static let persistentStoreUnsupportedRequestTypeError = CocoaError.Code(rawValue: 134091)
    /// The model isn't the one that the store was made with: the version hashes of their entities differ.
    public static let persistentStoreIncompatibleVersionHashError = CocoaError.Code(rawValue: 134100)
    /// A migration failed; the store is as it was.
    public static let migrationError = CocoaError.Code(rawValue: 134110)
    /// A migration was cancelled. Thrown only where a program cancels with an error of this code.
    public static let migrationCancelledError = CocoaError.Code(rawValue: 134120)
    /// A migration doesn't find the model that the store was made with.
    public static let migrationMissingSourceModelError = CocoaError.Code(rawValue: 134130)
    /// A migration finds no mapping model from the store's model to the new one.
    public static let migrationMissingMappingModelError = CocoaError.Code(rawValue: 134140)
    /// A migration manager can't open the store that it migrates from.
    public static let migrationManagerSourceStoreError = CocoaError.Code(rawValue: 134150)
    /// A migration manager can't make the store that it migrates to.
    public static let migrationManagerDestinationStoreError = CocoaError.Code(rawValue: 134160)
    /// An entity mapping or its migration policy failed; the message names mapping, property and expression.
    public static let entityMigrationPolicyError = CocoaError.Code(rawValue: 134170)
    /// SQLite reported an error that has no code of its own here; `NSSQLiteErrorDomain` in the user info has SQLite's.
    public static let sqliteError = CocoaError.Code(rawValue: 134180)
    /// No mapping model can be inferred: the two models differ by more than lightweight migration can follow.
    public static let inferredMappingModelError = CocoaError.Code(rawValue: 134190)
    /// An external record couldn't be imported. Never thrown by this package, which has no external records.
    public static let externalRecordImportError = CocoaError.Code(rawValue: 134200)
}
