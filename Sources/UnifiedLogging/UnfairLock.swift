import CUnfairLock

/// A lock of C's kind, which must not move while it is used (Apple: os_unfair_lock).
public typealias os_unfair_lock = unfair_lock
/// The same under the name of C's structure (Apple: os_unfair_lock_s).
public typealias os_unfair_lock_s = unfair_lock
/// Where such a lock lies: what the functions take (Apple: os_unfair_lock_t).
public typealias os_unfair_lock_t = UnsafeMutablePointer<unfair_lock>

/// Takes a lock (Apple: os_unfair_lock_lock). One that the thread has already never comes, as on Apple's platforms, which
/// stop the program.
public func os_unfair_lock_lock(_ lock: os_unfair_lock_t) { unfair_lock_acquire(lock) }

/// Gives a lock back (Apple: os_unfair_lock_unlock).
public func os_unfair_lock_unlock(_ lock: os_unfair_lock_t) { unfair_lock_release(lock) }

/// Takes a lock where it is free, and says whether it was (Apple: os_unfair_lock_trylock).
public func os_unfair_lock_trylock(_ lock: os_unfair_lock_t) -> Bool { unfair_lock_try(lock) }

/// Stops the program where the calling thread doesn't have the lock (Apple: os_unfair_lock_assert_owner).
public func os_unfair_lock_assert_owner(_ lock: os_unfair_lock_t) {
    precondition(unfair_lock_is_owned(lock), "The lock isn't held by this thread.")
}

/// Stops the program where the calling thread has the lock (Apple: os_unfair_lock_assert_not_owner).
public func os_unfair_lock_assert_not_owner(_ lock: os_unfair_lock_t) {
    precondition(!unfair_lock_is_owned(lock), "The lock is held by this thread.")
}

// Safe: its only part is a reference to the state, which is looked at while the lock beside it is held; a state that isn't
// sendable gets in and out by methods called `unchecked` only, as Apple's.
/// A lock and what it protects (Apple: OSAllocatedUnfairLock).
public struct OSAllocatedUnfairLock<State>: @unchecked Sendable {
    private let storage: LockedState<State>

    /// Whether the calling thread has the lock (Apple: OSAllocatedUnfairLock.Ownership).
    public enum Ownership: Hashable, Sendable {
        /// The thread has it.
        case owner
        /// Another thread has it, or none.
        case notOwner
    }

    /// Stops the program where the calling thread has the lock, or hasn't, against what is said (Apple: precondition(_:)).
    public func precondition(_ condition: Ownership) {
        Swift.precondition(
            storage.isOwned == (condition == .owner),
            condition == .owner ? "The lock isn't held by this thread." : "The lock is held by this thread.")
    }

    /// Protects a value that only `withLockUnchecked` hands out.
    public init(uncheckedState initialState: State) { storage = LockedState(initialState) }

    /// Calls a closure with the value while the lock is held.
    public func withLockUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result {
        storage.acquire()
        defer { storage.release() }
        return try body(&storage.value)
    }

    /// Calls a closure with the value while the lock is held.
    public func withLock<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result {
        try withLockUnchecked(body)
    }

    /// The same where the lock is free; else nil.
    public func withLockIfAvailableUnchecked<Result>(_ body: (inout State) throws -> Result) rethrows -> Result? {
        guard storage.acquireIfFree() else { return nil }
        defer { storage.release() }
        return try body(&storage.value)
    }

    /// The same where the lock is free; else nil.
    public func withLockIfAvailable<Result: Sendable>(
        _ body: @Sendable (inout State) throws -> Result
    ) rethrows -> Result? {
        try withLockIfAvailableUnchecked(body)
    }
}

extension OSAllocatedUnfairLock where State: Sendable {
    /// Protects a value.
    public init(initialState: State) { self.init(uncheckedState: initialState) }
}

extension OSAllocatedUnfairLock where State == Void {
    /// A lock that protects what the program knows.
    public init() { self.init(uncheckedState: ()) }

    /// Waits for the lock and takes it. The thread that takes it must release it with ``unlock()``.
    public func lock() { storage.acquire() }
    /// Releases the lock. Called by the thread that took it.
    public func unlock() { storage.release() }
    /// Takes the lock if it is free, without waiting; returns whether it did.
    public func lockIfAvailable() -> Bool { storage.acquireIfFree() }

    /// Calls a closure while the lock is held.
    public func withLockUnchecked<Result>(_ body: () throws -> Result) rethrows -> Result {
        storage.acquire()
        defer { storage.release() }
        return try body()
    }

    /// Calls a closure while the lock is held.
    public func withLock<Result: Sendable>(_ body: @Sendable () throws -> Result) rethrows -> Result {
        try withLockUnchecked(body)
    }
}

/// A value and its lock, at a place that doesn't move.
private final class LockedState<Value> {
    var value: Value
    private let lock: UnsafeMutablePointer<unfair_lock>

    init(_ value: Value) {
        self.value = value
        lock = .allocate(capacity: 1)
        lock.initialize(to: unfair_lock())
    }

    deinit { lock.deallocate() }

    func acquire() { unfair_lock_acquire(lock) }
    func acquireIfFree() -> Bool { unfair_lock_try(lock) }
    func release() { unfair_lock_release(lock) }
    var isOwned: Bool { unfair_lock_is_owned(lock) }
}
