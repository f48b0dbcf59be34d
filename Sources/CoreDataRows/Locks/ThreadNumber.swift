#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// What tells threads apart that are alive. Never 0.
package enum ThreadNumber {
    /// The calling thread's.
    package static var current: Int {
        #if canImport(Glibc)
            Int(truncatingIfNeeded: pthread_self())
        #else
            Int(bitPattern: pthread_self())
        #endif
    }
}
