/// How a context is bound to a queue (Apple: NSManagedObjectContextConcurrencyType).
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// Bound to the thread that made it. Deprecated by Apple; it can't be a parent.
    case confinementConcurrencyType = 0
    /// Bound to a serial queue of its own; used by `perform` and `performAndWait` only.
    case privateQueueConcurrencyType = 1
    /// Bound to the main queue.
    case mainQueueConcurrencyType = 2
}
