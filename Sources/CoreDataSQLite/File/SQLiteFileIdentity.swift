import Foundation

/// Which file a path leads to, whatever it is called.
struct SQLiteFileIdentity: Equatable, Sendable {
    private let device: UInt64
    private let inode: UInt64

    /// Nil where there is no file.
    init?(_ url: URL) {
        var status = stat()
        guard stat(url.path, &status) == 0 else { return nil }
        device = UInt64(status.st_dev)
        inode = UInt64(status.st_ino)
    }
}
