import Observation
import Synchronization

/// The observers of managed objects, by object.
///
/// An object that was never observed isn't here: it costs a bit among its flags, and no memory.
enum ObservedObjects {
    private static let observers = Mutex<[ObjectIdentifier: ObjectObservers]>([:])

    /// What is kept for an observed object.
    struct ObjectObservers: Sendable {
        let registrar = ObservationRegistrar()
        var publisher: ManagedObjectPublisher?
    }

    /// Those of an object whose flag says that there are some.
    static func observers(of object: NSManagedObject) -> ObjectObservers? {
        observers.withLock { $0[ObjectIdentifier(object)] }
    }

    static func registrar(of object: NSManagedObject) -> ObservationRegistrar { made(for: object) { $0.registrar } }

    static func publisher(of object: NSManagedObject) -> ManagedObjectPublisher {
        made(for: object) { observers in
            let publisher = observers.publisher ?? ManagedObjectPublisher()
            observers.publisher = publisher
            return publisher
        }
    }

    /// Those of an object, which from now on are there.
    private static func made<Result: Sendable>(
        for object: NSManagedObject, _ body: @Sendable (inout ObjectObservers) -> Result
    ) -> Result {
        object.flags.insert(.observed)
        let key = ObjectIdentifier(object)
        return observers.withLock { body(&$0[key, default: ObjectObservers()]) }
    }

    /// Called when an object goes away.
    static func forget(_ object: NSManagedObject) {
        // Not while the lock is held: observers that are notified when a registrar goes may use managed objects.
        _ = observers.withLock { $0.removeValue(forKey: ObjectIdentifier(object)) }
    }
}

extension NSManagedObject {
    /// Called when the object goes away, where it was observed.
    final func forgetObservers() { ObservedObjects.forget(self) }
}
