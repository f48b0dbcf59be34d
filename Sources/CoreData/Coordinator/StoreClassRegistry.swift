import CoreDataSQLite
import Synchronization

/// The store classes by type.
final class StoreClassRegistry: Sendable {
    static let shared = StoreClassRegistry()

    private let registered = Mutex<[String: NSPersistentStore.Type]>([
        NSSQLiteStoreType: EngineStore<SQLiteEngine>.self,
        NSInMemoryStoreType: InMemoryStore.self,
        NSXMLStoreType: XMLStore.self,
        NSBinaryStoreType: BinaryStore.self,
    ])

    var classes: [String: NSPersistentStore.Type] { registered.withLock { $0 } }

    func `class`(for type: String) -> NSPersistentStore.Type? { registered.withLock { $0[type] } }

    /// A type under which a class is registered.
    func type(of storeClass: NSPersistentStore.Type) -> String? {
        registered.withLock { $0.filter { $0.value == storeClass }.keys.min() }
    }

    func register(_ storeClass: NSPersistentStore.Type?, for type: String) {
        registered.withLock { $0[type] = storeClass }
    }
}
