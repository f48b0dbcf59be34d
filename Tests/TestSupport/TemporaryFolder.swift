import Foundation

/// A folder that goes with the object, or with the test run where the object's process ends by a trap: exit tests are processes
/// of their own, which inherit the run's name.
package final class TemporaryFolder: Sendable {
    package let url: URL

    package init() throws {
        url = FileManager.default.temporaryDirectory.appendingPathComponent("\(Self.prefix)\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    private static let variable = "COREDATA_TEST_RUN"

    /// What the folders of this run begin with.
    private static let prefix: String = {
        if let run = ProcessInfo.processInfo.environment[variable] { return "coredata-\(run)-" }
        let run = "\(ProcessInfo.processInfo.processIdentifier)"
        setenv(variable, run, 1)
        atexit { TemporaryFolder.removeLeft() }
        return "coredata-\(run)-"
    }()

    private static func removeLeft() {
        let folder = FileManager.default.temporaryDirectory
        // What can't be removed at the end of all tests is nobody's any more.
        for name in (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        where name.hasPrefix(prefix) {
            try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
        }
    }
}
