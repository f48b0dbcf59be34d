import Foundation

extension URL {
    /// The file that a symbolic link leads to, also where it isn't there yet; the URL itself where it is none.
    ///
    /// SQLite follows links, so a log lies beside the file and not beside the link; what else belongs to a store must lie there
    /// too. Links of folders change nothing, as all files of a store lie in one.
    package var followingLinks: URL {
        guard isFileURL else { return self }
        var file = self
        // As many as Linux follows.
        for _ in 0..<40 {
            // What can't be read is no link.
            guard let target = try? FileManager.default.destinationOfSymbolicLink(atPath: file.path) else { break }
            file = URL(fileURLWithPath: target, relativeTo: file.deletingLastPathComponent()).absoluteURL
        }
        return file
    }
}
