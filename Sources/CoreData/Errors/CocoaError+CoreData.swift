import Foundation

extension CocoaError.Code {
    /// The code 1550.
    public static let managedObjectValidation = CocoaError.Code(rawValue: 1550)
    /// The code 1560.
    public static let validationMultipleErrors = CocoaError.Code(rawValue: 1560)
    /// The code 1570.
    public static let validationMissingMandatoryProperty = CocoaError.Code(rawValue: 1570)
    /// The code 1580.
    public static let validationRelationshipLacksMinimumCount = CocoaError.Code(rawValue: 1580)
    /// The code 1590.
    public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(rawValue: 1590)
    /// The code 1600.
    public static let validationRelationshipDeniedDelete = CocoaError.Code(rawValue: 1600)
    /// The code 1610.
    public static let validationNumberTooLarge = CocoaError.Code(rawValue: 1610)
    /// The code 1620.
    public static let validationNumberTooSmall = CocoaError.Code(rawValue: 1620)
    /// The code 1630.
    public static let validationDateTooLate = CocoaError.Code(rawValue: 1630)
    /// The code 1640.
    public static let validationDateTooSoon = CocoaError.Code(rawValue: 1640)
    /// The code 1650.
    public static let validationInvalidDate = CocoaError.Code(rawValue: 1650)
    /// The code 1660.
    public static let validationStringTooLong = CocoaError.Code(rawValue: 1660)
    /// The code 1670.
    public static let validationStringTooShort = CocoaError.Code(rawValue: 1670)
    /// The code 1680.
    public static let validationStringPatternMatching = CocoaError.Code(rawValue: 1680)
    /// The code 132000.
    public static let managedObjectContextLocking = CocoaError.Code(rawValue: 132000)
    /// The code 132010.
    public static let persistentStoreCoordinatorLocking = CocoaError.Code(rawValue: 132010)
    /// The code 133000.
    public static let managedObjectReferentialIntegrity = CocoaError.Code(rawValue: 133000)
    /// The code 133010.
    public static let managedObjectExternalRelationship = CocoaError.Code(rawValue: 133010)
    /// The code 133020.
    public static let managedObjectMerge = CocoaError.Code(rawValue: 133020)
    /// The code 133021.
    public static let managedObjectConstraintMerge = CocoaError.Code(rawValue: 133021)
    /// The code 134000.
    public static let persistentStoreInvalidType = CocoaError.Code(rawValue: 134000)
    /// The code 134010.
    public static let persistentStoreTypeMismatch = CocoaError.Code(rawValue: 134010)
    /// The code 134020.
    public static let persistentStoreIncompatibleSchema = CocoaError.Code(rawValue: 134020)
    /// The code 134030.
    public static let persistentStoreSave = CocoaError.Code(rawValue: 134030)
    /// The code 134040.
    public static let persistentStoreIncompleteSave = CocoaError.Code(rawValue: 134040)
    /// The code 134050.
    public static let persistentStoreSaveConflicts = CocoaError.Code(rawValue: 134050)
    /// The code 134060.
    public static let coreData = CocoaError.Code(rawValue: 134060)
    /// The code 134070.
    public static let persistentStoreOperation = CocoaError.Code(rawValue: 134070)
    /// The code 134080.
    public static let persistentStoreOpen = CocoaError.Code(rawValue: 134080)
    /// The code 134090.
    public static let persistentStoreTimeout = CocoaError.Code(rawValue: 134090)
    /// The code 134091.
    public static let persistentStoreUnsupportedRequestType = CocoaError.Code(rawValue: 134091)
    /// The code 134100.
    public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(rawValue: 134100)
    /// The code 134110.
    public static let migration = CocoaError.Code(rawValue: 134110)
    /// The code 134120.
    public static let migrationCancelled = CocoaError.Code(rawValue: 134120)
    /// The code 134130.
    public static let migrationMissingSourceModel = CocoaError.Code(rawValue: 134130)
    /// The code 134140.
    public static let migrationMissingMappingModel = CocoaError.Code(rawValue: 134140)
    /// The code 134150.
    public static let migrationManagerSourceStore = CocoaError.Code(rawValue: 134150)
    /// The code 134160.
    public static let migrationManagerDestinationStore = CocoaError.Code(rawValue: 134160)
    /// The code 134170.
    public static let entityMigrationPolicy = CocoaError.Code(rawValue: 134170)
    /// The code 134180.
    public static let sqlite = CocoaError.Code(rawValue: 134180)
    /// The code 134190.
    public static let inferredMappingModel = CocoaError.Code(rawValue: 134190)
    /// The code 134200.
    public static let externalRecordImport = CocoaError.Code(rawValue: 134200)
    /// The code 1550.
    public static let managedObjectValidationError = CocoaError.Code(rawValue: 1550)
    /// The code 1560.
    public static let validationMultipleErrorsError = CocoaError.Code(rawValue: 1560)
    /// The code 1570.
    public static let validationMissingMandatoryPropertyError = CocoaError.Code(rawValue: 1570)
    /// The code 1580.
    public static let validationRelationshipLacksMinimumCountError = CocoaError.Code(rawValue: 1580)
    /// The code 1590.
    public static let validationRelationshipExceedsMaximumCountError = CocoaError.Code(rawValue: 1590)
    /// The code 1600.
    public static let validationRelationshipDeniedDeleteError = CocoaError.Code(rawValue: 1600)
    /// The code 1610.
    public static let validationNumberTooLargeError = CocoaError.Code(rawValue: 1610)
    /// The code 1620.
    public static let validationNumberTooSmallError = CocoaError.Code(rawValue: 1620)
    /// The code 1630.
    public static let validationDateTooLateError = CocoaError.Code(rawValue: 1630)
    /// The code 1640.
    public static let validationDateTooSoonError = CocoaError.Code(rawValue: 1640)
    /// The code 1650.
    public static let validationInvalidDateError = CocoaError.Code(rawValue: 1650)
    /// The code 1660.
    public static let validationStringTooLongError = CocoaError.Code(rawValue: 1660)
    /// The code 1670.
    public static let validationStringTooShortError = CocoaError.Code(rawValue: 1670)
    /// The code 1680.
    public static let validationStringPatternMatchingError = CocoaError.Code(rawValue: 1680)
    /// The code 132000.
    public static let managedObjectContextLockingError = CocoaError.Code(rawValue: 132000)
    /// The code 132010.
    public static let persistentStoreCoordinatorLockingError = CocoaError.Code(rawValue: 132010)
    /// The code 133000.
    public static let managedObjectReferentialIntegrityError = CocoaError.Code(rawValue: 133000)
    /// The code 133010.
    public static let managedObjectExternalRelationshipError = CocoaError.Code(rawValue: 133010)
    /// The code 133020.
    public static let managedObjectMergeError = CocoaError.Code(rawValue: 133020)
    /// The code 133021.
    public static let managedObjectConstraintMergeError = CocoaError.Code(rawValue: 133021)
    /// The code 134000.
    public static let persistentStoreInvalidTypeError = CocoaError.Code(rawValue: 134000)
    /// The code 134010.
    public static let persistentStoreTypeMismatchError = CocoaError.Code(rawValue: 134010)
    /// The code 134020.
    public static let persistentStoreIncompatibleSchemaError = CocoaError.Code(rawValue: 134020)
    /// The code 134030.
    public static let persistentStoreSaveError = CocoaError.Code(rawValue: 134030)
    /// The code 134040.
    public static let persistentStoreIncompleteSaveError = CocoaError.Code(rawValue: 134040)
    /// The code 134050.
    public static let persistentStoreSaveConflictsError = CocoaError.Code(rawValue: 134050)
    /// The code 134060.
    public static let coreDataError = CocoaError.Code(rawValue: 134060)
    /// The code 134070.
    public static let persistentStoreOperationError = CocoaError.Code(rawValue: 134070)
    /// The code 134080.
    public static let persistentStoreOpenError = CocoaError.Code(rawValue: 134080)
    /// The code 134090.
    public static let persistentStoreTimeoutError = CocoaError.Code(rawValue: 134090)
    /// The code 134091.
    public static let persistentStoreUnsupportedRequestTypeError = CocoaError.Code(rawValue: 134091)
    /// The code 134100.
    public static let persistentStoreIncompatibleVersionHashError = CocoaError.Code(rawValue: 134100)
    /// The code 134110.
    public static let migrationError = CocoaError.Code(rawValue: 134110)
    /// The code 134120.
    public static let migrationCancelledError = CocoaError.Code(rawValue: 134120)
    /// The code 134130.
    public static let migrationMissingSourceModelError = CocoaError.Code(rawValue: 134130)
    /// The code 134140.
    public static let migrationMissingMappingModelError = CocoaError.Code(rawValue: 134140)
    /// The code 134150.
    public static let migrationManagerSourceStoreError = CocoaError.Code(rawValue: 134150)
    /// The code 134160.
    public static let migrationManagerDestinationStoreError = CocoaError.Code(rawValue: 134160)
    /// The code 134170.
    public static let entityMigrationPolicyError = CocoaError.Code(rawValue: 134170)
    /// The code 134180.
    public static let sqliteError = CocoaError.Code(rawValue: 134180)
    /// The code 134190.
    public static let inferredMappingModelError = CocoaError.Code(rawValue: 134190)
    /// The code 134200.
    public static let externalRecordImportError = CocoaError.Code(rawValue: 134200)
}

extension CocoaError {
    /// The code 1550.
    public static let managedObjectValidation = CocoaError.Code(rawValue: 1550)
    /// The code 1560.
    public static let validationMultipleErrors = CocoaError.Code(rawValue: 1560)
    /// The code 1570.
    public static let validationMissingMandatoryProperty = CocoaError.Code(rawValue: 1570)
    /// The code 1580.
    public static let validationRelationshipLacksMinimumCount = CocoaError.Code(rawValue: 1580)
    /// The code 1590.
    public static let validationRelationshipExceedsMaximumCount = CocoaError.Code(rawValue: 1590)
    /// The code 1600.
    public static let validationRelationshipDeniedDelete = CocoaError.Code(rawValue: 1600)
    /// The code 1610.
    public static let validationNumberTooLarge = CocoaError.Code(rawValue: 1610)
    /// The code 1620.
    public static let validationNumberTooSmall = CocoaError.Code(rawValue: 1620)
    /// The code 1630.
    public static let validationDateTooLate = CocoaError.Code(rawValue: 1630)
    /// The code 1640.
    public static let validationDateTooSoon = CocoaError.Code(rawValue: 1640)
    /// The code 1650.
    public static let validationInvalidDate = CocoaError.Code(rawValue: 1650)
    /// The code 1660.
    public static let validationStringTooLong = CocoaError.Code(rawValue: 1660)
    /// The code 1670.
    public static let validationStringTooShort = CocoaError.Code(rawValue: 1670)
    /// The code 1680.
    public static let validationStringPatternMatching = CocoaError.Code(rawValue: 1680)
    /// The code 132000.
    public static let managedObjectContextLocking = CocoaError.Code(rawValue: 132000)
    /// The code 132010.
    public static let persistentStoreCoordinatorLocking = CocoaError.Code(rawValue: 132010)
    /// The code 133000.
    public static let managedObjectReferentialIntegrity = CocoaError.Code(rawValue: 133000)
    /// The code 133010.
    public static let managedObjectExternalRelationship = CocoaError.Code(rawValue: 133010)
    /// The code 133020.
    public static let managedObjectMerge = CocoaError.Code(rawValue: 133020)
    /// The code 133021.
    public static let managedObjectConstraintMerge = CocoaError.Code(rawValue: 133021)
    /// The code 134000.
    public static let persistentStoreInvalidType = CocoaError.Code(rawValue: 134000)
    /// The code 134010.
    public static let persistentStoreTypeMismatch = CocoaError.Code(rawValue: 134010)
    /// The code 134020.
    public static let persistentStoreIncompatibleSchema = CocoaError.Code(rawValue: 134020)
    /// The code 134030.
    public static let persistentStoreSave = CocoaError.Code(rawValue: 134030)
    /// The code 134040.
    public static let persistentStoreIncompleteSave = CocoaError.Code(rawValue: 134040)
    /// The code 134050.
    public static let persistentStoreSaveConflicts = CocoaError.Code(rawValue: 134050)
    /// The code 134060.
    public static let coreData = CocoaError.Code(rawValue: 134060)
    /// The code 134070.
    public static let persistentStoreOperation = CocoaError.Code(rawValue: 134070)
    /// The code 134080.
    public static let persistentStoreOpen = CocoaError.Code(rawValue: 134080)
    /// The code 134090.
    public static let persistentStoreTimeout = CocoaError.Code(rawValue: 134090)
    /// The code 134091.
    public static let persistentStoreUnsupportedRequestType = CocoaError.Code(rawValue: 134091)
    /// The code 134100.
    public static let persistentStoreIncompatibleVersionHash = CocoaError.Code(rawValue: 134100)
    /// The code 134110.
    public static let migration = CocoaError.Code(rawValue: 134110)
    /// The code 134120.
    public static let migrationCancelled = CocoaError.Code(rawValue: 134120)
    /// The code 134130.
    public static let migrationMissingSourceModel = CocoaError.Code(rawValue: 134130)
    /// The code 134140.
    public static let migrationMissingMappingModel = CocoaError.Code(rawValue: 134140)
    /// The code 134150.
    public static let migrationManagerSourceStore = CocoaError.Code(rawValue: 134150)
    /// The code 134160.
    public static let migrationManagerDestinationStore = CocoaError.Code(rawValue: 134160)
    /// The code 134170.
    public static let entityMigrationPolicy = CocoaError.Code(rawValue: 134170)
    /// The code 134180.
    public static let sqlite = CocoaError.Code(rawValue: 134180)
    /// The code 134190.
    public static let inferredMappingModel = CocoaError.Code(rawValue: 134190)
    /// The code 134200.
    public static let externalRecordImport = CocoaError.Code(rawValue: 134200)
    /// The code 1550.
    public static let managedObjectValidationError = CocoaError.Code(rawValue: 1550)
    /// The code 1560.
    public static let validationMultipleErrorsError = CocoaError.Code(rawValue: 1560)
    /// The code 1570.
    public static let validationMissingMandatoryPropertyError = CocoaError.Code(rawValue: 1570)
    /// The code 1580.
    public static let validationRelationshipLacksMinimumCountError = CocoaError.Code(rawValue: 1580)
    /// The code 1590.
    public static let validationRelationshipExceedsMaximumCountError = CocoaError.Code(rawValue: 1590)
    /// The code 1600.
    public static let validationRelationshipDeniedDeleteError = CocoaError.Code(rawValue: 1600)
    /// The code 1610.
    public static let validationNumberTooLargeError = CocoaError.Code(rawValue: 1610)
    /// The code 1620.
    public static let validationNumberTooSmallError = CocoaError.Code(rawValue: 1620)
    /// The code 1630.
    public static let validationDateTooLateError = CocoaError.Code(rawValue: 1630)
    /// The code 1640.
    public static let validationDateTooSoonError = CocoaError.Code(rawValue: 1640)
    /// The code 1650.
    public static let validationInvalidDateError = CocoaError.Code(rawValue: 1650)
    /// The code 1660.
    public static let validationStringTooLongError = CocoaError.Code(rawValue: 1660)
    /// The code 1670.
    public static let validationStringTooShortError = CocoaError.Code(rawValue: 1670)
    /// The code 1680.
    public static let validationStringPatternMatchingError = CocoaError.Code(rawValue: 1680)
    /// The code 132000.
    public static let managedObjectContextLockingError = CocoaError.Code(rawValue: 132000)
    /// The code 132010.
    public static let persistentStoreCoordinatorLockingError = CocoaError.Code(rawValue: 132010)
    /// The code 133000.
    public static let managedObjectReferentialIntegrityError = CocoaError.Code(rawValue: 133000)
    /// The code 133010.
    public static let managedObjectExternalRelationshipError = CocoaError.Code(rawValue: 133010)
    /// The code 133020.
    public static let managedObjectMergeError = CocoaError.Code(rawValue: 133020)
    /// The code 133021.
    public static let managedObjectConstraintMergeError = CocoaError.Code(rawValue: 133021)
    /// The code 134000.
    public static let persistentStoreInvalidTypeError = CocoaError.Code(rawValue: 134000)
    /// The code 134010.
    public static let persistentStoreTypeMismatchError = CocoaError.Code(rawValue: 134010)
    /// The code 134020.
    public static let persistentStoreIncompatibleSchemaError = CocoaError.Code(rawValue: 134020)
    /// The code 134030.
    public static let persistentStoreSaveError = CocoaError.Code(rawValue: 134030)
    /// The code 134040.
    public static let persistentStoreIncompleteSaveError = CocoaError.Code(rawValue: 134040)
    /// The code 134050.
    public static let persistentStoreSaveConflictsError = CocoaError.Code(rawValue: 134050)
    /// The code 134060.
    public static let coreDataError = CocoaError.Code(rawValue: 134060)
    /// The code 134070.
    public static let persistentStoreOperationError = CocoaError.Code(rawValue: 134070)
    /// The code 134080.
    public static let persistentStoreOpenError = CocoaError.Code(rawValue: 134080)
    /// The code 134090.
    public static let persistentStoreTimeoutError = CocoaError.Code(rawValue: 134090)
    /// The code 134091.
    public static let persistentStoreUnsupportedRequestTypeError = CocoaError.Code(rawValue: 134091)
    /// The code 134100.
    public static let persistentStoreIncompatibleVersionHashError = CocoaError.Code(rawValue: 134100)
    /// The code 134110.
    public static let migrationError = CocoaError.Code(rawValue: 134110)
    /// The code 134120.
    public static let migrationCancelledError = CocoaError.Code(rawValue: 134120)
    /// The code 134130.
    public static let migrationMissingSourceModelError = CocoaError.Code(rawValue: 134130)
    /// The code 134140.
    public static let migrationMissingMappingModelError = CocoaError.Code(rawValue: 134140)
    /// The code 134150.
    public static let migrationManagerSourceStoreError = CocoaError.Code(rawValue: 134150)
    /// The code 134160.
    public static let migrationManagerDestinationStoreError = CocoaError.Code(rawValue: 134160)
    /// The code 134170.
    public static let entityMigrationPolicyError = CocoaError.Code(rawValue: 134170)
    /// The code 134180.
    public static let sqliteError = CocoaError.Code(rawValue: 134180)
    /// The code 134190.
    public static let inferredMappingModelError = CocoaError.Code(rawValue: 134190)
    /// The code 134200.
    public static let externalRecordImportError = CocoaError.Code(rawValue: 134200)
}
