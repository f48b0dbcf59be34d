import Foundation

/// The versions of models among the resources of bundles, each read when it is needed and not before.
///
/// `VersionInfo.plist` has the version hashes and checksums of all versions of a `.momd`, so that of an app with a
/// hundred versions one file is read. Use it on one thread.
package final class ModelCatalog {
    /// A version, in a `.momd` or by itself.
    private final class Version {
        let file: URL
        /// What `VersionInfo.plist` says; nil where nothing does.
        let recordedHashes: [String: Data]?
        let recordedChecksum: String?
        var isRead = false
        var model: NSManagedObjectModel?

        init(file: URL, hashes: [String: Data]? = nil, checksum: String? = nil) {
            self.file = file
            recordedHashes = hashes
            recordedChecksum = checksum
        }
    }

    private var versions: [Version] = []
    /// The model files that couldn't be read so far, with the reasons.
    package private(set) var failures: [ModelFileError] = []

    /// Lists the versions in bundles, of each model the current one first.
    package init(bundles: [Bundle]) {
        for url in ModelResource.urls(["momd", "mom"], in: bundles) {
            do {
                versions += try Self.versions(at: url)
            } catch {
                recordFailure(error, in: url)
            }
        }
    }

    private static func versions(at url: URL) throws -> [Version] {
        let location = try ModelLocation(url)
        let (files, current) = location.versions
        let order = files.keys.sorted { ($0 != current ? 1 : 0, $0) < ($1 != current ? 1 : 0, $1) }
        guard case .compiledBundle = location else { return order.compactMap { files[$0] }.map { Version(file: $0) } }
        let list = url.appendingPathComponent("VersionInfo.plist")
        guard FileManager.default.fileExists(atPath: list.path) else {
            return order.compactMap { files[$0] }.map { Version(file: $0) }
        }
        let info = try VersionInfo(data: ModelLocation.data(of: list))
        return order.compactMap { name in
            files[name].map {
                Version(file: $0, hashes: info.entityVersionHashes[name], checksum: info.checksums[name])
            }
        }
    }

    private func recordFailure(_ error: any Error, in url: URL) {
        let failure =
            error as? ModelFileError
            ?? ModelFileError(.unreadable, "the file can't be read: \(error.localizedDescription)", in: url)
        failures.append(failure.located(in: url))
    }

    private func model(of version: Version) -> NSManagedObjectModel? {
        if version.isRead { return version.model }
        version.isRead = true
        do {
            version.model = try ModelFile.read(version.file)
        } catch {
            recordFailure(error, in: version.file)
        }
        return version.model
    }

    /// All versions that can be read.
    package var models: [NSManagedObjectModel] { versions.compactMap(model(of:)) }

    /// The versions whose files have a name.
    package func models(named name: String) -> [NSManagedObjectModel] {
        versions.filter { $0.file.deletingPathExtension().lastPathComponent == name }.compactMap(model(of:))
    }

    /// The version of a checksum.
    package func model(withChecksum checksum: String) -> NSManagedObjectModel? {
        let recorded = versions.filter { $0.recordedChecksum == checksum }
        let unknown = versions.filter { $0.recordedChecksum == nil }
        return (recorded + unknown).lazy.compactMap(model(of:)).first { $0.versionChecksum == checksum }
    }

    /// The first version whose entities have exactly these hashes.
    package func model(withHashes wanted: [String: Data]) -> NSManagedObjectModel? {
        versions.lazy.filter { $0.recordedHashes.map { $0 == wanted } ?? true }.compactMap(model(of:))
            .first { $0.entityVersionHashesByName == wanted }
    }

    /// The versions that have all entities of these hashes, and maybe others.
    package func models(havingAll wanted: [String: Data]) -> some Sequence<NSManagedObjectModel> {
        func hasAll(_ hashes: [String: Data]) -> Bool { wanted.allSatisfy { hashes[$0.key] == $0.value } }
        return versions.lazy.filter { $0.recordedHashes.map(hasAll) ?? true }.compactMap(model(of:))
            .filter { hasAll($0.entityVersionHashesByName) }
    }

    /// The versions that have some entity of these hashes.
    package func models(havingAnyOf wanted: [String: Data]) -> [NSManagedObjectModel] {
        func hasAny(_ hashes: [String: Data]) -> Bool { wanted.contains { hashes[$0.key] == $0.value } }
        return versions.filter { $0.recordedHashes.map(hasAny) ?? true }.compactMap(model(of:))
            .filter { hasAny($0.entityVersionHashesByName) }
    }

    /// Which entities of these hashes no version has, by name.
    package func unknownEntities(of wanted: [String: Data]) -> [String] {
        let known = versions.compactMap { $0.recordedHashes ?? model(of: $0)?.entityVersionHashesByName }
        return wanted.filter { name, hash in !known.contains { $0[name] == hash } }.keys.sorted()
    }
}
