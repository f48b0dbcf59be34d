import Foundation
import Testing

@Suite("coredata: reading a store")
struct ReadingTests {
    let library: LibraryStore

    init() throws {
        library = try LibraryStore()
    }

    private func objects(_ arguments: String...) throws -> [[String: Any]] {
        let outcome = try CommandLineTool.run(["fetch", library.path] + arguments + ["--json"])
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        return try #require(try outcome.json() as? [[String: Any]])
    }

    @Test("info --json names each entity with its number, superentity and rows of its own")
    func info() throws {
        let outcome = try CommandLineTool.run("info", library.path, "--json")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let info = try #require(try outcome.json() as? [String: Any])
        #expect(info["storeType"] as? String == "SQLite")
        #expect(info["uuid"] as? String == LibraryStore.uuid)
        let metadata = try #require(info["metadata"] as? [String: Any])
        #expect(metadata["NSStoreModelVersionHashesVersion"] as? Int == 3)
        let entities = try #require(info["entities"] as? [[String: Any]])
        let rows = entities.map {
            "\($0["number"] ?? "") \($0["name"] ?? "") \($0["superentity"] ?? "") \($0["rows"] ?? "")"
        }
        let expected = [
            "1 Author <null> 6", "2 Book <null> 10", "3 AudioBook Book 3", "4 Genre <null> 6", "5 Loan <null> 8",
            "6 Member <null> 4",
        ]
        #expect(rows == expected)
    }

    @Test("info prints the same for people")
    func infoText() throws {
        let outcome = try CommandLineTool.run("info", library.path)
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.contains(LibraryStore.uuid))
        #expect(outcome.lines.contains { $0.contains("AudioBook") && $0.contains("Book") && $0.contains("3") })
    }

    @Test("fetch prints every attribute type in its JSON form")
    func attributes() throws {
        let book = try #require(try objects("AudioBook", "--predicate", "title == 'Moby-Dick'").first)
        #expect(book["objectID"] as? String == LibraryStore.uri("AudioBook/p12"))
        #expect(book["entity"] as? String == "AudioBook")
        #expect(book["title"] as? String == "Moby-Dick")
        #expect(book["copies"] as? Int == 1)
        #expect(book["inPrint"] as? Bool == true)
        #expect(book["pages"] is NSNull)
        #expect(book["rating"] as? Double == 4.25)
        #expect(book["duration"] as? Double == 88200.25)
        #expect(book["price"] as? String == "24.95")
        #expect(book["published"] as? String == "2009-06-15T00:00:00.000Z")
        #expect(book["identifier"] as? String == "6A1F0C4E-5B2D-4E8A-9C37-01D2E4F5A60C")
        let author = try #require(try objects("Author", "--predicate", "name BEGINSWITH 'Mary'").first)
        #expect(author["website"] as? String == "https://library.example/authors/shelley")
        #expect(author["portrait"] as? String == "iVBORw0KGgo=")
        #expect(author["born"] as? String == "1797-08-30T00:00:00.000Z")
        let member = try #require(try objects("Member", "--predicate", "name == 'Ben Sato'").first)
        #expect(member["card"] as? Int64 == 1_000_000_000_002)
        #expect(member["joined"] as? String == "2022-11-30T16:45:30.500Z")
    }

    @Test("fetch prints relationships as URIs, ordered ones in their order")
    func relationships() throws {
        let loan = try #require(try objects("Loan", "--predicate", "fee == 1.2").first)
        #expect(loan["book"] as? String == LibraryStore.uri("AudioBook/p12"))
        #expect(loan["member"] as? String == LibraryStore.uri("Member/p1"))
        let member = try #require(try objects("Member", "--predicate", "name == 'Ada Okafor'").first)
        #expect(member["loans"] as? [String] == ["Loan/p2", "Loan/p1", "Loan/p4"].map(LibraryStore.uri))
        let book = try #require(try objects("Book", "--predicate", "title == 'Moby-Dick'", "--no-subentities").first)
        #expect(book["genres"] as? [String] == ["Genre/p3", "Genre/p5"].map(LibraryStore.uri))
        #expect(book["author"] as? String == LibraryStore.uri("Author/p4"))
    }

    @Test("fetch sorts, limits and leaves out the first")
    func order() throws {
        let titles = try objects("Book", "--sort", "-published,title", "--limit", "3", "--offset", "1")
            .compactMap { $0["title"] as? String }
        #expect(titles == ["Frankenstein", "Moby-Dick", "Gösta Berling's Saga"])
        #expect(try objects("Book", "--limit", "0").isEmpty)
    }

    @Test("fetch sorts across a to-one relationship")
    func orderByKeyPath() throws {
        let names = try objects("Loan", "--sort", "member.name,lent").compactMap { $0["member"] as? String }
        #expect(names.first == LibraryStore.uri("Member/p1") && names.last == LibraryStore.uri("Member/p3"))
    }

    @Test("--no-subentities leaves out the objects of subentities", arguments: [("Book", 13, 10), ("AudioBook", 3, 3)])
    func subentities(entity: String, all: Int, own: Int) throws {
        #expect(try CommandLineTool.run("count", library.path, entity).output == "\(all)\n")
        #expect(try CommandLineTool.run("count", library.path, entity, "--no-subentities").output == "\(own)\n")
        #expect(try objects(entity).count == all)
        #expect(try objects(entity, "--no-subentities").count == own)
    }

    @Test(
        "count knows the predicate language",
        arguments: [
            ("Book", "ANY genres.name == 'Gothic'", 2), ("Book", "author.name CONTAINS[cd] 'LAGERLOF'", 2),
            ("Book", "pages BETWEEN {200, 400}", 4), ("Book", "title IN {'Emma', 'Beowulf'}", 2),
            ("Loan", "returned == nil", 3), ("Member", "loans.@count == 0", 1), ("Author", "TRUEPREDICATE", 6),
        ])
    func predicates(entity: String, predicate: String, expected: Int) throws {
        let outcome = try CommandLineTool.run("count", library.path, entity, "--predicate", predicate)
        #expect(outcome.output == "\(expected)\n", "\(outcome.errors)")
    }

    @Test("get prints one object, as JSON and for people")
    func get() throws {
        let uri = LibraryStore.uri("Genre/p2")
        let json = try CommandLineTool.run("get", library.path, uri, "--json")
        let genre = try #require(try json.json() as? [String: Any])
        #expect(genre["name"] as? String == "Science Fiction")
        #expect((genre["books"] as? [String])?.count == 5)
        let text = try CommandLineTool.run("get", library.path, uri)
        #expect(text.lines.first == "Genre \(uri)")
        #expect(text.lines.contains { $0.contains("shelf") && $0.hasSuffix("20") })
    }

    @Test("the same command prints the same bytes")
    func deterministic() throws {
        let outputs = try (0..<3).map { _ in try CommandLineTool.run("fetch", library.path, "Book", "--json").output }
        #expect(Set(outputs).count == 1 && outputs[0].contains("Frankenstein"))
    }

    @Test("reading leaves every byte of the store, its log and its folder as it was", arguments: [false, true])
    func nothingChanges(rowInLog: Bool) throws {
        if rowInLog { try library.leaveRowInLog() }
        let before = try library.files()
        let commands = [
            ["info", library.path], ["info", library.path, "--json"], ["fetch", library.path, "Book", "--json"],
            ["fetch", library.path, "Loan", "--sort", "due"], ["count", library.path, "Member"],
            ["get", library.path, LibraryStore.uri("Book/p1")], ["get", library.path, LibraryStore.uri("Book/p99")],
        ]
        for command in commands {
            _ = try CommandLineTool.run(command)
            #expect(try library.files() == before, "after \(command[0])")
        }
        let genre = try CommandLineTool.run("get", library.path, LibraryStore.uri("Genre/p6")).output
        #expect(genre.contains(rowInLog ? "Verse" : "Poetry"))
    }

    @Test("a store that can't be written can be read")
    func readOnlyFile() throws {
        try FileManager.default.setAttributes([.posixPermissions: 0o444], ofItemAtPath: library.path)
        #expect(try CommandLineTool.run("count", library.path, "Book").output == "13\n")
    }

    @Test("--model reads the store through a model file")
    func modelFile() throws {
        let model = PackageFiles.root.appendingPathComponent("Examples/Library/Library.xcdatamodeld").path
        let outcome = try CommandLineTool.run("count", library.path, "Book", "--model", model)
        #expect(outcome.output == "13\n", "\(outcome.errors)")
    }
}
