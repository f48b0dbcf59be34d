import Foundation

/// A folder beside a store, for files that are made there and then take the store's place, or move into it.
///
/// Its owner holds a lock on it, which ends with the process. A folder without a lock was left by a process that was
/// ended; the next opening of the store for writing removes it.
package struct WorkFolder {
    package let url: URL
    /// Negative where the file system knows no locks.
    private let lock: Int32

    private static let attempts = 10

    /// - Throws: a POSIX error that names the folder where none can be made there.
    package init(besides store: URL) throws {
        let parent = store.deletingLastPathComponent()
        for _ in 0..<Self.attempts {
            let url = parent.appendingPathComponent(
                "\(Self.prefix(of: store))\(UUID().uuidString)", isDirectory: true)
            guard mkdir(url.path, 0o700) == 0 else { throw Self.failure(parent) }
            let descriptor = open(url.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
            if descriptor >= 0 {
                let isLocked = flock(descriptor, LOCK_EX | LOCK_NB) == 0
                // Before it is locked, another process may take the new folder for one that was left, and remove it.
                if Self.isOpen(descriptor, url), isLocked || errno != EWOULDBLOCK {
                    (self.url, lock) = (url, descriptor)
                    return
                }
                close(descriptor)
            }
        }
        errno = EAGAIN
        throw Self.failure(parent)
    }

    /// Removes the folder with what is in it.
    package func remove() {
        // What stays is hidden, and is removed when the store is opened for writing.
        try? FileManager.default.removeItem(at: url)
        close(lock)
    }

    /// How many bytes a name may have on Linux.
    private static let longestName = 255

    /// Of a store whose name leaves no room for more, only the beginning: the UUID behind it and the lock tell the folders of such
    /// stores apart.
    private static func prefix(of store: URL) -> String {
        var name = store.lastPathComponent
        while name.utf8.count + ".-work-".utf8.count + UUID().uuidString.utf8.count > longestName { name.removeLast() }
        return ".\(name)-work-"
    }

    // MARK: What was left behind

    /// Removes what ended processes have left beside a store; what belongs to one that is alive stays.
    package static func removeRemains(besides store: URL) {
        let prefix = prefix(of: store)
        let parent = store.deletingLastPathComponent()
        for name in hiddenNames(in: parent, startingWith: prefix)
        where UUID(uuidString: String(name.dropFirst(prefix.count))) != nil {
            removeUnlocked(parent.appendingPathComponent(name, isDirectory: true))
        }
    }

    /// Opens a file or folder that is to be locked; negative where that fails.
    package static func openForLock(_ url: URL) -> Int32 {
        // A pipe would be waited for, and a link could lead anywhere.
        open(url.path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC)
    }

    /// Removes a file or folder unless it is locked.
    package static func removeUnlocked(_ url: URL) {
        let descriptor = openForLock(url)
        guard descriptor >= 0 else { return }
        defer { close(descriptor) }
        guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, isOpen(descriptor, url) else { return }
        // Files that can't be removed have unique names, so they do no harm.
        try? FileManager.default.removeItem(at: url)
    }

    /// The names in a folder that begin so. A folder may have many, and each opening of a store looks.
    package static func hiddenNames(in folder: URL, startingWith prefix: String) -> [String] {
        // A folder that can't be listed shows nothing.
        guard let stream = opendir(folder.path) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            // 46 is the full stop that hidden names begin with.
            guard entry.pointee.d_name.0 == 46 else { continue }
            let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            if name.hasPrefix(prefix) { names.append(name) }
        }
        return names
    }

    /// Whether a path still leads to the file that was opened.
    package static func isOpen(_ descriptor: Int32, _ url: URL) -> Bool {
        var (opened, present) = (stat(), stat())
        return fstat(descriptor, &opened) == 0 && lstat(url.path, &present) == 0
            && opened.st_ino == present.st_ino && opened.st_dev == present.st_dev
    }

    private static func failure(_ folder: URL) -> any Error {
        POSIXError(
            POSIXErrorCode(rawValue: errno) ?? .EIO,
            userInfo: [
                NSFilePathErrorKey: folder.path,
                NSLocalizedDescriptionKey: "\(folder.path): \(String(cString: strerror(errno)))",
            ])
    }
}
