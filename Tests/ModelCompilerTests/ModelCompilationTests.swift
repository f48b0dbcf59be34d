import Foundation
import ManagedObjectModel
import ModelCompiler
import Testing

@Suite("Compiling models")
struct ModelCompilationTests {
    @Test("A compiled model is the source model, with classes of the current module named in full")
    func roundTrip() throws {
        try ModelText.withBundle(ModelText.zoo) { source in
            let compiled = source.deletingLastPathComponent().appendingPathComponent("Zoo.momd")
            try ModelCompilation.compile(source, to: compiled, module: "Zoo")
            let expected = try ModelFile.read(source)
            let model = try ModelFile.read(compiled)
            #expect(model.entityVersionHashesByName == expected.entityVersionHashesByName)
            #expect(model.entitiesByName["Animal"]?.managedObjectClassName == "Zoo.Animal")
            #expect(model.entitiesByName["Bird"]?.managedObjectClassName == "Bird")
            #expect(model.entitiesByName["Cage"]?.relationshipsByName["animals"]?.isOrdered == true)
        }
    }

    @Test("Compiling twice makes the same files")
    func reproducible() throws {
        try ModelText.withBundle(ModelText.zoo) { source in
            let folder = source.deletingLastPathComponent()
            let files = try ["A.momd", "B.momd"].map { name in
                let compiled = folder.appendingPathComponent(name)
                try ModelCompilation.compile(source, to: compiled, module: "Zoo")
                return try Data(contentsOf: compiled.appendingPathComponent("Zoo.mom"))
            }
            #expect(files[0] == files[1])
        }
    }

    @Test(
        "An error names the file, the entity and the property",
        arguments: [
            ("attributeType=\"Float\"", "attributeType=\"Flaot\"", "entity Animal, property weight"),
            ("name=\"Bird\"", "name=\"Animal\"", "entity Animal"),
            ("parentEntity=\"Animal\"", "parentEntity=\"Beast\"", "Beast"),
            ("</model>", "", "ends too early"),
        ])
    func errors(old: String, new: String, place: String) throws {
        try ModelText.withBundle(ModelText.zoo.replacingOccurrences(of: old, with: new)) { source in
            let compiled = source.deletingLastPathComponent().appendingPathComponent("Zoo.momd")
            let error = #expect(throws: CompilerDiagnostic.self) {
                try ModelCompilation.compile(source, to: compiled, module: "Zoo")
            }
            #expect(error?.description.contains("Zoo.xcdatamodel/contents:") == true)
            #expect(error?.description.contains(place) == true)
            #expect(!FileManager.default.fileExists(atPath: compiled.path))
        }
    }
}
