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
            let messages = try ModelCompilation.compile(source, to: compiled, module: "Zoo")
            #expect(messages.allSatisfy { $0.severity == .warning })
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
                _ = try ModelCompilation.compile(source, to: compiled, module: "Zoo")
                return try Data(contentsOf: compiled.appendingPathComponent("Zoo.mom"))
            }
            #expect(files[0] == files[1])
        }
    }

    /// A mistake in the zoo's model: what is replaced by what, the element that the message is to point at, and words of it.
    struct Mistake: CustomTestStringConvertible {
        let old: String
        let new: String
        let element: String
        let words: String
        var severity = "error"

        var testDescription: String { "\(severity): \(words)" }
    }

    static let mistakes = [
        Mistake(
            old: "attributeType=\"Float\"", new: "attributeType=\"Flaot\"", element: "<attribute name=\"weight\"",
            words: "entity Animal, property weight: the attribute type \"Flaot\" is unknown"),
        Mistake(
            old: "entity name=\"Bird\"", new: "entity name=\"Animal\"",
            element: "<entity name=\"Animal\" representedClassName=\"Bird\"", words: "entity Animal: there are two"),
        Mistake(
            old: "parentEntity=\"Animal\"", new: "parentEntity=\"Beast\"", element: "<entity name=\"Bird\"",
            words: "entity Bird: its parent Beast"),
        Mistake(
            old: "maxCount=\"1\"", new: "maxCount=\"one\"", element: "<relationship name=\"cage\"",
            words: "entity Animal, property cage: the maxCount \"one\" is no integer", severity: "warning"),
        Mistake(
            old: "name=\"fed\"", new: "name=\"born\"",
            element: "<attribute name=\"born\" optional=\"YES\" attributeType=\"Date\" usesScalarValueType=\"YES\"",
            words: "entity Animal: there are two properties of the name born"),
        Mistake(
            old: "name=\"price\"", new: "name=\"description\"", element: "<attribute name=\"description\"",
            words: "entity Animal, property description: the name is reserved"),
        Mistake(
            old: "name=\"price\"", new: "name=\"class\"", element: "<attribute name=\"class\"",
            words: "entity Animal, property class: the name is reserved"),
        Mistake(
            old: "name=\"cage\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"Cage\"",
            new: "name=\"cage\" optional=\"YES\" maxCount=\"1\" deletionRule=\"Nullify\" destinationEntity=\"Kage\"",
            element: "<relationship name=\"cage\"",
            words: "entity Animal, property cage: its destination \"Kage\" is not in the model"),
        Mistake(
            old: "inverseName=\"keepers\" inverseEntity=\"Animal\"",
            new: "inverseName=\"cage\" inverseEntity=\"Animal\"",
            element:
                "<relationship name=\"animals\" optional=\"YES\" toMany=\"YES\" deletionRule=\"Nullify\" destinationEntity=\"Animal\" inverseName=\"cage\" inverseEntity=\"Animal\"/>\n    </entity>\n</model>",
            words: "entity Keeper, property animals: its inverse Animal.cage leads to Cage, not back to Keeper"),
        Mistake(
            old: "</model>",
            new:
                "<entity name=\"Pen\"><relationship name=\"bird\" maxCount=\"1\" destinationEntity=\"Bird\"/></entity></model>",
            element: "<relationship name=\"bird\"", words: "entity Pen, property bird: it has no inverse",
            severity: "warning"),
        Mistake(
            old: "name=\"colour\" optional=\"YES\"", new: "name=\"colour\" optional=\"YES\" derived=\"YES\"",
            element: "<attribute name=\"colour\"", words: "entity Animal, property colour: it is derived, but nothing"),
        Mistake(
            old: "</model>",
            new: "<fetchRequest name=\"All\" entity=\"Beast\" predicateString=\"TRUEPREDICATE\"/></model>",
            element: "<fetchRequest", words: "the fetch request \"All\" is for the unknown entity"),
        Mistake(
            old: "</model>", new: "<fetchRequest name=\"All\" entity=\"Bird\" predicateString=\"name ==\"/></model>",
            element: "<fetchRequest", words: "the fetch request All is left out: the predicate cannot be understood",
            severity: "warning"),
        Mistake(
            old: "</model>",
            new: "<configuration name=\"Cloud\"><memberEntity name=\"Beast\"/></configuration></model>",
            element: "<memberEntity", words: "the configuration Cloud has the entity \"Beast\"", severity: "warning"),
        Mistake(
            old: "</model>", new: "<entity name=\"\"/></model>", element: "<entity name=\"\"",
            words: "the element \"entity\" has no name"),
    ]

    @Test(
        "A message names the entity and the property, and points at their element in the model's file",
        arguments: mistakes)
    func messages(mistake: Mistake) throws {
        let text = ModelText.zoo.replacingOccurrences(of: mistake.old, with: mistake.new)
        let place = try #require(text.range(of: mistake.element, options: .backwards)?.lowerBound)
        let lines = text[..<place].split(separator: "\n", omittingEmptySubsequences: false)
        let position = "\(lines.count):\((lines.last?.utf8.count ?? 0) + 1)"
        try ModelText.withBundle(text) { source in
            let compiled = source.deletingLastPathComponent().appendingPathComponent("Zoo.momd")
            let messages: [CompilerDiagnostic]
            do {
                messages = try ModelCompilation.compile(source, to: compiled, module: "Zoo")
            } catch let diagnostic as CompilerDiagnostic {
                messages = [diagnostic]
            }
            let expected = "Zoo.xcdatamodel/contents:\(position): \(mistake.severity): \(mistake.words)"
            #expect(messages.contains { $0.description.contains(expected) }, "\(messages) lack \(expected)")
            #expect(FileManager.default.fileExists(atPath: compiled.path) == (mistake.severity == "warning"))
        }
    }

    @Test("A file that isn't XML is told of by its line")
    func damaged() throws {
        try ModelText.withBundle(ModelText.zoo.replacingOccurrences(of: "</model>", with: "")) { source in
            let compiled = source.deletingLastPathComponent().appendingPathComponent("Zoo.momd")
            let error = #expect(throws: CompilerDiagnostic.self) {
                try ModelCompilation.compile(source, to: compiled, module: "Zoo")
            }
            #expect(error?.line == ModelText.zoo.split(separator: "\n", omittingEmptySubsequences: false).count)
            #expect(error?.message.contains("ends too early") == true)
        }
    }

    @Test("Every version is compiled and checked, and messages are about the file of their version")
    func versions() throws {
        try ModelText.withBundle(ModelText.zoo) { source in
            let second = source.appendingPathComponent("Zoo 2.xcdatamodel")
            try FileManager.default.createDirectory(at: second, withIntermediateDirectories: true)
            let broken = ModelText.zoo.replacingOccurrences(of: "name=\"price\"", with: "name=\"hash\"")
            try broken.write(to: second.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
            let compiled = source.deletingLastPathComponent().appendingPathComponent("Zoo.momd")
            let messages = try ModelCompilation.compile(source, to: compiled, module: "Zoo")
            let errors = messages.filter { $0.severity == .error }
            #expect(errors.map { $0.file.hasSuffix("Zoo 2.xcdatamodel/contents") } == [true], "\(messages)")
        }
    }
}
