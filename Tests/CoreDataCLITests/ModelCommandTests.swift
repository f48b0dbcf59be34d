import Foundation
import Testing

@Suite("coredata model")
struct ModelCommandTests {
    let library: LibraryStore
    let source = PackageFiles.root.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path

    init() throws {
        library = try LibraryStore()
    }

    private func outputOf(_ arguments: String...) throws -> String {
        let outcome = try CommandLineTool.run(["model"] + arguments)
        #expect(outcome.exitCode == 0, "\(arguments): \(outcome.errors)")
        return outcome.output
    }

    @Test("hashes prints a line for each entity, sorted, and the checksum that the store has")
    func hashes() throws {
        let lines = try outputOf("hashes", source).split(separator: "\n").map { $0.split(separator: "\t") }
        #expect(lines.map { $0[0] } == ["AudioBook", "Author", "Book", "Genre", "Loan", "Member", "checksum"])
        let info = try #require(try CommandLineTool.run("info", library.path, "--json").json() as? [String: Any])
        let metadata = try #require(info["metadata"] as? [String: Any])
        #expect(
            metadata["NSStoreModelVersionHashes"] as? [String: String]
                == Dictionary(uniqueKeysWithValues: lines.dropLast().map { (String($0[0]), String($0[1])) }))
        #expect(metadata["NSStoreModelVersionChecksumKey"] as? String == lines.last.map { String($0[1]) })
    }

    @Test("a model compiled, and one extracted from a store, are the source model")
    func sameModel() throws {
        let compiled = library.folder.appendingPathComponent("Library.momd").path
        let extracted = library.folder.appendingPathComponent("Library.xcdatamodeld").path
        _ = try outputOf("compile", source, "-o", compiled)
        _ = try outputOf("extract", library.path, "-o", extracted)
        let expected = try outputOf("show", "--json", source)
        #expect(try outputOf("show", "--json", compiled) == expected)
        #expect(try outputOf("show", "--json", extracted) == expected)
        #expect(try CommandLineTool.run("count", library.path, "Book", "--model", compiled).output == "13\n")
    }

    @Test("show lists entities with their own properties")
    func show() throws {
        let lines = try outputOf("show", source).split(separator: "\n").map(String.init)
        #expect(lines.contains("AudioBook: Book"))
        #expect(lines.contains { $0.hasPrefix("  loans") && $0.contains("ordered to many Loan, inverse member") })
        #expect(lines.count { $0.hasPrefix("  title") } == 1)
    }

    @Test("show and hashes take a store that carries its model")
    func stores() throws {
        for command in ["show", "hashes"] {
            #expect(try outputOf(command, library.path) == outputOf(command, source))
        }
    }

    @Test("a version of a bundle is taken by its name, and an unknown one is an error that lists them")
    func versions() throws {
        let compiled = library.folder.appendingPathComponent("Library.momd").path
        _ = try outputOf("compile", source, "-o", compiled)
        #expect(try outputOf("hashes", compiled, "--version", "Library") == outputOf("hashes", source))
        let outcome = try CommandLineTool.run("model", "hashes", compiled, "--version", "Library 9")
        #expect(outcome.exitCode == 1 && outcome.output.isEmpty)
        #expect(outcome.errors.contains(compiled) && outcome.errors.contains("the versions are: Library"))
    }

    @Test(
        "a file that is no model is an error that names it",
        arguments: ["show", "hashes", "diagram", "diff", "compile"])
    func noModel(command: String) throws {
        let folder = library.folder
        let text = folder.appendingPathComponent("notes.txt")
        try Data("no model".utf8).write(to: text)
        let further = [
            "diagram": ["-o", folder.appendingPathComponent("x.svg").path], "diff": [source],
            "compile": ["-o", folder.appendingPathComponent("x.momd").path],
        ]
        for path in [text.path, text.path + ".missing"] {
            let outcome = try CommandLineTool.run(["model", command, path] + (further[command] ?? []))
            #expect(outcome.exitCode == 1 && outcome.output.isEmpty)
            #expect(outcome.errors.contains(path), "\(outcome.errors)")
        }
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() == [
                "Library.sqlite", "notes.txt",
            ])
    }

    @Test("compile says what is wrong, entity and property, and writes nothing where there are errors")
    func compileChecks() throws {
        let model = library.folder.appendingPathComponent("Bad.xcdatamodel")
        let xml = """
            <model><entity name="Shelf"><attribute name="description" attributeType="String"/>\
            <attribute name="label" attributeType="Transformable"/></entity></model>
            """
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        try Data(xml.utf8).write(to: model.appendingPathComponent("contents"))
        let output = library.folder.appendingPathComponent("Bad.momd").path
        let outcome = try CommandLineTool.run("model", "compile", model.path, "-o", output)
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("\(model.path): error: Shelf.description: the name is reserved"))
        #expect(outcome.errors.contains("\(model.path): warning: Shelf.label: it has no value transformer"))
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test("output with another extension is wrong usage", arguments: ["compile", "extract"])
    func wrongExtension(command: String) throws {
        let input = command == "compile" ? source : library.path
        let output = library.folder.appendingPathComponent("x.zip").path
        #expect(try CommandLineTool.run("model", command, input, "-o", output).exitCode == 2)
        #expect(!FileManager.default.fileExists(atPath: output))
    }

    @Test("extract from a store without a model is an error that names it")
    func extractWithoutModel() throws {
        let path = library.folder.appendingPathComponent("empty.sqlite").path
        try Data().write(to: URL(fileURLWithPath: path))
        let output = library.folder.appendingPathComponent("x.xcdatamodeld").path
        let outcome = try CommandLineTool.run("model", "extract", path, "-o", output)
        #expect(outcome.exitCode == 1 && outcome.errors.contains(path))
        #expect(!FileManager.default.fileExists(atPath: output))
    }
}
