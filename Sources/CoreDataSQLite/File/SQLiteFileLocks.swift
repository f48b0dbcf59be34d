import Foundation
import Synchronization

/// Looks at a database file, and at the locks that SQLite holds on it, without taking any.
enum SQLiteFileLocks {
    /// The bytes on which SQLite's connections hold their locks: <https://www.sqlite.org/lockingv3.html>.
    private static let lockedOffset = 0x4000_0000
    private static let lockedLength = 512
    /// `F_OFD_GETLK`, which the C module doesn't export. Unlike `F_GETLK` it shows this process's own locks too.
    private static let queryCommand: Int32 = 36

    private struct Identity: Hashable {
        var device: UInt64
        var inode: UInt64
    }

    /// Descriptors of files that this process has open in SQLite. Closing one would drop SQLite's own locks, as POSIX
    /// locks belong to the process: <https://www.sqlite.org/howtocorrupt.html>. One is kept for each such file, until
    /// the file is looked at when SQLite has closed it.
    private static let kept = Mutex<[Identity: Int32]>([:])

    /// Reads the first bytes of a file, and whether any connection, in this process or another, has it locked.
    ///
    /// - Returns: nil with `errno` set where the file can't be read.
    static func inspect(_ path: String, count: Int) -> (header: [UInt8], isLocked: Bool)? {
        kept.withLock { kept in
            var status = stat()
            guard stat(path, &status) == 0 else { return nil }
            guard status.st_mode & S_IFMT == S_IFREG else {
                errno = EINVAL
                return nil
            }
            let identity = Identity(device: UInt64(status.st_dev), inode: UInt64(status.st_ino))
            let descriptor = kept[identity] ?? open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            var header = [UInt8](repeating: 0, count: count)
            let read = pread(descriptor, &header, count, 0)
            let cause = errno
            let owner = lockOwner(descriptor)
            if owner == getpid() {
                kept[identity] = descriptor
            } else {
                kept[identity] = nil
                close(descriptor)
            }
            guard read >= 0 else {
                errno = cause
                return nil
            }
            return (Array(header.prefix(read)), owner != nil)
        }
    }

    /// The process that has a lock on a database file.
    private static func lockOwner(_ descriptor: Int32) -> pid_t? {
        var query = flock()
        query.l_type = Int16(F_WRLCK)
        query.l_whence = Int16(SEEK_SET)
        query.l_start = lockedOffset
        query.l_len = lockedLength
        guard fcntl(descriptor, queryCommand, &query) == 0, query.l_type != Int16(F_UNLCK) else { return nil }
        return query.l_pid
    }
}
