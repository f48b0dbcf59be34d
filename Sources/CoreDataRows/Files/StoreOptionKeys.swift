/// The option that opens a store for reading only (a Boolean).
public let NSReadOnlyPersistentStoreOption = "NSReadOnlyPersistentStoreOption"
/// The option for how long to wait for a locked store, in seconds.
public let NSPersistentStoreTimeoutOption = "NSPersistentStoreTimeoutOption"
/// The option with SQLite pragmas (a dictionary of strings), set when the store is opened.
public let NSSQLitePragmasOption = "NSSQLitePragmasOption"
/// The option that opens a store whatever model it was made for (a Boolean).
public let NSIgnorePersistentStoreVersioningOption = "NSIgnorePersistentStoreVersioningOption"
/// The option that migrates a store to the coordinator's model when it is opened (a Boolean).
public let NSMigratePersistentStoresAutomaticallyOption = "NSMigratePersistentStoresAutomaticallyOption"
/// The option that works the mapping of a migration out from the models (a Boolean).
public let NSInferMappingModelAutomaticallyOption = "NSInferMappingModelAutomaticallyOption"
/// The option that destroys a SQLite store even where others have it locked (a Boolean).
public let NSPersistentStoreForceDestroyOption = "NSPersistentStoreForceDestroyOption"
/// The option that has a SQLite store gather statistics about its indexes when it is opened (a Boolean).
public let NSSQLiteAnalyzeOption = "NSSQLiteAnalyzeOption"
/// The option that has a SQLite store give its free pages back when it is opened (a Boolean).
public let NSSQLiteManualVacuumOption = "NSSQLiteManualVacuumOption"
/// The option for how many reads of a SQLite store run side by side (a number).
public let NSPersistentStoreConnectionPoolMaxSizeKey = "NSPersistentStoreConnectionPoolMaxSize"
/// The option for the encryption of a store's files on a locked device. Accepted and without effect: Linux has none by file.
public let NSPersistentStoreFileProtectionKey = "NSPersistentStoreFileProtectionKey"
/// The option that has a store post `NSPersistentStoreRemoteChange` for whatever is written to it (a Boolean).
public let NSPersistentStoreRemoteChangeNotificationPostOptionKey = "NSPersistentStoreRemoteChangeNotificationOptionKey"
/// The option that has a store record who changed what, and when (a Boolean).
public let NSPersistentHistoryTrackingKey = "NSPersistentHistoryTrackingKey"
/// The option with the stages of a migration (an `NSStagedMigrationManager`).
public let NSPersistentStoreStagedMigrationManagerOptionKey = "NSPersistentStoreStagedMigrationManagerOptionKey"
/// The option that leaves for later what a lightweight migration needn't do at once (a Boolean); in the metadata of a
/// store, whether something is left.
public let NSPersistentStoreDeferredLightweightMigrationOptionKey =
    "NSPersistentStoreDeferredLightweightMigrationOptionKey"
