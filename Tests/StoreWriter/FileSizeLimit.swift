import Foundation

/// A disk that is full for every file that reaches a size.
enum FileSizeLimit {
    /// Limits what this process can write to any one file. Writing more fails then, as on a full disk.
    static func set(_ bytes: Int) {
        signal(SIGXFSZ, SIG_IGN)
        var limit = rlimit(rlim_cur: rlim_t(bytes), rlim_max: rlim_t(bytes))
        setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
    }
}
