import CoreData

/// The type of stores in PostgreSQL databases. Its store class is known to coordinators from the first time that this is read.
///
/// Our choice: Apple's framework has no such store.
public let NSPostgreSQLStoreType: String = {
    NSPersistentStoreCoordinator.registerStoreClass(
        EngineStore<PostgreSQLEngine>.self, forStoreType: PostgreSQLEngine.storeType)
    return PostgreSQLEngine.storeType
}()
