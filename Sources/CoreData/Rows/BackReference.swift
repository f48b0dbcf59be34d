import CSwiftRuntime

// Safe: the pointer is behind a lock, and is cleared before its target goes.
/// A way to an object that doesn't keep it, for objects that are retained so often that the side table of a weak reference
/// would tell. The object makes one of itself, hands it out, and clears it in its deinitialiser.
final class BackReference<Target: AnyObject>: @unchecked Sendable {
    private let lock = ExclusiveLock()
    private var pointer: UnsafeMutableRawPointer?

    /// Sets what is referred to; called once, by the target.
    func set(_ target: Target) {
        lock.withLock { pointer = Unmanaged.passUnretained(target).toOpaque() }
    }

    /// Called by the target's deinitialiser.
    func clear() { lock.withLock { pointer = nil } }

    /// The target, or nil when it is going or has gone.
    var target: Target? {
        lock.withLock {
            guard let pointer, retain_unless_deinitializing(pointer) != nil else { return nil }
            return Unmanaged<Target>.fromOpaque(pointer).takeRetainedValue()
        }
    }
}
