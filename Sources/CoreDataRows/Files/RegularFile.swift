import Foundation

/// Looks into files whose names a store or a folder supplies: reading a pipe or a device in the place of a file may
/// block for ever.
package enum RegularFile {
    /// What has a name, which may be a link.
    package struct Status {
        /// Whether it is a regular file, and no link to one.
        package let isRegular: Bool
        /// Whether it is a symbolic link, wherever that leads.
        package let isLink: Bool
        /// Whether it is a regular file with a further name, by which others may know it as theirs (a hard link).
        package let hasOtherName: Bool
    }

    /// What has a name; nil where nothing has.
    package static func status(of path: String) -> Status? {
        var status = stat()
        guard lstat(path, &status) == 0 else { return nil }
        let kind = status.st_mode & S_IFMT
        return Status(
            isRegular: kind == S_IFREG, isLink: kind == S_IFLNK, hasOtherName: kind == S_IFREG && status.st_nlink > 1)
    }

    /// The first bytes of a file; nil where there is none, or it can't be read.
    package static func firstBytes(of path: String, count: Int) -> [UInt8]? {
        bytes(of: path, count: count) { _ in 0 }
    }

    /// The last bytes of a file; nil where there is none, or it can't be read.
    package static func lastBytes(of path: String, count: Int) -> [UInt8]? {
        bytes(of: path, count: count) { max(0, $0 - count) }
    }

    private static func bytes(of path: String, count: Int, from offset: (_ size: Int) -> Int) -> [UInt8]? {
        let descriptor = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        var bytes = [UInt8](repeating: 0, count: count)
        let read = pread(descriptor, &bytes, count, offset(Int(status.st_size)))
        return read < 0 ? nil : Array(bytes.prefix(read))
    }

    /// The contents of a file.
    ///
    /// - Throws: an error where it is missing, can't be read, or is no regular file.
    package static func contents(of url: URL) throws -> Data {
        var status = stat()
        if stat(url.path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
            throw CocoaError(
                .fileReadUnknown,
                userInfo: [
                    NSFilePathErrorKey: url.path,
                    NSLocalizedDescriptionKey: "\(url.path) is no regular file, but a folder, a pipe or a device.",
                ])
        }
        return try Data(contentsOf: url)
    }
}
