import Foundation

extension ModelVersions {
    /// Writes a `.momd` that Apple's framework reads: a `.mom` for each version, and `VersionInfo.plist`.
    ///
    /// An existing directory is replaced as a whole, and only once everything has been written beside it.
    public func writeCompiled(to url: URL) throws {
        var files = ["VersionInfo.plist": VersionInfo(currentVersionName: currentVersionName, models: models).data()]
        for (name, model) in models {
            do {
                files["\(name).mom"] = try model.archivedData()
            } catch let error as ModelFileError {
                throw error.located(in: url.appendingPathComponent("\(name).mom"))
            }
        }
        try BundleWriter.write(files, to: url)
    }
}

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
