import Synchronization

/// A lock around state that isn't `Sendable` and that only its owner reaches.
///
/// `Mutex` lets nothing out that isn't; managed objects and stores are not, though handing one over under the lock is just
/// what a registry is for.
struct ExclusiveLock: ~Copyable {
    private let mutex = Mutex(())

    @inline(__always)
    borrowing func withLock<Result>(_ body: () -> Result) -> Result {
        var result: Result?
        mutex.withLock { _ in result = body() }
        return result.unsafelyUnwrapped
    }
}
