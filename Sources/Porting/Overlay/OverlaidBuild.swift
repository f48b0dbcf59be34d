import Foundation
import ModelCompiler

/// A run of the Swift package manager on a package whose sources the compiler sees ported.
package struct OverlaidBuild {
    /// To be raised when sources are rewritten in another way, so that what is built already is built again.
    private static let format = 1
    /// What manifests are compiled as that are too old to know plugins.
    private static let manifestVersion = "6.1"

    /// What the overlay can't change.
    package private(set) var remarks: [PortingRemark] = []
    /// The arguments of `swift`.
    package private(set) var arguments: [String] = []

    /// Writes the overlay.
    ///
    /// - Parameters:
    ///   - command: "build", "test", "run" or another command of `swift`.
    ///   - arguments: the command's arguments.
    ///   - openCoreData: the folder of this package.
    package init(command: String, arguments: [String], openCoreData: URL) throws {
        let folder = URL(fileURLWithPath: Self.value(of: "--package-path", in: arguments) ?? ".", isDirectory: true)
        let root = try PackageFolder(folder)
        let scratch =
            (Self.value(of: "--scratch-path", in: arguments) ?? Self.value(of: "--build-path", in: arguments))
            .map { URL(fileURLWithPath: $0, isDirectory: true) } ?? root.url.appendingPathComponent(".build")
        let place = scratch.standardizedFileURL.appendingPathComponent("coredata-\(Self.format)")
        var sources = SourceOverlay(folder: place.appendingPathComponent("sources"))
        var manifests = SourceOverlay(folder: place.appendingPathComponent("manifests"))
        var hasOldManifest = false

        var pending = [root]
        var seen: Set<String> = [openCoreData.standardizedFileURL.resolvingSymlinksInPath().path]
        while let package = pending.popLast() {
            guard seen.insert(package.url.path).inserted else { continue }
            let port = try PackagePort(package, reference: .folder(openCoreData.path), style: .overlay)
            remarks += port.remarks
            for change in port.changes {
                if change.file == package.manifest {
                    try manifests.add(change.after, over: change.file)
                    hasOldManifest = hasOldManifest || port.hasOldManifest
                } else {
                    try sources.add(change.after, over: change.file)
                }
            }
            // A dependency that isn't there as a package is told by the build, which follows.
            pending += port.localDependencies.compactMap { try? PackageFolder($0) }
        }
        try sources.write()
        try manifests.write()

        // A manifest that the cache knows isn't compiled again, whatever lies over it.
        let manifestFlags =
            ["-vfsoverlay", manifests.description.path]
            + (hasOldManifest ? ["-package-description-version", Self.manifestVersion] : [])
        self.arguments =
            [command, "--manifest-cache", "none"]
            + manifestFlags.flatMap { ["-Xbuild-tools-swiftc", $0] }
            + ["-vfsoverlay", sources.description.path].flatMap { ["-Xswiftc", $0] } + arguments
    }

    private static func value(of option: String, in arguments: [String]) -> String? {
        for (index, argument) in arguments.enumerated() {
            if argument == option, index + 1 < arguments.count { return arguments[index + 1] }
            if argument.hasPrefix(option + "=") { return String(argument.dropFirst(option.count + 1)) }
        }
        return nil
    }

    /// Becomes `swift`, so that signals and the terminal are its own. Returns only where that fails, with the reason.
    package func replaceProcess() throws -> String {
        setenv(PortedSources.variable, "1", 1)
        let words = (["swift"] + arguments).map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        execvp("swift", words)
        return "can't be run: \(String(cString: strerror(errno)))"
    }
}
