import Foundation
import Testing

@Suite("coredata: changing a store")
struct ChangingTests {
    let library: LibraryStore

    init() throws {
        library = try LibraryStore()
    }

    private func succeed(_ arguments: String...) throws -> String {
        try succeed(arguments)
    }

    private func succeed(_ arguments: [String]) throws -> String {
        let outcome = try CommandLineTool.run(arguments)
        #expect(outcome.exitCode == 0, "\(arguments): \(outcome.errors)")
        return outcome.output.trimmingCharacters(in: .newlines)
    }

    private func json(_ uri: String) throws -> [String: Any] {
        let outcome = try CommandLineTool.run("get", library.path, uri, "--json")
        return try #require(try outcome.json() as? [String: Any], "\(outcome.errors)")
    }

    @Test("set stores each attribute type from its text")
    func setAttributes() throws {
        let uri = LibraryStore.uri("AudioBook/p11")
        let texts = [
            "title=Frankenstein; or, The Modern Prometheus", "copies=-7", "pages=2147483647", "inPrint=no",
            "rating=2.5", "duration=1e3", "price=19.90", "published=2024-02-29T23:59:58.125+02:00",
            "identifier=00000000-0000-0000-0000-00000000000a",
        ]
        _ = try succeed(["set", library.path, uri] + texts)
        let book = try json(uri)
        #expect(book["title"] as? String == "Frankenstein; or, The Modern Prometheus")
        #expect(book["copies"] as? Int == -7)
        #expect(book["pages"] as? Int == 2_147_483_647)
        #expect(book["inPrint"] as? Bool == false)
        #expect(book["rating"] as? Double == 2.5)
        #expect(book["duration"] as? Double == 1000)
        #expect(book["price"] as? String == "19.9")
        #expect(book["published"] as? String == "2024-02-29T21:59:58.125Z")
        #expect(book["identifier"] as? String == "00000000-0000-0000-0000-00000000000A")
        _ = try succeed(
            "set", library.path, LibraryStore.uri("Author/p1"), "portrait=AQID", "website=https://swift.org/a?b=c",
            "born=")
        let author = try json(LibraryStore.uri("Author/p1"))
        #expect(author["portrait"] as? String == "AQID")
        #expect(author["website"] as? String == "https://swift.org/a?b=c")
        #expect(author["born"] is NSNull)
    }

    @Test("a change raises Z_OPT of the changed row by one, and of no other")
    func optimisticLockCounter() throws {
        _ = try succeed("set", library.path, LibraryStore.uri("Genre/p1"), "shelf=11")
        #expect(
            try library.value("SELECT group_concat(Z_OPT) FROM (SELECT Z_OPT FROM ZGENRE ORDER BY Z_PK)")
                == "2,1,1,1,1,1")
    }

    @Test("set moves to-one relationships, and the other side follows")
    func setToOne() throws {
        _ = try succeed("set", library.path, LibraryStore.uri("Book/p10"), "author=\(LibraryStore.uri("Author/p3"))")
        let austen = try json(LibraryStore.uri("Author/p3"))
        #expect((austen["books"] as? [String])?.contains(LibraryStore.uri("Book/p10")) == true)
        _ = try succeed("set", library.path, LibraryStore.uri("Book/p10"), "author=")
        #expect(try json(LibraryStore.uri("Book/p10"))["author"] is NSNull)
    }

    @Test("set adds to to-many relationships, removes from them and empties them")
    func setToMany() throws {
        let book = LibraryStore.uri("Book/p7")
        let gothic = LibraryStore.uri("Genre/p1"), romance = LibraryStore.uri("Genre/p4")
        _ = try succeed("set", library.path, book, "genres+=\(gothic)")
        #expect(try json(book)["genres"] as? [String] == [gothic, romance])
        _ = try succeed("set", library.path, book, "genres-=\(romance)")
        #expect(try json(book)["genres"] as? [String] == [gothic])
        _ = try succeed("set", library.path, book, "genres=")
        #expect(try json(book)["genres"] as? [String] == [])
        #expect(try library.value("SELECT COUNT(*) FROM Z_2GENRES WHERE Z_2BOOKS = 7") == 0)
    }

    @Test("set appends to an ordered relationship, and removes from it")
    func setOrdered() throws {
        let member = LibraryStore.uri("Member/p1")
        _ = try succeed("set", library.path, member, "loans+=\(LibraryStore.uri("Loan/p3"))")
        #expect(
            try json(member)["loans"] as? [String]
                == ["Loan/p2", "Loan/p1", "Loan/p4", "Loan/p3"].map(LibraryStore.uri))
        _ = try succeed(
            "set", library.path, member, "loans-=\(LibraryStore.uri("Loan/p1"))",
            "loans+=\(LibraryStore.uri("Loan/p1"))")
        let moved = ["Loan/p2", "Loan/p4", "Loan/p3", "Loan/p1"].map(LibraryStore.uri)
        #expect(try json(member)["loans"] as? [String] == moved)
    }

    @Test("insert prints the new object's URI, and default values are set")
    func insert() throws {
        let uri = try succeed(
            "insert", library.path, "AudioBook", "title=Jerusalem", "identifier=\(UUID().uuidString)",
            "author=\(LibraryStore.uri("Author/p5"))", "genres+=\(LibraryStore.uri("Genre/p5"))")
        #expect(uri == LibraryStore.uri("AudioBook/p14"))
        let book = try json(uri)
        #expect(book["copies"] as? Int == 1)
        #expect(book["inPrint"] as? Bool == true)
        #expect(book["author"] as? String == LibraryStore.uri("Author/p5"))
        #expect(try library.value("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'") == 14)
        #expect(try library.value("PRAGMA integrity_check") == "ok")
    }

    @Test("a key that was given out and deleted is not given out again")
    func keysAreNotReused() throws {
        let uri = try succeed(
            "insert", library.path, "Loan", "due=2024-07-01", "lent=2024-06-17",
            "book=\(LibraryStore.uri("Book/p4"))", "member=\(LibraryStore.uri("Member/p4"))")
        #expect(uri == LibraryStore.uri("Loan/p10"))
    }

    @Test("delete follows the delete rules")
    func delete() throws {
        _ = try succeed("delete", library.path, LibraryStore.uri("Member/p1"))
        #expect(try library.value("SELECT COUNT(*) FROM ZLOAN WHERE ZMEMBER = 1") == 0)
        #expect(try library.value("SELECT COUNT(*) FROM ZLOAN") == 5)
        let denied = try CommandLineTool.run("delete", library.path, LibraryStore.uri("Book/p3"))
        #expect(denied.exitCode == 1)
        #expect(denied.errors.contains("loans"))
        #expect(try library.value("SELECT COUNT(*) FROM ZBOOK") == 13)
    }

    @Test("a failed change leaves every row as it was")
    func failureChangesNothing() throws {
        let before: String? = try library.value("SELECT group_concat(ZTITLE || Z_OPT) FROM ZBOOK")
        let attempts = [
            ["set", library.path, LibraryStore.uri("Book/p1"), "copies=5", "title="],
            ["set", library.path, LibraryStore.uri("Book/p1"), "pages=0"],
            ["set", library.path, LibraryStore.uri("Book/p1"), "copies=5", "pages=many"],
            ["insert", library.path, "Book", "title=No identifier"],
            ["insert", library.path, "Book", "title=Twice", "identifier=6A1F0C4E-5B2D-4E8A-9C37-01D2E4F5A601"],
        ]
        for attempt in attempts {
            let outcome = try CommandLineTool.run(attempt)
            #expect(outcome.exitCode == 1, "\(attempt)")
            #expect(outcome.errors.contains(library.path), "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
        }
        #expect(try library.value("SELECT group_concat(ZTITLE || Z_OPT) FROM ZBOOK") == before)
    }
}
