import CSwiftRuntime
import Foundation

/// Writes through to the disk, so that what was written is there after a power cut.
package enum Disk {
    /// Waits until a file's contents, or a folder's names, are on the disk.
    ///
    /// A file that was made or renamed is only there after a power cut once its folder is written through as well.
    ///
    /// - Throws: an error that names the file.
    package static func synchronize(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure(url) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else {
            // Some file systems have no way to write a folder through, and need none.
            if errno == EINVAL || errno == ENOTSUP { return }
            throw failure(url)
        }
    }

    /// The same for a file, or for a folder with everything in it.
    package static func synchronizeAll(_ url: URL) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: url.path, isDirectory: &isFolder), isFolder.boolValue {
            for name in try FileManager.default.contentsOfDirectory(atPath: url.path) {
                try synchronizeAll(url.appendingPathComponent(name))
            }
        }
        try synchronize(url)
    }

    /// Makes a folder that isn't there yet, through to the disk, with those above it.
    ///
    /// - Parameter mode: what the new folders have from the moment that they exist; what the process gives them where it is nil.
    package static func makeFolder(_ url: URL, mode: mode_t? = nil) throws {
        if FileManager.default.fileExists(atPath: url.path) { return }
        let parent = url.deletingLastPathComponent()
        try makeFolder(parent, mode: mode)
        guard mkdir(url.path, mode ?? 0o777) == 0 else {
            let error = failure(url)
            // Another process may have made it meanwhile.
            if FileManager.default.fileExists(atPath: url.path) { return }
            throw error
        }
        // What the umask takes away comes back only now; it never has more.
        if let mode, chmod(url.path, mode) != 0 { throw failure(url) }
        try synchronize(parent)
    }

    /// Gives a file another one's name, in one step and through to the disk.
    package static func rename(_ file: URL, to target: URL) throws {
        guard Foundation.rename(file.path, target.path) == 0 else { throw failure(target) }
        try synchronize(target.deletingLastPathComponent())
    }

    /// Exchanges the names of two files or folders, in one step and through to the disk.
    ///
    /// - Parameter other: in the same folder.
    /// - Returns: false, with nothing done, where the system can't.
    package static func exchange(_ url: URL, with other: URL) throws -> Bool {
        guard exchange_names(url.path, other.path) == 0 else {
            if [ENOSYS, EINVAL, ENOTSUP].contains(errno) { return false }
            throw failure(url)
        }
        try synchronize(url.deletingLastPathComponent())
        return true
    }

    private static func failure(_ url: URL) -> NSError {
        let cause = errno
        return NSError(
            domain: NSPOSIXErrorDomain, code: Int(cause),
            userInfo: [
                NSLocalizedDescriptionKey: "\(url.path): \(String(cString: strerror(cause)))",
                NSFilePathErrorKey: url.path,
            ])
    }
}
