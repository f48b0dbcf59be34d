import CoreData
import Foundation
import Testing

@Suite("coredata doctor")
struct DoctorCommandTests {
    private let library: LibraryStore

    init() throws { library = try LibraryStore() }

    private func backups() throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: library.folder.path).filter { $0.hasSuffix(".backup") }
    }

    @Test("finds nothing in a sound store, and changes nothing")
    func sound() throws {
        let before = try library.files()
        let outcome = try CommandLineTool.run("doctor", library.path)
        #expect(outcome.exitCode == 0, "\(outcome.errors) \(outcome.output)")
        #expect(outcome.output == "\(library.path): nothing is wrong.\n")
        #expect(try CommandLineTool.run("doctor", library.path, "--repair").exitCode == 0)
        #expect(try library.files() == before)
    }

    /// Damage, what is said of it, and a query that holds once it was mended.
    struct Damage: CustomTestStringConvertible, Sendable {
        var sql: String
        var line: String
        var cured: String?
        var testDescription: String { line }
    }

    static let damages = [
        Damage(
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = 2 WHERE Z_NAME = 'Book'",
            line: "* Book: the highest key is 13, but the last one given out is 2",
            cured: "SELECT Z_MAX = 13 FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'"),
        Damage(
            sql: "UPDATE ZBOOK SET ZAUTHOR = 999 WHERE Z_PK IN (1, 2)",
            line: "* Book.author: 2 object(s) refer to one that isn't there",
            cured: "SELECT COUNT(*) = 2 FROM ZBOOK WHERE Z_PK IN (1, 2) AND ZAUTHOR IS NULL"),
        Damage(
            sql: "INSERT INTO Z_2GENRES (Z_2BOOKS, Z_4GENRES) VALUES (1, 77)",
            line: "* Book.genres: 1 pair(s) lead to an object that isn't there",
            cured: "SELECT COUNT(*) = 0 FROM Z_2GENRES WHERE Z_4GENRES = 77"),
        Damage(
            sql: "UPDATE ZLOAN SET Z2_BOOK = 5 WHERE Z_PK = 1",
            line: "* Loan.book: 1 reference(s) name another entity than the object's",
            cured: "SELECT Z2_BOOK IN (1, 2) FROM ZLOAN WHERE Z_PK = 1"),
        Damage(
            sql: "UPDATE ZBOOK SET Z_ENT = 77 WHERE Z_PK = 12",
            line: "  Book: 1 row(s) have the number of no entity of the table"),
    ]

    @Test("finds damage, and mends what can be mended without loss, after a copy was made", arguments: damages)
    func damage(_ damage: Damage) throws {
        try library.execute(damage.sql)
        let before = try library.files()
        let outcome = try CommandLineTool.run("doctor", library.path)
        #expect(outcome.exitCode == 1)
        #expect(outcome.lines.contains(damage.line), "\(outcome.output)")
        #expect(outcome.errors.contains("wrong"))
        #expect(try library.files() == before)
        let repaired = try CommandLineTool.run("doctor", library.path, "--repair")
        guard let cured = damage.cured else {
            #expect(repaired.exitCode == 1)
            #expect(try library.value("SELECT Z_ENT FROM ZBOOK WHERE Z_PK = 12") == 77)
            return
        }
        #expect(repaired.exitCode == 0, "\(repaired.errors) \(repaired.output)")
        #expect(try library.value(cured) == true)
        let backup = try #require(backups().first)
        #expect(repaired.output.contains(backup))
        // The copy has what the store had, the damage too.
        let copy = try CommandLineTool.run("doctor", library.folder.appendingPathComponent(backup).path)
        #expect(copy.lines == outcome.lines)
        #expect(try CommandLineTool.run("doctor", library.path).exitCode == 0)
    }

    @Test("leaves what leads to an object with a damaged number of an entity", arguments: ["77", "'x'", "NULL", "1.5"])
    func damagedEntity(number: String) throws {
        let owner = try #require(library.value("SELECT Z_2BOOKS FROM Z_2GENRES LIMIT 1") as Int64?)
        let loan = "SELECT COUNT(*) FROM ZLOAN WHERE ZBOOK = \(owner)"
        try library.execute("UPDATE ZLOAN SET ZBOOK = \(owner)")
        try library.execute("UPDATE ZLOAN SET Z2_BOOK = (SELECT Z_ENT FROM ZBOOK WHERE Z_PK = \(owner))")
        try library.execute("UPDATE ZBOOK SET Z_ENT = \(number) WHERE Z_PK = \(owner)")
        let pairs = "SELECT COUNT(*) FROM Z_2GENRES"
        let before = (try library.value(pairs) as Int64?, try library.value(loan) as Int64?)
        let repaired = try CommandLineTool.run("doctor", library.path, "--repair")
        #expect(repaired.exitCode == 1)
        #expect(try library.value(pairs) == before.0)
        #expect(try library.value(loan) == before.1)
    }

    @Test("finds missing indexes and makes them")
    func indexes() throws {
        try library.execute("DROP INDEX ZBOOK_ZAUTHOR_INDEX")
        let outcome = try CommandLineTool.run("doctor", library.path)
        #expect(outcome.exitCode == 1)
        #expect(outcome.lines == ["* ZBOOK_ZAUTHOR_INDEX: the index is missing on ZBOOK"])
        #expect(try CommandLineTool.run("doctor", library.path, "--repair").exitCode == 0)
        #expect(
            try library.value("SELECT sql FROM sqlite_master WHERE name = 'ZBOOK_ZAUTHOR_INDEX'")
                == "CREATE INDEX ZBOOK_ZAUTHOR_INDEX ON ZBOOK (ZAUTHOR)")
    }

    @Test("names the properties by which a model's hashes differ from the store's")
    func hashes() throws {
        let versions = LibraryVersions(folder: library.folder)
        let model = try versions.model(
            "Other",
            [
                (
                    #"<attribute name="title" attributeType="String"/>"#,
                    #"<attribute name="title" attributeType="String" optional="YES"/>"#
                ),
                (#"<attribute name="shelf" optional="YES" attributeType="Integer 16" usesScalarValueType="YES"/>"#, ""),
            ])
        let outcome = try CommandLineTool.run("doctor", library.path, "--model", model)
        #expect(outcome.exitCode == 1)
        #expect(
            outcome.lines.contains(
                "  Book: the version hash in the metadata is not that of the model: 'title' differs"),
            "\(outcome.output)")
        #expect(
            outcome.lines.contains(
                "  Genre: the version hash in the metadata is not that of the model: 'shelf' is in the store only"),
            "\(outcome.output)")
    }

    @Test("with another model whose tables these aren't says which entities differ, and mends nothing by it")
    func anotherModel() throws {
        let versions = LibraryVersions(folder: library.folder.appendingPathComponent("Models"))
        try library.execute("UPDATE ZBOOK SET ZAUTHOR = 999 WHERE Z_PK = 1")
        let before = try library.value("SELECT group_concat(sql) FROM sqlite_master") ?? ""
        for (model, line, isOfOtherTables) in [
            (try versions.next(), "  Subject: the entity is in the model only", true),
            (
                try versions.withOtherType(),
                "  Book: the version hash in the metadata is not that of the model: 'pages' differs", false
            ),
        ] {
            let outcome = try CommandLineTool.run("doctor", library.path, "--model", model, "--repair")
            #expect(outcome.exitCode == 1)
            #expect(outcome.lines.contains(line), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("the tables are not those of the model") == isOfOtherTables)
            #expect(!outcome.output.contains("Mended") && !outcome.output.contains("* "))
        }
        #expect(try library.value("SELECT ZAUTHOR FROM ZBOOK WHERE Z_PK = 1") == 999)
        #expect(try library.value("SELECT group_concat(sql) FROM sqlite_master") == before)
        #expect(try backups().isEmpty)
    }

    @Test("tells of values that a constraint forbids to occur twice, and mends what else there is")
    func duplicates() throws {
        let index =
            try library.value(
                "SELECT name FROM sqlite_master WHERE name LIKE 'Z_Genre_UNIQUE%'") ?? "no index"
        try library.execute("DROP INDEX \(index)")
        try library.execute("UPDATE ZGENRE SET ZNAME = 'Same' WHERE Z_PK IN (1, 2, 3)")
        try library.execute("UPDATE ZBOOK SET ZAUTHOR = 999 WHERE Z_PK = 1")
        let outcome = try CommandLineTool.run("doctor", library.path, "--repair")
        #expect(outcome.exitCode == 1)
        #expect(
            outcome.lines.contains("  Genre.name: 1 value(s) that the model makes unique occur more than once"),
            "\(outcome.output)")
        #expect(outcome.lines.contains("  \(index): the index is missing on ZGENRE"), "\(outcome.output)")
        #expect(outcome.output.contains("Mended 1 of 3"), "\(outcome.output)")
        #expect(try library.value("SELECT COUNT(*) FROM ZBOOK WHERE Z_PK = 1 AND ZAUTHOR IS NULL") == 1)
        #expect(try library.value("SELECT COUNT(*) FROM ZGENRE WHERE ZNAME = 'Same'") == 3)
    }

    @Test("finds a file that is damaged beyond its tables, and doesn't crash")
    func brokenPages() throws {
        var bytes = try Data(contentsOf: URL(fileURLWithPath: library.path))
        let size = 4096
        for page in 8..<min(14, bytes.count / size) {
            bytes.replaceSubrange((page * size)..<(page * size + 200), with: Data(repeating: 0xA5, count: 200))
        }
        try bytes.write(to: URL(fileURLWithPath: library.path))
        let outcome = try CommandLineTool.run("doctor", library.path)
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains(library.path))
        _ = try CommandLineTool.run("doctor", library.path, "--repair")
    }

    @Test("finds members of one-way relationships whose owner isn't there")
    func oneWay() throws {
        let (shelf, book) = (NSEntityDescription(), NSEntityDescription())
        (shelf.name, book.name) = ("Shelf", "Book")
        let books = NSRelationshipDescription()
        (books.name, books.destinationEntity, books.maxCount, books.isOptional) = ("books", book, 0, true)
        let title = NSAttributeDescription()
        (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
        shelf.properties = [books]
        book.properties = [title]
        let model = NSManagedObjectModel()
        model.entities = [shelf, book]
        let url = library.folder.appendingPathComponent("Shelves.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            let shelf = NSEntityDescription.insertNewObject(forEntityName: "Shelf", into: context)
            let books = (0..<3).map { _ in NSEntityDescription.insertNewObject(forEntityName: "Book", into: context) }
            shelf.setValue(Set(books), forKey: "books")
            try context.save()
        }
        try coordinator.remove(store)
        try library.execute("DELETE FROM ZSHELF", in: url.path)
        let outcome = try CommandLineTool.run("doctor", url.path, "--repair")
        #expect(outcome.exitCode == 0, "\(outcome.output)\(outcome.errors)")
        #expect(
            outcome.lines.contains("* Shelf.books: 3 object(s) belong to one that isn't there"), "\(outcome.output)")
        #expect(try CommandLineTool.run("doctor", url.path).exitCode == 0)
        #expect(try CommandLineTool.run("count", url.path, "Book").output == "3\n")
    }

    @Test("finds one-sided one-to-one relationships, files that nobody names and files that are gone")
    func filesAndPairs() throws {
        let (passport, person) = (NSEntityDescription(), NSEntityDescription())
        (passport.name, person.name) = ("Passport", "Person")
        let (owner, document, photo) = (
            NSRelationshipDescription(), NSRelationshipDescription(), NSAttributeDescription()
        )
        (owner.name, owner.destinationEntity, owner.inverseRelationship, owner.maxCount) = (
            "owner", person, document, 1
        )
        (document.name, document.destinationEntity, document.inverseRelationship) = ("document", passport, owner)
        document.maxCount = 1
        (photo.name, photo.attributeType, photo.allowsExternalBinaryDataStorage) = (
            "photo", .binaryDataAttributeType, true
        )
        passport.properties = [owner, photo]
        person.properties = [document]
        let model = NSManagedObjectModel()
        model.entities = [passport, person]
        let url = library.folder.appendingPathComponent("People.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        let store = try coordinator.addPersistentStore(type: .sqlite, at: url)
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
            for _ in 0..<2 {
                let new = NSEntityDescription.insertNewObject(forEntityName: "Passport", into: context)
                new.setValue(Data(repeating: 7, count: 200_000), forKey: "photo")
                new.setValue(
                    NSEntityDescription.insertNewObject(forEntityName: "Person", into: context), forKey: "owner")
            }
            try context.save()
        }
        try coordinator.remove(store)
        let folder = library.folder.appendingPathComponent(".People_SUPPORT/_EXTERNAL_DATA")
        let orphan = UUID().uuidString
        try Data("lost".utf8).write(to: folder.appendingPathComponent(orphan))
        try library.execute("UPDATE ZPERSON SET ZDOCUMENT = NULL WHERE Z_PK = 2", in: url.path)
        var outcome = try CommandLineTool.run("doctor", url.path)
        #expect(outcome.exitCode == 1)
        #expect(
            Set(outcome.lines) == [
                "* \(orphan): no row of any table names this file",
                "* Passport.owner: 1 object(s) refer to one whose document is not them",
            ], "\(outcome.output)")
        outcome = try CommandLineTool.run("doctor", url.path, "--repair")
        #expect(outcome.exitCode == 0, "\(outcome.errors) \(outcome.output)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.count == 2 && !names.contains(orphan))
        let kept = try FileManager.default.subpathsOfDirectory(atPath: library.folder.path)
        #expect(kept.contains { $0.hasSuffix(".files/\(orphan)") })
        try FileManager.default.removeItem(at: folder.appendingPathComponent(names[0]))
        outcome = try CommandLineTool.run("doctor", url.path, "--repair")
        #expect(outcome.exitCode == 1)
        #expect(outcome.lines == ["  \(names[0]): a row names this file, which is gone"], "\(outcome.output)")
    }
}
