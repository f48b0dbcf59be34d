import Synchronization

/// A lock around state that isn't `Sendable` and that only its owner reaches.
///
/// `Mutex` returns only `Sendable` values. Managed objects and stores aren't, and a registry has to return them.
struct ExclusiveLock: ~Copyable {
    private let mutex = Mutex(())

    @inline(__always)
    borrowing func withLock<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        mutex.withLock { _ in result = body() }
        return result.unsafelyUnwrapped
    }
}
