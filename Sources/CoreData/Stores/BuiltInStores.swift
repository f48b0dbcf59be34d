import CoreDataSQLite

extension StoreClassRegistry {
    /// The framework's own store classes by type.
    static let builtIn: [String: NSPersistentStore.Type] = [
        NSSQLiteStoreType: EngineStore<SQLiteEngine>.self,
        NSInMemoryStoreType: InMemoryStore.self,
        NSXMLStoreType: XMLStore.self,
        NSBinaryStoreType: BinaryStore.self,
    ]
}
