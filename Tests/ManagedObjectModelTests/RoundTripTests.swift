import Foundation
import ManagedObjectModel
import Testing

@Suite("What is written reads back equal", .enabled(if: Fixtures.arePresent))
struct RoundTripTests {
    private static let paths = Fixtures.sourcePaths + Fixtures.oldSourcePaths + Fixtures.compiledPaths

    @Test("Through a compiled model", arguments: paths)
    func compiled(path: String) throws {
        let model = try ModelFile.read(Fixtures.url(path))
        let copy = try ModelFile.read(data: model.archivedData())
        #expect(copy == model)
        #expect(try ModelDescription.json(of: copy) == ModelDescription.json(of: model))
    }

    @Test("Through XML", arguments: paths)
    func xml(path: String) throws {
        let model = try ModelFile.read(Fixtures.url(path))
        let document = XMLModelWriter.document(of: model)
        #expect(document.omissions.isEmpty)
        let copy = try ModelFile.read(data: Data(document.xml.utf8))
        #expect(copy.entitiesByName == model.entitiesByName)
        #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
        #expect(copy.fetchRequestTemplatesByName == model.fetchRequestTemplatesByName)
    }

    @Test("Through a copy", arguments: paths)
    func copy(path: String) throws {
        let model = try ModelFile.read(Fixtures.url(path))
        let copy = try #require(model.copy() as? NSManagedObjectModel)
        #expect(copy == model)
        #expect(copy.entityVersionHashesByName == model.entityVersionHashesByName)
        for relationship in copy.entities.flatMap({ $0.relationshipsByName.values }) {
            let destination = try #require(relationship.destinationEntity)
            #expect(destination.managedObjectModel === copy)
            #expect(relationship.inverseRelationship.map { $0.entity.managedObjectModel === copy } ?? true)
        }
    }

    @Test("Through NSKeyedArchiver")
    func secureCoding() throws {
        let path = try #require(Self.paths.first { $0.contains("SampleModel") })
        let model = try ModelFile.read(Fixtures.url(path))
        let data = try NSKeyedArchiver.archivedData(withRootObject: model, requiringSecureCoding: true)
        let copy = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSManagedObjectModel.self, from: data)
        #expect(copy == model)
        let entity = try #require(model.entities.first { !$0.attributesByName.isEmpty })
        let entityData = try NSKeyedArchiver.archivedData(withRootObject: entity, requiringSecureCoding: true)
        #expect(try NSKeyedUnarchiver.unarchivedObject(ofClass: NSEntityDescription.self, from: entityData) == entity)
    }

    @Test("Through bundles of versions, source and compiled")
    func bundles() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for path in Fixtures.paths(kind: "xcdatamodel", suffix: "/.xccurrentversion").prefix(10) {
            let versions = try ModelFile.readVersions(Fixtures.url(path).deletingLastPathComponent())
            let source = folder.appendingPathComponent("Model.xcdatamodeld")
            let compiled = folder.appendingPathComponent("Model.momd")
            try versions.writeSource(to: source)
            try versions.writeCompiled(to: compiled)
            for copy in [try ModelFile.readVersions(source), try ModelFile.readVersions(compiled)] {
                #expect(copy.currentVersionName == versions.currentVersionName)
                #expect(copy.models.mapValues(\.versionChecksum) == versions.models.mapValues(\.versionChecksum))
            }
            let information = try VersionInfo(
                data: Data(contentsOf: compiled.appendingPathComponent("VersionInfo.plist")))
            #expect(information.checksums == versions.models.mapValues(\.versionChecksum))
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path).count == 2)
            #expect(try NSManagedObjectModel.__checksumsForVersionedModel(at: compiled) == information.checksums)
        }
    }
}
