import Foundation

/// A file system of its own in memory, which root can mount.
final class SmallDisk {
    private let url: URL

    struct Failure: Error {
        let arguments: [String]
    }

    /// Whether file systems can be mounted here: tried once.
    static let canBeMade: Bool = {
        guard getuid() == 0, let folder = try? TemporaryFolder() else { return false }
        guard let disk = try? SmallDisk(at: folder.url, kilobytes: 64) else { return false }
        disk.remove()
        return true
    }()

    init(at url: URL, kilobytes: Int) throws {
        self.url = url
        try Self.run("mount", "-t", "tmpfs", "-o", "size=\(kilobytes)k", "tmpfs", url.path)
    }

    func grow(toKilobytes size: Int) throws { try Self.run("mount", "-o", "remount,size=\(size)k", url.path) }

    func makeReadOnly() throws { try Self.run("mount", "-o", "remount,ro", url.path) }

    func remove() { try? Self.run("umount", "-l", url.path) }

    private static func run(_ arguments: String...) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw Failure(arguments: arguments) }
    }
}
