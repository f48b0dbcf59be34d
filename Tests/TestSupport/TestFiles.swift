import Foundation

/// The files that tests read.
package enum TestFiles {
    /// The folder of this package.
    package static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    /// Where the files are that Apple's framework and tools wrote. Not every machine has them (see CONTRIBUTING.md): tests that
    /// need one are enabled by its presence, so that they count as skipped without it.
    package static let fixtures: URL = {
        let path = ProcessInfo.processInfo.environment["COREDATA_FIXTURES"] ?? "../shared/fixtures"
        return URL(fileURLWithPath: path, relativeTo: package).standardizedFileURL
    }()
}
