/// How a context is bound to a queue (Apple: NSManagedObjectContextConcurrencyType).
public enum NSManagedObjectContextConcurrencyType: UInt, Sendable {
    /// Bound to the thread that made it. Deprecated by Apple; it can't be a parent.
    case confinementConcurrencyType = 0
    /// Bound to a serial queue of its own; used by `perform` and `performAndWait` only.
    case privateQueueConcurrencyType = 1
    /// Bound to the main queue.
    case mainQueueConcurrencyType = 2
}

extension NSManagedObjectContext {
    /// How a context is bound to a queue.
    public struct ConcurrencyType: Hashable, Sendable {
        /// The constant of the older spelling.
        public let rawValue: NSManagedObjectContextConcurrencyType
        /// Takes the constant of the older spelling.
        public init(rawValue: NSManagedObjectContextConcurrencyType) { self.rawValue = rawValue }
        /// A serial queue of the context's own.
        public static let privateQueue = ConcurrencyType(rawValue: .privateQueueConcurrencyType)
        /// The main queue.
        public static let mainQueue = ConcurrencyType(rawValue: .mainQueueConcurrencyType)
    }
}
