#if THREAD_SANITIZER
    import Foundation

    /// What this module takes for `Synchronization.Mutex` where it is built for the Thread Sanitizer, which sees the locks of
    /// pthreads but not the system calls behind that one, and would report every access that it keeps apart.
    final class Mutex<Value>: @unchecked Sendable {
        private let lock = NSLock()
        private var value: Value

        init(_ value: Value) { self.value = value }

        func withLock<Result, Failure: Error>(_ body: (inout Value) throws(Failure) -> Result) throws(Failure) -> Result
        {
            lock.lock()
            defer { lock.unlock() }
            return try body(&value)
        }
    }
#endif
