import Foundation

/// What the package manager finds a manifest to say, for those that compute their targets.
struct EvaluatedManifest {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let targets: [ManifestTarget]
    /// The folders of other packages that the package depends on.
    let localDependencies: [String]

    /// Has the package manager run the manifest, which takes a second or two.
    ///
    /// - Throws: where it fails, with the first error in the manifest.
    init(of package: PackageFolder) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("manifest-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
        // The folder is a temporary one: what can't be removed is the system's to clean.
        defer { try? FileManager.default.removeItem(at: folder) }
        // Files, not pipes: neither of the two can fill while the other is read.
        let (output, messages) = (folder.appendingPathComponent("out"), folder.appendingPathComponent("messages"))
        for file in [output, messages] { try Data().write(to: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "swift", "package", "--package-path", package.url.path, "--scratch-path",
            folder.appendingPathComponent("scratch").path, "dump-package",
        ]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = try FileHandle(forWritingTo: output)
        process.standardError = try FileHandle(forWritingTo: messages)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else {
            let text = String(decoding: try Data(contentsOf: messages), as: UTF8.self)
            let lines = text.split(separator: "\n")
            let line = lines.first { $0.contains("Package.swift:") && $0.contains(" error: ") } ?? lines.last
            throw Failure(description: String(line ?? "swift package dump-package fails"))
        }
        let dump = try JSONDecoder().decode(Dump.self, from: Data(contentsOf: output))
        targets = dump.targets.compactMap(\.target)
        localDependencies = dump.dependencies.flatMap { $0.fileSystem ?? [] }.map(\.path)
    }

    /// What `swift package dump-package` writes, as far as it is needed.
    private struct Dump: Decodable {
        struct Target: Decodable {
            let name: String
            let type: String
            let path: String?
            let exclude: [String]?
            let sources: [String]?

            /// Nil for targets without Swift sources.
            var target: ManifestTarget? {
                let kinds = [
                    "regular": "target", "executable": "executableTarget", "test": "testTarget", "macro": "macro",
                ]
                return kinds[type].map {
                    ManifestTarget(kind: $0, name: name, path: path, exclude: exclude ?? [], sources: sources)
                }
            }
        }

        struct Dependency: Decodable {
            struct Folder: Decodable {
                let path: String
            }

            let fileSystem: [Folder]?
        }

        let targets: [Target]
        let dependencies: [Dependency]
    }
}
