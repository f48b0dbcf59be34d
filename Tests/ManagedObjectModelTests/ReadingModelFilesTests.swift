import Foundation
import ManagedObjectModel
import Testing

@Suite("Reading the model files of Apple's tools", .enabled(if: Fixtures.arePresent))
struct ReadingModelFilesTests {
    @Test("Every source model reads", arguments: Fixtures.sourcePaths + Fixtures.oldSourcePaths)
    func sourceModel(path: String) throws {
        let model = try ModelFile.read(Fixtures.url(path))
        #expect(model.entitiesByName.count == model.entities.count)
    }

    @Test("Every compiled model reads", arguments: Fixtures.compiledPaths)
    func compiledModel(path: String) throws {
        let model = try ModelFile.read(Fixtures.url(path))
        #expect(!model.entities.isEmpty)
        #expect(NSManagedObjectModel(contentsOf: Fixtures.url(path)) == model)
    }

    @Test("Every compiled model says in JSON what its source says", arguments: Fixtures.twins)
    func compiledTwin(pair: Fixtures.Pair) throws {
        let compiled = try ModelFile.read(Fixtures.url(pair.source))
        let source = try ModelFile.read(Fixtures.url(pair.model))
        let texts = try [compiled, source].map { String(decoding: try ModelDescription.json(of: $0), as: UTF8.self) }
        let difference = texts[0].split(separator: "\n").difference(from: texts[1].split(separator: "\n"))
        #expect(difference.isEmpty, "\(pair.model): \(difference.prefix(20).map { "\($0)" }.joined(separator: "\n"))")
    }

    @Test("Of all pairs, those that may be of different times included, nine in ten say the same")
    func allPairs() throws {
        let pairs = Fixtures.compiledPairs
        let equal = try pairs.filter { pair in
            let models = try [pair.source, pair.model].map { try ModelFile.read(Fixtures.url($0)) }
            return try ModelDescription.json(of: models[0]) == ModelDescription.json(of: models[1])
        }
        #expect(equal.count * 10 > pairs.count * 9)
    }

    @Test("Bundles know their current version")
    func bundles() throws {
        let paths = Fixtures.paths(kind: "momd", suffix: "/VersionInfo.plist")
        #expect(!paths.isEmpty)
        for path in paths {
            let bundle = Fixtures.url(path).deletingLastPathComponent()
            let names = try FileManager.default.contentsOfDirectory(atPath: bundle.path)
            guard names.contains(where: { $0.hasSuffix(".mom") }) else { continue }
            let versions = try ModelFile.readVersions(bundle)
            #expect(versions.models[versions.currentVersionName] != nil)
            #expect(NSManagedObjectModel(contentsOf: bundle) == versions.current)
        }
    }
}
