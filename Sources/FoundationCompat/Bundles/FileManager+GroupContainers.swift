import Foundation

extension FileManager {
    /// The folder that the apps and extensions of a group share, made where it isn't there, for its owner alone; nil for a name
    /// that can't be a folder's.
    ///
    /// Apple: "Returns the container directory associated with the specified security application group identifier". Linux has no
    /// groups of apps, and no service that knows whether the program belongs to one: every program of the user that names the group gets
    /// the folder, as on macOS (our choice: `Group Containers/<group>` in the folder for application support).
    public func containerURL(forSecurityApplicationGroupIdentifier groupIdentifier: String) -> URL? {
        guard !groupIdentifier.isEmpty, !groupIdentifier.hasPrefix("."), !groupIdentifier.contains("/"),
            let support = urls(for: .applicationSupportDirectory, in: .userDomainMask).first
        else { return nil }
        let folder = support.appendingPathComponent("Group Containers", isDirectory: true)
            .appendingPathComponent(groupIdentifier, isDirectory: true)
        // Where it can't be made, opening a file in it says why.
        try? createDirectory(at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return folder
    }
}
