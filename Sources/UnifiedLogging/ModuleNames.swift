/// What sources say in front of a name that they have more than one of: `os.Logger`. On Apple's platforms this is the module
/// `os`.
public enum os {
    public typealias Logger = UnifiedLogging.Logger
    public typealias OSLog = UnifiedLogging.OSLog
    public typealias OSLogType = UnifiedLogging.OSLogType
    public typealias OSLogMessage = UnifiedLogging.OSLogMessage
    public typealias OSAllocatedUnfairLock = UnifiedLogging.OSAllocatedUnfairLock
    public typealias os_unfair_lock = UnifiedLogging.os_unfair_lock
    public typealias os_unfair_lock_s = UnifiedLogging.os_unfair_lock_s
    public typealias os_unfair_lock_t = UnifiedLogging.os_unfair_lock_t
}

/// The same for the module `OSLog`, whose class has its name.
extension OSLog {
    public typealias Logger = UnifiedLogging.Logger
    public typealias OSLog = UnifiedLogging.OSLog
    public typealias OSLogType = UnifiedLogging.OSLogType
    public typealias OSLogMessage = UnifiedLogging.OSLogMessage
}
