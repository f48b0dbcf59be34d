import Foundation

/// The `VersionInfo.plist` of a `.momd` bundle.
package struct VersionInfo: Sendable {
    /// The version that `NSManagedObjectModel(contentsOf:)` reads. Bundles of one version may name none.
    package var currentVersionName: String?
    /// The version hashes of the entities of each version.
    package var entityVersionHashes: [String: [String: Data]] = [:]
    /// The checksum of each version, in files since Xcode 15.
    package var checksums: [String: String] = [:]

    private static let currentVersionKey = "NSManagedObjectModel_CurrentVersionName"
    private static let hashesKey = "NSManagedObjectModel_VersionHashes"
    private static let checksumsKey = "NSManagedObjectModel_VersionChecksums"

    /// Makes the information about these versions.
    package init(currentVersionName: String, models: [String: NSManagedObjectModel]) {
        self.currentVersionName = currentVersionName
        entityVersionHashes = models.mapValues(\.entityVersionHashesByName)
        checksums = models.mapValues(\.versionChecksum)
    }

    /// Reads a binary or XML property list. Throws a `ModelFileError`.
    package init(data: Data) throws {
        guard let list = try PropertyListNode.read(data).dictionary else {
            throw ModelFileError(.malformed, "the version information is no dictionary")
        }
        currentVersionName = list[Self.currentVersionKey]?.string
        for (version, hashes) in list[Self.hashesKey]?.dictionary ?? [:] {
            entityVersionHashes[version] = hashes.dictionary?.compactMapValues(\.data) ?? [:]
        }
        checksums = list[Self.checksumsKey]?.dictionary?.compactMapValues(\.string) ?? [:]
    }

    /// The binary property list.
    package func data() -> Data {
        var list: [String: PropertyListNode] = [
            Self.hashesKey: .dictionary(
                entityVersionHashes.mapValues { .dictionary($0.mapValues(PropertyListNode.data)) }),
            Self.checksumsKey: .dictionary(checksums.mapValues(PropertyListNode.string)),
        ]
        list[Self.currentVersionKey] = currentVersionName.map(PropertyListNode.string)
        return BinaryPropertyListWriter.write(.dictionary(list))
    }
}
