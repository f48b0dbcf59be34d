import Foundation
import Synchronization

// Safe: what changes is behind a lock.
/// Who observes which object. Looking a change up costs next to nothing while nothing is observed.
final class ObservationRegistry: @unchecked Sendable {
    static let shared = ObservationRegistry()

    private let lock = NSRecursiveLock()
    private var observations: [ObjectIdentifier: [Observation]] = [:]
    private let count = Atomic<Int>(0)

    func add(_ observation: Observation, for object: AnyObject) {
        (object as? any KeyValueObserved)?.willBeObserved()
        lock.withLock {
            // An object that went away may have left its entry to one at the same address.
            observations[ObjectIdentifier(object), default: []].removeAll { $0.object == nil }
            observations[ObjectIdentifier(object), default: []].append(observation)
            count.store(observations.count, ordering: .relaxed)
        }
    }

    func remove(_ observation: Observation, of key: ObjectIdentifier) {
        lock.withLock {
            observations[key]?.removeAll { $0 === observation }
            if observations[key]?.isEmpty == true { observations[key] = nil }
            count.store(observations.count, ordering: .relaxed)
        }
    }

    /// The observations of an object, in the order in which they began.
    func observations(of object: AnyObject) -> [Observation] {
        guard count.load(ordering: .relaxed) > 0 else { return [] }
        return lock.withLock {
            (observations[ObjectIdentifier(object)] ?? []).filter { $0.object === object }
        }
    }

    /// The last observation of an object, which may be about to go away, that meets a condition.
    func lastObservation(of object: AnyObject, where isMeant: (Observation) -> Bool) -> Observation? {
        lock.withLock {
            observations[ObjectIdentifier(object)]?.last { ($0.object == nil || $0.object === object) && isMeant($0) }
        }
    }
}

/// What is told when it is first observed: a class that reports no changes while it isn't observed.
package protocol KeyValueObserved: AnyObject {
    func willBeObserved()
}
