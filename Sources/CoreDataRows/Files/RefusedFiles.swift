import Foundation
import Synchronization

/// The files that this process has tried to read as stores, and that are none or damaged beyond reading.
///
/// A program that destroys or replaces such a file next mends a damaged store, as many do. Without that the likeliest reason for
/// foreign content is a wrong path, and the file is left alone.
package enum RefusedFiles {
    /// By path without symbolic links, as the file was then.
    private static let known = Mutex<[String: FileStamp]>([:])

    /// Takes note of a file where the error says that it can't be read as a store.
    package static func note(_ url: URL, for error: any Error) {
        let error = error as NSError
        guard url.isFileURL, error.domain == NSCocoaErrorDomain,
            error.code == CocoaError.fileReadCorruptFile.rawValue
        else { return }
        let path = url.resolvingSymlinksInPath().path
        guard let stamp = FileStamp(path: path) else { return }
        known.withLock { $0[path] = stamp }
    }

    /// Whether a file is one of them, and is as it was then.
    package static func contains(_ url: URL) -> Bool {
        let path = url.resolvingSymlinksInPath().path
        guard let stamp = known.withLock({ $0[path] }) else { return false }
        return FileStamp(path: path) == stamp
    }
}
