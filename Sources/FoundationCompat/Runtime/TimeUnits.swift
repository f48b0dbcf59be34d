// The units of time that Dispatch declares on Apple's platforms and Linux' lacks: programs write `500 * NSEC_PER_MSEC` for
// `Task.sleep(nanoseconds:)` and divide by them.

/// The nanoseconds of a second (Apple: NSEC_PER_SEC).
public var NSEC_PER_SEC: UInt64 { 1_000_000_000 }

/// The nanoseconds of a millisecond (Apple: NSEC_PER_MSEC).
public var NSEC_PER_MSEC: UInt64 { 1_000_000 }

/// The nanoseconds of a microsecond (Apple: NSEC_PER_USEC).
public var NSEC_PER_USEC: UInt64 { 1000 }

/// The microseconds of a second (Apple: USEC_PER_SEC).
public var USEC_PER_SEC: UInt64 { 1_000_000 }

/// The milliseconds of a second (Apple: MSEC_PER_SEC).
public var MSEC_PER_SEC: UInt64 { 1000 }
