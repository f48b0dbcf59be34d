/// What sources say in front of a name that they have more than one of: `os.Logger`. On Apple's platforms this is the module
/// `os`.
public enum os {
    /// `Logger`, for sources that write the module's name in front.
    public typealias Logger = UnifiedLogging.Logger
    /// `OSLog`, for sources that write the module's name in front.
    public typealias OSLog = UnifiedLogging.OSLog
    /// `OSLogType`, for sources that write the module's name in front.
    public typealias OSLogType = UnifiedLogging.OSLogType
    /// `OSLogMessage`, for sources that write the module's name in front.
    public typealias OSLogMessage = UnifiedLogging.OSLogMessage
    /// `OSAllocatedUnfairLock`, for sources that write the module's name in front.
    public typealias OSAllocatedUnfairLock = UnifiedLogging.OSAllocatedUnfairLock
    /// `os_unfair_lock`, for sources that write the module's name in front.
    public typealias os_unfair_lock = UnifiedLogging.os_unfair_lock
    /// `os_unfair_lock_s`, for sources that write the module's name in front.
    public typealias os_unfair_lock_s = UnifiedLogging.os_unfair_lock_s
    /// `os_unfair_lock_t`, for sources that write the module's name in front.
    public typealias os_unfair_lock_t = UnifiedLogging.os_unfair_lock_t
}

/// The same for the module `OSLog`, whose class has its name.
extension OSLog {
    /// `Logger`, for sources that write the module's name in front.
    public typealias Logger = UnifiedLogging.Logger
    /// `OSLog`, for sources that write the module's name in front.
    public typealias OSLog = UnifiedLogging.OSLog
    /// `OSLogType`, for sources that write the module's name in front.
    public typealias OSLogType = UnifiedLogging.OSLogType
    /// `OSLogMessage`, for sources that write the module's name in front.
    public typealias OSLogMessage = UnifiedLogging.OSLogMessage
}
