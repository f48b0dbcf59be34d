import Foundation

/// A package's folder, and the files in it that may need porting.
package struct PackageFolder {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    package let url: URL

    package var manifest: URL { url.appendingPathComponent("Package.swift") }

    /// - Throws: where the folder has no manifest.
    package init(_ url: URL) throws {
        self.url = url.standardizedFileURL.resolvingSymlinksInPath()
        guard FileManager.default.fileExists(atPath: manifest.path) else {
            throw Failure(
                description: "\(url.path) has no Package.swift. For sources of an Xcode project, write one that names "
                    + "their folders as targets.")
        }
    }

    /// The folder of a target, where there is one.
    package func folder(of target: ManifestTarget, among all: [ManifestTarget]) -> URL? {
        var candidates = target.path.map { [$0] } ?? target.standardFolders
        // The only target of its kind may have its sources in the folder of all.
        if target.path == nil, all.count(where: { $0.kind == target.kind }) == 1 {
            candidates.append(target.kind == "testTarget" ? "Tests" : "Sources")
        }
        return candidates.lazy.map { url.appendingPathComponent($0).standardizedFileURL }.first {
            FileManager.default.fileExists(atPath: $0.path)
        }
    }

    /// The Swift files under a folder of the package, in order, without what builds and tools keep there.
    package static func sources(under folder: URL) -> [URL] {
        contents(of: folder) { $0.pathExtension == "swift" }
    }

    /// The Swift files that belong to a target whose folder that is.
    package static func sources(of target: ManifestTarget, in folder: URL) -> [URL] {
        sources(under: folder).filter { target.contains($0, in: folder) }
    }

    /// Whether a target whose folder that is has a model.
    package static func hasModel(_ target: ManifestTarget, in folder: URL) -> Bool {
        !models(of: target, in: folder).isEmpty
    }

    /// The models that belong to a target whose folder that is, without the versions inside of bundles.
    package static func models(of target: ManifestTarget, in folder: URL) -> [URL] {
        contents(of: folder) { ["xcdatamodeld", "xcdatamodel"].contains($0.pathExtension) }.filter {
            target.contains($0, in: folder) && $0.deletingLastPathComponent().pathExtension != "xcdatamodeld"
        }
    }

    private static func contents(of folder: URL, where isWanted: (URL) -> Bool) -> [URL] {
        guard
            let files = FileManager.default.enumerator(
                at: folder, includingPropertiesForKeys: nil, options: [.skipsHiddenFiles])
        else { return [] }
        return files.compactMap { $0 as? URL }.filter(isWanted).map(\.standardizedFileURL).sorted { $0.path < $1.path }
    }

    /// The path of a file as seen from the folder.
    package func relativePath(_ file: URL) -> String {
        let prefix = url.path.hasSuffix("/") ? url.path : url.path + "/"
        return file.path.hasPrefix(prefix) ? String(file.path.dropFirst(prefix.count)) : file.path
    }
}

extension ManifestTarget {
    /// Whether a file in the target's folder is one of the target.
    fileprivate func contains(_ file: URL, in folder: URL) -> Bool {
        let isUnder = { (path: String) in
            let listed = folder.appendingPathComponent(path).standardizedFileURL.path
            return file.path == listed || file.path.hasPrefix(listed.hasSuffix("/") ? listed : listed + "/")
        }
        guard !exclude.contains(where: isUnder) else { return false }
        return sources?.contains(where: isUnder) ?? true
    }
}
