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

    @Test("a file that is no model is an error that names it", arguments: ["show", "hashes"])
    func noModel(command: String) throws {
        for path in [library.path, library.path + ".missing"] {
            let outcome = try CommandLineTool.run("model", command, path)
            #expect(outcome.exitCode == 1)
            #expect(outcome.errors.contains(path), "\(outcome.errors)")
        }
    }
}
