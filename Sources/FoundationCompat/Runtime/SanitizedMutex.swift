#if THREAD_SANITIZER
    import Foundation

    // Safe: the value is reached under the lock only.
    /// What the modules of this package take for `Synchronization.Mutex` where they are built for the Thread Sanitizer, which sees
    /// the locks of pthreads but not the system calls behind that one, and would report every access that it keeps apart. A
    /// module takes it by an alias of its own, as that is found before what it imports.
    package final class SanitizedMutex<Value>: @unchecked Sendable {
        private let lock = NSLock()
        /// Memory of its own: a value of no size would lie at the address of the object itself, which is read without the lock.
        private let value: UnsafeMutablePointer<Value>

        package init(_ value: Value) {
            self.value = .allocate(capacity: 1)
            self.value.initialize(to: value)
        }

        deinit {
            value.deinitialize(count: 1)
            value.deallocate()
        }

        package func withLock<Result, Failure: Error>(
            _ body: (inout Value) throws(Failure) -> Result
        ) throws(Failure) -> Result {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value.pointee)
        }
    }
#endif
