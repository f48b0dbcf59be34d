import Foundation

/// A file system of its own in memory, which root can mount.
package final class SmallDisk: Sendable {
    private let url: URL

    package struct Failure: Error {
        let arguments: [String]
    }

    /// Whether file systems can be mounted here: tried once.
    package static let canBeMade: Bool = {
        guard getuid() == 0, let folder = try? TemporaryFolder() else { return false }
        guard let disk = try? SmallDisk(at: folder.url, kilobytes: 64) else { return false }
        disk.remove()
        return true
    }()

    package init(at url: URL, kilobytes: Int) throws {
        self.url = url
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", url.path)
    }

    package func grow(toKilobytes size: Int) throws { try Self.run("mount", "-o", "remount,size=\(size)k", url.path) }

    package func makeReadOnly() throws { try Self.run("mount", "-o", "remount,ro", url.path) }

    package func remove() { try? Self.run("umount", "-l", url.path) }

    /// Leaves no room but that which is taken.
    package func fill() throws {
        // Somebody may take more between the look and the change, which is refused then.
        for _ in 0..<50 {
            if (try? grow(toKilobytes: usedKilobytes)) != nil { return }
        }
        try grow(toKilobytes: usedKilobytes)
    }

    /// Makes so much room beyond that which is taken.
    package func clear(kilobytes: Int) throws { try grow(toKilobytes: usedKilobytes + kilobytes) }

    private var usedKilobytes: Int {
        get throws {
            var status = statvfs()
            guard statvfs(url.path, &status) == 0 else { throw Failure(arguments: ["statvfs", url.path]) }
            // A page at least, as no size is no limit.
            return max(4, Int(status.f_blocks - status.f_bfree) * Int(status.f_frsize) / 1024)
        }
    }

    private static func run(_ arguments: String...) throws {
        guard try ProgramRun("env", arguments).succeeded else { throw Failure(arguments: arguments) }
    }
}
