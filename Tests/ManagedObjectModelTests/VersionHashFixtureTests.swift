import Foundation
import ManagedObjectModel
import Testing

@Suite("Version hashes are Apple's, byte for byte", .enabled(if: Fixtures.arePresent))
struct VersionHashFixtureTests {
    private func versionInfo(_ path: String) throws -> VersionInfo {
        try VersionInfo(data: Data(contentsOf: Fixtures.url(path)))
    }

    @Test(
        "A compiled model has the hashes and the checksum of its VersionInfo.plist",
        arguments: Fixtures.paths(kind: "momd", suffix: "/VersionInfo.plist"))
    func compiledModel(path: String) throws {
        let information = try versionInfo(path)
        #expect(!information.entityVersionHashes.isEmpty)
        for (version, hashes) in information.entityVersionHashes {
            let file = Fixtures.url(path).deletingLastPathComponent().appendingPathComponent("\(version).mom")
            guard FileManager.default.fileExists(atPath: file.path) else { continue }
            let model = try ModelFile.read(file)
            #expect(model.entityVersionHashesByName == hashes, "\(version)")
            if let checksum = information.checksums[version] { #expect(model.versionChecksum == checksum) }
        }
    }

    @Test("A source model has the hashes of its VersionInfo.plist", arguments: Fixtures.pairs(kind: "versioninfo"))
    func sourceModel(pair: Fixtures.Pair) throws {
        let parts = pair.source.components(separatedBy: "#")
        let hashes = try #require(try versionInfo(parts[0]).entityVersionHashes[parts[1]])
        let model = try ModelFile.read(Fixtures.url(pair.model))
        let own = model.entityVersionHashesByName
        let differing = Set(own.keys).union(hashes.keys).filter { own[$0] != hashes[$0] }.sorted()
        #expect(differing.isEmpty, "\(pair.model)")
    }

    @Test(
        "The optimised form of a compiled model holds the hash of every entity and property",
        arguments: Fixtures.paths(kind: "momd", suffix: ".omo"))
    func optimisedModel(path: String) throws {
        let optimised = try Data(contentsOf: Fixtures.url(path))
        let file = Fixtures.url(path).deletingPathExtension().appendingPathExtension("mom")
        guard FileManager.default.fileExists(atPath: file.path) else { return }
        for entity in try ModelFile.read(file).entities {
            #expect(optimised.range(of: entity.versionHash) != nil, "\(entity.name ?? "")")
            for property in entity.properties where !(property is NSFetchedPropertyDescription) {
                #expect(optimised.range(of: property.versionHash) != nil, "\(entity.name ?? "").\(property.name)")
            }
        }
    }
}
