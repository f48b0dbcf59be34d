import Foundation
import Synchronization

/// What observers by method have registered, so that they can be removed by the observer.
private final class MethodObservations: Sendable {
    // Safe: a constant token.
    /// A registration. Tokens of notification centres may be passed between threads.
    struct Observation: @unchecked Sendable {
        let center: ObjectIdentifier
        let name: Notification.Name?
        let object: ObjectIdentifier?
        let token: any NSObjectProtocol
        /// Shows whether the observer still exists: its address may have become another object's.
        let isAlive: @Sendable () -> Bool
    }

    static let shared = MethodObservations()

    private let observations = Mutex<[ObjectIdentifier: [Observation]]>([:])

    func add(_ observation: Observation, for observer: ObjectIdentifier) {
        observations.withLock { all in
            all[observer] = (all[observer] ?? []).filter { $0.isAlive() } + [observation]
        }
    }

    /// Takes out the observations that fit, and returns them.
    func remove(for observer: ObjectIdentifier, where fits: (Observation) -> Bool) -> [Observation] {
        observations.withLock { all in
            let (removed, kept) = (all[observer]?.filter(fits) ?? [], all[observer]?.filter { !fits($0) } ?? [])
            all[observer] = kept.isEmpty ? nil : kept
            return removed
        }
    }
}

// Safe: a weak reference, which the runtime guards.
/// An observer that is held weakly, on whichever thread a notification is posted.
private final class WeakObserver<Observer: AnyObject>: @unchecked Sendable {
    // Written once; reading a weak reference is safe on any thread.
    weak private(set) var value: Observer?

    init(_ value: Observer) { self.value = value }
}

// Safe: it runs on the thread that posts, as its maker has asked for.
/// A closure that is called where notifications are posted, as methods that a selector names are.
private struct PostingThreadClosure<Observer>: @unchecked Sendable {
    let call: (Observer, Notification) -> Void
}

extension NotificationCenter {
    /// Calls a closure with an observer and a notification, as `addObserver(_:selector:name:object:)` does with a method.
    ///
    /// An addition for Linux, where there are no selectors: `coredata swift` writes this for them. The observer is held
    /// weakly, needn't be removed before it goes away (Apple: "addObserver(_:selector:name:object:)"), and is called on
    /// the thread that posts.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer, name: Notification.Name?, object: Any?,
        calling method: @escaping (Observer, Notification) -> Void
    ) {
        let reference = WeakObserver(observer)
        let closure = PostingThreadClosure(call: method)
        let token = addObserver(forName: name, object: object, queue: nil) { notification in
            if let observer = reference.value { closure.call(observer, notification) }
        }
        keep(token, of: ObjectIdentifier(observer), name, object) { reference.value != nil }
    }

    /// The same for a class that observes, by its static methods. It doesn't go away, so it is observing until it is removed.
    public func addObserver<Observer: AnyObject>(
        _ observer: Observer.Type, name: Notification.Name?, object: Any?,
        calling method: @escaping (Observer.Type, Notification) -> Void
    ) {
        let closure = PostingThreadClosure(call: method)
        let token = addObserver(forName: name, object: object, queue: nil) { closure.call(observer, $0) }
        keep(token, of: ObjectIdentifier(observer), name, object) { true }
    }

    private func keep(
        _ token: any NSObjectProtocol, of observer: ObjectIdentifier, _ name: Notification.Name?, _ object: Any?,
        isAlive: @escaping @Sendable () -> Bool
    ) {
        MethodObservations.shared.add(
            .init(
                center: ObjectIdentifier(self), name: name, object: object.map { ObjectIdentifier($0 as AnyObject) },
                token: token, isAlive: isAlive),
            for: observer)
    }

    /// Calls the method of an observer that a selector names, with the notification (Apple: addObserver(_:selector:name:object:)).
    ///
    /// On Linux a selector has to bring its method along, as those do that `coredata swift` and `coredata port` write: for a plain
    /// name the program stops here, as it would on Apple's platforms when the notification comes. The observer is held weakly.
    public func addObserver(
        _ observer: Any, selector: Selector, name: Notification.Name?, object: Any?
    ) {
        precondition(
            selector.isCallable,
            "There is no message sending on Linux: the selector \(selector) is a name. Add the observer with a closure."
        )
        precondition(!(observer is AnyClass), "A class can't observe by a kept selector; add it with a closure.")
        addObserver(observer as AnyObject, name: name, object: object) { observer, notification in
            _ = selector.call(on: observer, with: notification)
        }
    }

    /// Ends all that an observer was added for, whether it is the token of a closure or an object with methods.
    public func removeObserver(_ observer: AnyObject) {
        removeObserver(observer as Any, name: nil, object: nil)
        end(ObjectIdentifier(observer)) { _ in true }
    }

    /// Ends all that a class was added for.
    public func removeObserver<Observer: AnyObject>(_ observer: Observer.Type) {
        end(ObjectIdentifier(observer)) { _ in true }
    }

    /// Ends what an observer was added for under a name and an object; nil stands for any.
    public func removeObserver(_ observer: AnyObject, name: Notification.Name?, object: Any?) {
        removeObserver(observer as Any, name: name, object: object)
        end(ObjectIdentifier(observer), name, object)
    }

    /// Ends what a class was added for under a name and an object; nil stands for any.
    public func removeObserver<Observer: AnyObject>(
        _ observer: Observer.Type, name: Notification.Name?, object: Any?
    ) {
        end(ObjectIdentifier(observer), name, object)
    }

    private func end(_ observer: ObjectIdentifier, _ name: Notification.Name?, _ object: Any?) {
        let sender = object.map { ObjectIdentifier($0 as AnyObject) }
        end(observer) { (name == nil || $0.name == name) && (sender == nil || $0.object == sender) }
    }

    private func end(_ observer: ObjectIdentifier, where fits: (MethodObservations.Observation) -> Bool) {
        let own = ObjectIdentifier(self)
        let ended = MethodObservations.shared.remove(for: observer) { $0.center == own && fits($0) }
        for observation in ended { removeObserver(observation.token as Any, name: nil, object: nil) }
    }
}
