#if THREAD_SANITIZER
    import Foundation

    // Safe: the value is reached under the lock only.
    /// What this module takes for `Synchronization.Mutex` where it is built for the Thread Sanitizer, which sees the locks of
    /// pthreads but not the system calls behind that one, and would report every access that it keeps apart.
    final class Mutex<Value>: @unchecked Sendable {
        private let lock = NSLock()
        /// Memory of its own: a value of no size would lie at the address of the object itself, which is read without the lock.
        private let value: UnsafeMutablePointer<Value>

        init(_ value: Value) {
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
        }

        func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result
        {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value.pointee)
        }
    }
#endif
