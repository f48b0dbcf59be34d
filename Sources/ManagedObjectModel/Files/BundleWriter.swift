import Foundation

/// Writes directories of files, all or nothing.
enum BundleWriter {
    /// Writes files by their paths within the directory, replacing an existing directory as a whole.
    static func write(_ files: [String: Data], to url: URL) throws {
        let manager = FileManager.default
        let parent = url.deletingLastPathComponent()
        let temporary = parent.appendingPathComponent(".\(url.lastPathComponent).\(UUID().uuidString)")
        do {
            try manager.createDirectory(at: temporary, withIntermediateDirectories: true)
            for (path, data) in files {
                let file = temporary.appendingPathComponent(path)
                try manager.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try data.write(to: file)
            }
            if manager.fileExists(atPath: url.path) {
                let old = parent.appendingPathComponent(".\(url.lastPathComponent).old.\(UUID().uuidString)")
                try manager.moveItem(at: url, to: old)
                try manager.moveItem(at: temporary, to: url)
                try manager.removeItem(at: old)
            } else {
                try manager.moveItem(at: temporary, to: url)
            }
        } catch {
            // The failure that is thrown is the one that matters.
            try? manager.removeItem(at: temporary)
            throw ModelFileError(.unreadable, "it cannot be written: \(error.localizedDescription)", in: url)
        }
    }
}
