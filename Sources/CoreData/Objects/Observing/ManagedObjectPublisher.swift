import Synchronization

/// What calls its receivers before an object changes. May be used on any thread.
///
/// It has the methods of Combine's publisher of that name that need no other part of Combine.
public final class ManagedObjectPublisher: Sendable {
    private let receivers = Mutex<[ObjectIdentifier: Receiver]>([:])

    /// Makes a publisher without receivers.
    public init() {}

    /// Calls all receivers, on the current thread.
    public func send() {
        for receiver in receivers.withLock({ Array($0.values) }) { receiver.receive(()) }
    }

    /// Calls a closure whenever something is sent, on the thread that sends, for as long as the subscription lives.
    ///
    /// As with Combine the closure needn't be sendable: what it uses has to bear the queue of the object's context. Where the class is a
    /// publisher of OpenCombine, that one's method of the name is preferred.
    @_disfavoredOverload
    public func sink(receiveValue: @escaping (()) -> Void) -> Subscription {
        let subscription = Subscription(to: self)
        let receiver = Receiver(receive: receiveValue)
        receivers.withLock { $0[ObjectIdentifier(subscription)] = receiver }
        return subscription
    }

    // Safe: it is used under the publisher's lock.
    /// What is called. Unchecked, as it runs on the thread that makes the publisher send.
    private struct Receiver: @unchecked Sendable {
        let receive: (()) -> Void
    }

    fileprivate func remove(_ subscription: Subscription) {
        _ = receivers.withLock { $0.removeValue(forKey: ObjectIdentifier(subscription)) }
    }

    /// One receiver's subscription, which ends when it is cancelled or released.
    public final class Subscription: Hashable, Sendable {
        private let publisher: ManagedObjectPublisher

        fileprivate init(to publisher: ManagedObjectPublisher) { self.publisher = publisher }

        deinit { publisher.remove(self) }

        /// Ends the subscription: the receiver isn't called any more.
        public func cancel() { publisher.remove(self) }

        /// Keeps the subscription in a set, and so alive.
        public func store(in set: inout Set<Subscription>) { set.insert(self) }

        /// Identity in memory.
        public static func == (left: Subscription, right: Subscription) -> Bool { left === right }
        /// Hashes the identity in memory.
        public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
    }
}

// Combine declares `ObservableObject` on Apple's platforms, and there managed objects are such. No protocol of that name is
// declared here, where it would stand in the way of OpenCombine's in files that import both.

extension NSManagedObject {
    /// The type of ``objectWillChange``.
    public typealias ObjectWillChangePublisher = ManagedObjectPublisher

    /// Notifies, on the queue of the object's context, before modelled properties change, for every cause of the
    /// change: the program, the other side of a relationship, a merge, a refresh, an undo.
    ///
    /// It may be sent by hand as well, for a property that the model doesn't have. Call it on the context's queue.
    public final var objectWillChange: ManagedObjectPublisher { ObservedObjects.publisher(of: self) }
}
