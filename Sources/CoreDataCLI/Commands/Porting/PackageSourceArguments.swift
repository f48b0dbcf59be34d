import ArgumentParser
import Foundation
import Porting

/// Where a ported package finds OpenCoreData.
struct PackageSourceArguments: ParsableArguments {
    private static let manifestName = "Package.swift"
    private static let packageName = "name: \"OpenCoreData\""

    @Option(
        help: ArgumentHelp(
            "Where OpenCoreData is: the URL of a repository, or a folder. Else the folder that the tool was built in.",
            valueName: "url or folder"))
    var package: String?

    @Option(help: "A branch of the repository, instead of the tool's own version and later ones.")
    var branch: String?

    func reference() throws -> PackageReference {
        guard let package else { return .folder(try Self.ownFolder().path) }
        if package.contains("://") || package.contains("@") {
            // A package that depends on a branch can't be depended on by version.
            let version = CoreDataCommand.configuration.version
            return .repository(url: package, requirement: branch.map { "branch: \"\($0)\"" } ?? "from: \"\(version)\"")
        }
        return .folder(URL(fileURLWithPath: package, isDirectory: true).standardizedFileURL.path)
    }

    /// The package's folder that the running tool was built in.
    static func ownFolder() throws -> URL {
        let executable = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        var folder = URL(fileURLWithPath: executable).deletingLastPathComponent()
        while folder.path != "/" {
            let manifest = folder.appendingPathComponent(manifestName)
            // A folder without a manifest that can be read isn't the package's.
            if let text = try? String(contentsOf: manifest, encoding: .utf8), text.contains(packageName) {
                return folder
            }
            folder.deleteLastPathComponent()
        }
        throw CommandFailure(
            "This tool is in no folder of OpenCoreData's package: say where that is, with --package or in the "
                + "environment variable OPENCOREDATA.")
    }
}
