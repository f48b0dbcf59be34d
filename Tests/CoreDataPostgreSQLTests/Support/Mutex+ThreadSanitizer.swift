#if THREAD_SANITIZER
    import FoundationCompat

    /// A lock that the Thread Sanitizer sees.
    typealias Mutex = SanitizedMutex
#endif
