import Foundation

/// Files that a build makes.
package enum OutputFile {
    /// Writes a text unless the file has it already, so that what depends on it isn't built again.
    package static func write(_ text: String, to url: URL) throws {
        let data = Data(text.utf8)
        // A file that can't be read is written.
        if let present = try? Data(contentsOf: url), present == data { return }
        try FileManager.default.createDirectory(
            at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: url, options: .atomic)
    }
}
