import CSwiftRuntime
import Synchronization

// Safe: the pointer is behind a lock, and is cleared before its target goes.
/// A reference to an object that doesn't retain it. It is for objects that are retained often: a weak reference would
/// give them a side table, which makes each retain slower. The object makes one of itself, hands it out, and clears it
/// in its deinitialiser.
package final class BackReference<Target: AnyObject>: @unchecked Sendable {
    /// The target's address; 0 where there is none.
    private let address = Mutex<UInt>(0)

    package init() {}

    /// Sets what is referred to; called once, by the target.
    package func set(_ target: Target) {
        let pointer = Unmanaged.passUnretained(target).toOpaque()
        address.withLock { $0 = UInt(bitPattern: pointer) }
    }

    /// Called by the target's deinitialiser.
    package func clear() { address.withLock { $0 = 0 } }

    /// The target, or nil when it is going or has gone.
    package var target: Target? {
        address.withLock { address in
            guard let pointer = UnsafeMutableRawPointer(bitPattern: address),
                retain_unless_deinitializing(pointer) != nil
            else { return nil }
            return Unmanaged<Target>.fromOpaque(pointer).takeRetainedValue()
        }
    }
}
