import Foundation

/// Compiled models that earlier builds made from sources that the target no longer has.
///
/// The package manager takes away neither what a plugin made nor the copy in the bundle of resources, where a program would
/// go on finding the model.
package struct StaleResources {
    private static let pathExtensions: Set<String> = ["momd", "mom", "cdm"]

    private let outputs: URL
    private let names: [String]

    /// Looks for what is stale.
    ///
    /// - Parameters:
    ///   - outputs: the folder that holds everything that the plugin makes for the target, and nothing else.
    ///   - current: the names of the resources that the target has now.
    package init(outputs: URL, current: Set<String>) {
        self.outputs = outputs
        // A folder that isn't there has nothing stale in it.
        let present = (try? FileManager.default.contentsOfDirectory(atPath: outputs.path)) ?? []
        names = present.filter {
            Self.pathExtensions.contains(($0 as NSString).pathExtension) && !current.contains($0)
        }
    }

    /// Removes what is stale, and its copies in the target's bundle of resources in every configuration.
    ///
    /// - Parameters:
    ///   - bundle: the name of the bundle.
    ///   - buildFolder: the folder whose subfolders are platforms, and theirs configurations.
    package func remove(fromBundlesNamed bundle: String, in buildFolder: URL) throws {
        guard !names.isEmpty else { return }
        let folders = [outputs] + bundles(named: bundle, in: buildFolder)
        for file in folders.flatMap({ folder in names.map { folder.appendingPathComponent($0) } })
        where FileManager.default.fileExists(atPath: file.path) {
            try FileManager.default.removeItem(at: file)
        }
    }

    private func bundles(named bundle: String, in buildFolder: URL) -> [URL] {
        subfolders(of: buildFolder).flatMap(subfolders(of:)).map { $0.appendingPathComponent(bundle) }
    }

    /// Those that are no links: the build folder has some to its own subfolders.
    private func subfolders(of folder: URL) -> [URL] {
        // A folder that can't be listed has no resources to remove; what isn't known to be a plain folder is left alone.
        let found = try? FileManager.default.contentsOfDirectory(
            at: folder, includingPropertiesForKeys: [.isDirectoryKey])
        return (found ?? []).filter {
            // That there is no target says that it is no link.
            (try? $0.resourceValues(forKeys: [.isDirectoryKey]).isDirectory) == true
                && (try? FileManager.default.destinationOfSymbolicLink(atPath: $0.path)) == nil
        }
    }
}
