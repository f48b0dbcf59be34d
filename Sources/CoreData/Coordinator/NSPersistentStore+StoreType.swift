extension NSPersistentStore {
    /// The type of a store.
    public struct StoreType: RawRepresentable, Hashable, Sendable {
        /// The string that names the type in a store's metadata and for
        /// ``NSPersistentStoreCoordinator/registerStoreClass(_:forStoreType:)``.
        public let rawValue: String
        /// Makes a type of a name, such as that of a registered store class.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A SQLite database in Apple's format.
        public static let sqlite = StoreType(rawValue: NSSQLiteStoreType)
        /// An XML file.
        public static let xml = StoreType(rawValue: NSXMLStoreType)
        /// A binary file.
        public static let binary = StoreType(rawValue: NSBinaryStoreType)
        /// Memory only.
        public static let inMemory = StoreType(rawValue: NSInMemoryStoreType)
    }
}
