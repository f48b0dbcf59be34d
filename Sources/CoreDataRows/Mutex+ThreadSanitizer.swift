#if THREAD_SANITIZER
    import FoundationCompat

    /// A lock that the Thread Sanitizer sees.
    package typealias Mutex = SanitizedMutex
#endif
