import Foundation
import ManagedObjectModel
import Testing

@Suite("Mapping models read into plain descriptions", .enabled(if: Fixtures.arePresent))
struct MappingModelTests {
    @Test("Every compiled one", arguments: Fixtures.paths(kind: "cdm", suffix: ".cdm"))
    func compiled(path: String) throws {
        let mapping = try CompiledMappingReader.read(Data(contentsOf: Fixtures.url(path)))
        #expect(!mapping.entityMappings.isEmpty)
        for entity in mapping.entityMappings {
            #expect(entity.destinationEntityVersionHash?.count ?? 32 == 32)
            #expect((entity.sourceExpression == nil) == (entity.sourceEntityName == nil))
        }
    }

    @Test("Every source one", arguments: Fixtures.paths(kind: "xcmappingmodel", suffix: "/xcmapping.xml"))
    func source(path: String) throws {
        let mapping = try SourceMappingReader.read(Fixtures.url(path).deletingLastPathComponent())
        #expect(!mapping.entityMappings.isEmpty)
        #expect(mapping.entityMappings.allSatisfy { !$0.name.isEmpty })
        #expect(mapping.sourceModelPath != nil && mapping.destinationModelPath != nil)
    }

    @Test("A file that is no mapping model is refused")
    func foreign() throws {
        let path = try #require(Fixtures.compiledPaths.first)
        let data = try Data(contentsOf: Fixtures.url(path))
        #expect(throws: ModelFileError.self) { try CompiledMappingReader.read(data) }
        #expect(throws: ModelFileError.self) { try SourceMappingReader.read(data: Data("<database/>".utf8)) }
    }
}
