import Synchronization

/// The store classes by type.
final class StoreClassRegistry: Sendable {
    static let shared = StoreClassRegistry()

    /// At first the framework's own classes, which the stores' own room lists.
    private let registered = Mutex<[String: NSPersistentStore.Type]>(StoreClassRegistry.builtIn)

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
