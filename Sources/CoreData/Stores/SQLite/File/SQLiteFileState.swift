import Foundation

/// What a file and its journals look like from outside, which changes with whatever is written to them.
struct SQLiteFileState: Equatable, Sendable {
    private struct Part: Equatable {
        var inode: UInt64
        var size: Int64
        var seconds: Int
        var nanoseconds: Int
    }

    private let parts: [Part?]

    init(_ url: URL) {
        parts = ["", "-wal", "-journal"].map { suffix in
            var status = stat()
            guard stat(url.path + suffix, &status) == 0 else { return nil }
            return Part(
                inode: UInt64(status.st_ino), size: Int64(status.st_size), seconds: Int(status.st_mtim.tv_sec),
                nanoseconds: Int(status.st_mtim.tv_nsec))
        }
    }
}
