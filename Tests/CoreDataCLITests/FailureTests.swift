import Foundation
import Testing

@Suite("coredata: what goes wrong is said on standard error, with an exit code")
struct FailureTests {
    let library: LibraryStore

    init() throws {
        library = try LibraryStore()
    }

    @Test(
        "a wrong command line exits with 2",
        arguments: [
            ["--color"], ["fetch"], ["frobnicate", "STORE"], ["fetch", "STORE"],
            ["fetch", "STORE", "Book", "--limit", "x"],
            ["fetch", "STORE", "Book", "--limit", "-1"], ["fetch", "STORE", "Book", "--sort", "a,,b"],
            ["fetch", "STORE", "Book", "--predicate", "title == "], ["get", "STORE", "Book/p1"],
            ["set", "STORE", "x-coredata://S/Book/p1", "title"], ["set", "STORE", "x-coredata://S/Book/p1"],
        ])
    func usage(arguments: [String]) throws {
        let outcome = try CommandLineTool.run(arguments.map { $0 == "STORE" ? library.path : $0 })
        #expect(outcome.exitCode == 2, "\(outcome.errors)")
        #expect(!outcome.errors.isEmpty)
        #expect(outcome.output.isEmpty)
    }

    @Test(
        "--help prints to standard output and exits with 0",
        arguments: [["--help"], ["fetch", "--help"], ["set", "-h"]])
    func help(arguments: [String]) throws {
        let outcome = try CommandLineTool.run(arguments)
        #expect(outcome.exitCode == 0)
        #expect(outcome.output.contains("USAGE: coredata"))
        #expect(outcome.errors.isEmpty)
    }

    @Test(
        "an unknown name is an error that says what was probably meant",
        arguments: [
            (["fetch", "STORE", "Bok"], "Did you mean Book?"),
            (["count", "STORE", "audiobook"], "Did you mean AudioBook?"),
            (["fetch", "STORE", "Book", "--sort", "-titel"], "Did you mean title?"),
            (["fetch", "STORE", "Book", "--sort", "author.nam"], "Did you mean name?"),
            (["insert", "STORE", "Genre", "nane=Satire"], "Did you mean name?"),
            (["get", "STORE", "x-coredata://\(LibraryStore.uuid)/Autor/p1"], "Did you mean Author?"),
        ])
    func suggestions(arguments: [String], hint: String) throws {
        let outcome = try CommandLineTool.run(arguments.map { $0 == "STORE" ? library.path : $0 })
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains(hint), "\(outcome.errors)")
        #expect(outcome.errors.contains(library.path))
    }

    @Test(
        "a value of the wrong form is an error with entity, property and the form that is expected",
        arguments: [
            ("copies=many", "Book.copies", "whole number"), ("copies=32768", "Book.copies", "32767"),
            ("price=1,5", "Book.price", "decimal"), ("published=31.5.2024", "Book.published", "ISO 8601"),
            ("published=2023-02-29", "Book.published", "ISO 8601"), ("identifier=1", "Book.identifier", "UUID"),
            ("inPrint=maybe", "Book.inPrint", "true"), ("rating=nan", "Book.rating", "number"),
            ("title+=x", "Book.title", "to-many"),
            ("author=x-coredata://\(LibraryStore.uuid)/Genre/p1", "Book.author", "Author"),
            ("genres=x-coredata://\(LibraryStore.uuid)/Genre/p1", "Book.genres", "+="),
        ])
    func values(assignment: String, property: String, form: String) throws {
        let outcome = try CommandLineTool.run("set", library.path, LibraryStore.uri("Book/p1"), assignment)
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains(property) && outcome.errors.contains(form), "\(outcome.errors)")
    }

    @Test("an object that isn't there is an error with its URI", arguments: ["Book/p99", "Genre/p7"])
    func missingObject(key: String) throws {
        for command in ["get", "delete"] {
            let outcome = try CommandLineTool.run(command, library.path, LibraryStore.uri(key))
            #expect(outcome.exitCode == 1)
            #expect(outcome.errors.contains(LibraryStore.uri(key)), "\(outcome.errors)")
        }
    }

    @Test("an object of another store is an error that says so")
    func objectOfAnotherStore() throws {
        let outcome = try CommandLineTool.run("get", library.path, "x-coredata://\(UUID().uuidString)/Book/p1")
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("another store"), "\(outcome.errors)")
    }

    @Test("a file that is no store is an error that names it, and stays as it is")
    func notAStore() throws {
        let sqlite = try Data(contentsOf: URL(fileURLWithPath: library.path))
        let contents: [String: Data] = [
            "empty.sqlite": Data(), "text.sqlite": Data("hello".utf8), "head.sqlite": sqlite.prefix(100),
            "half.sqlite": sqlite.prefix(sqlite.count / 2), "zeros.sqlite": Data(count: 8192),
        ]
        for (name, data) in contents {
            let url = library.folder.appendingPathComponent(name)
            try data.write(to: url)
            let before = try library.files()
            for arguments in [
                ["info", url.path], ["fetch", url.path, "Book", "--json"], ["insert", url.path, "Book"],
            ] {
                let outcome = try CommandLineTool.run(arguments)
                #expect(outcome.exitCode == 1, "\(arguments)")
                #expect(outcome.errors.contains(url.path), "\(outcome.errors)")
                #expect(outcome.output.isEmpty)
                #expect(try library.files() == before, "\(arguments)")
            }
        }
    }

    @Test("a missing file is an error, and none is created", arguments: ["info", "insert"])
    func missingFile(command: String) throws {
        let path = library.folder.appendingPathComponent("Nowhere.sqlite").path
        let outcome = try CommandLineTool.run(command == "info" ? [command, path] : [command, path, "Book"])
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains(path), "\(outcome.errors)")
        #expect(!FileManager.default.fileExists(atPath: path))
    }

    @Test("a model that isn't the store's is an error that names an entity")
    func otherModel() throws {
        let model = library.folder.appendingPathComponent("Other.xcdatamodel")
        try FileManager.default.createDirectory(at: model, withIntermediateDirectories: true)
        let text = try PackageFiles.text("Examples/Library/Library.xcdatamodeld/Library.xcdatamodel/contents")
            .replacingOccurrences(of: "name=\"shelf\" optional=\"YES\"", with: "name=\"shelf\"")
        try text.write(to: model.appendingPathComponent("contents"), atomically: true, encoding: .utf8)
        let outcome = try CommandLineTool.run("count", library.path, "Book", "--model", model.path)
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("Genre") && outcome.errors.contains("shelf"), "\(outcome.errors)")
    }
}
