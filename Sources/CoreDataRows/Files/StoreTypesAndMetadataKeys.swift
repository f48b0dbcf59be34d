/// The type of stores in SQLite databases.
public let NSSQLiteStoreType = "SQLite"
/// The type of stores in XML files.
public let NSXMLStoreType = "XML"
/// The type of stores in binary files.
public let NSBinaryStoreType = "Binary"
/// The type of stores in memory.
public let NSInMemoryStoreType = "InMemory"

/// The metadata key of a store's type.
public let NSStoreTypeKey = "NSStoreType"
/// The metadata key of a store's UUID.
public let NSStoreUUIDKey = "NSStoreUUID"
/// The metadata key of the version hashes of the model that a store was made for, by entity name.
public let NSStoreModelVersionHashesKey = "NSStoreModelVersionHashes"
/// The metadata key of the version identifiers of the model that a store was made for.
public let NSStoreModelVersionIdentifiersKey = "NSStoreModelVersionIdentifiers"
/// The metadata key of the system's version of the file format.
public let NSPersistentStoreOSCompatibility = "NSPersistentStoreOSCompatibility"
