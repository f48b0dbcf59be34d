import Foundation
import Testing

@Suite("coredata migrate")
struct MigrateCommandTests {
    private let library: LibraryStore
    private let models: LibraryVersions

    init() throws {
        library = try LibraryStore()
        models = LibraryVersions(folder: library.folder.appendingPathComponent("Models"))
        try FileManager.default.createDirectory(at: models.folder, withIntermediateDirectories: true)
    }

    /// Every file beside the store, with its bytes.
    private func files() throws -> [String: Data] {
        let names = try FileManager.default.contentsOfDirectory(atPath: library.folder.path).filter { $0 != "Models" }
        return try Dictionary(
            uniqueKeysWithValues: names.map { ($0, try Data(contentsOf: library.folder.appendingPathComponent($0))) })
    }

    @Test("says what will change and how many rows there are, does it, and checks it")
    func migrates() throws {
        let names: String? = try library.value(
            "SELECT group_concat(ZNAME) FROM (SELECT ZNAME FROM ZGENRE ORDER BY Z_PK)")
        let outcome = try CommandLineTool.run("migrate", library.path, "--to", models.next())
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.errors.isEmpty)
        for line in [
            "Changes", "  Subject: the entity was called Genre", "  Book.mark: the property is new",
            "  Loan.fee: the property is gone, and its values with it", "Rows", "  Genre: 6", "Migrated and checked.",
        ] {
            #expect(outcome.lines.contains(line), "\(line) in \(outcome.output)")
        }
        #expect(
            try library.value("SELECT group_concat(ZNAME) FROM (SELECT ZNAME FROM ZSUBJECT ORDER BY Z_PK)") == names)
        #expect(try library.value("SELECT COUNT(*) FROM ZBOOK WHERE ZMARK = 'none'") == 13)
        #expect(try library.value("SELECT COUNT(*) FROM pragma_table_info('ZLOAN') WHERE name = 'ZFEE'") == 0)
        // What the tool reads afterwards is the new model's, from the store's own copy of it.
        #expect(try CommandLineTool.run("count", library.path, "Subject").output == "6\n")
        let again = try CommandLineTool.run("migrate", library.path, "--to", models.next())
        #expect(again.exitCode == 0)
        #expect(again.output == "The store has that model already.\n")
        #expect(Set(try files().keys) == ["Library.sqlite"])
    }

    @Test("--dry-run tries it on a copy, and leaves every byte as it is")
    func dryRun() throws {
        try library.leaveRowInLog()
        let before = try files()
        let outcome = try CommandLineTool.run("migrate", library.path, "--to", models.next(), "--dry-run")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("  Genre: 6"))
        #expect(outcome.output.hasSuffix("The migration of a copy succeeded; the store is as it was.\n"))
        #expect(try files() == before)
    }

    @Test("takes what is in the write-ahead log along")
    func log() throws {
        try library.leaveRowInLog()
        let outcome = try CommandLineTool.run("migrate", library.path, "--to", models.next())
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try library.value("SELECT ZNAME FROM ZSUBJECT WHERE Z_PK = 6") == "Verse")
    }

    @Test("--progress shows how far it has come on standard error, and only that there")
    func progress() throws {
        let outcome = try CommandLineTool.run("migrate", library.path, "--to", models.next(), "--progress")
        #expect(outcome.exitCode == 0)
        #expect(outcome.errors.contains("\r[##############################] 100 %"))
        #expect(!outcome.output.contains("%"))
        let other = try LibraryStore()
        let mapped = try CommandLineTool.run(
            "migrate", other.path, "--to", models.withOtherType(), "--mapping", models.wholeMapping(), "--progress")
        #expect(mapped.exitCode == 0, "\(mapped.errors)")
        let percents = mapped.errors.split(separator: "\r").compactMap { line in
            line.split(separator: " ").dropLast().last.flatMap { Int($0) }
        }
        #expect(Set(percents).count > 5)
        #expect(percents.last == 100)
    }

    @Test("refuses what can't be worked out, says why and what would help, and changes nothing")
    func refusal() throws {
        let before = try files()
        let required = try models.model(
            "Required",
            [
                (
                    #"<attribute name="title" attributeType="String"/>"#,
                    #"<attribute name="mark" attributeType="String"/><attribute name="title" attributeType="String"/>"#
                )
            ])
        for (model, reason) in [
            (try models.withOtherType(), "Book.pages: its type was Integer 32 and is String"),
            (
                required,
                "Book.mark: the property is new (no lightweight migration: it is required and has no default value)"
            ),
        ] {
            let outcome = try CommandLineTool.run("migrate", library.path, "--to", model)
            #expect(outcome.exitCode == 1)
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(reason), "\(outcome.errors)")
            #expect(outcome.errors.contains("--mapping"))
            #expect(outcome.errors.contains(library.path))
        }
        #expect(try files() == before)
    }

    @Test("names the constraint that objects would break, and leaves the store as it was")
    func constraint() throws {
        let unique = try models.model(
            "Unique",
            [
                (
                    "        <uniquenessConstraints>\n            <uniquenessConstraint>\n                <constraint value=\"identifier\"/>",
                    "        <uniquenessConstraints>\n            <uniquenessConstraint>\n                <constraint value=\"copies\"/>"
                )
            ])
        let before = try library.value("SELECT group_concat(sql) FROM sqlite_master") ?? ""
        let outcome = try CommandLineTool.run("migrate", library.path, "--to", unique)
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("Book") && outcome.errors.contains("copies"), "\(outcome.errors)")
        #expect(try library.value("SELECT group_concat(sql) FROM sqlite_master") == before)
        #expect(Set(try files().keys) == ["Library.sqlite"])
    }

    @Test("--mapping migrates by a mapping model what can't be worked out")
    func mapping() throws {
        let titles =
            "SELECT group_concat(t) FROM (SELECT ZTITLE || a.ZNAME t FROM ZBOOK b LEFT JOIN ZAUTHOR a ON a.Z_PK = b.ZAUTHOR ORDER BY ZTITLE)"
        let before: String? = try library.value(titles)
        let outcome = try CommandLineTool.run(
            "migrate", library.path, "--to", models.withOtherType(), "--mapping", models.wholeMapping())
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.hasSuffix("Migrated and checked.\n"))
        #expect(try library.value(titles) == before)
        #expect(try library.value("SELECT COUNT(*) FROM ZBOOK WHERE ZPAGES NOT NULL") == 0)
        #expect(try library.value("SELECT type FROM pragma_table_info('ZBOOK') WHERE name = 'ZPAGES'") == "VARCHAR")
        #expect(Set(try files().keys) == ["Library.sqlite"])
    }

    @Test("refuses a mapping model that is for other entities, or leaves one out")
    func wrongMapping() throws {
        let before = try files()
        let other = try models.mapping([("Shelf", ["number"], [])])
        let outcome = try CommandLineTool.run(
            "migrate", library.path, "--to", models.withOtherType(), "--mapping", other)
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains("Shelf") && outcome.errors.contains(other), "\(outcome.errors)")
        let partial = try CommandLineTool.run(
            "migrate", library.path, "--to", models.withOtherType(), "--mapping", models.wholeMapping(without: "Genre"))
        #expect(partial.exitCode == 1)
        #expect(partial.errors.contains("Genre"), "\(partial.errors)")
        #expect(try files() == before)
    }

    @Test("finds the store's version in a bundle of versions, and doesn't take another one for it")
    func versions() throws {
        let bundle = models.folder.appendingPathComponent("Versions.xcdatamodeld")
        try FileManager.default.createDirectory(at: bundle, withIntermediateDirectories: true)
        let next = URL(fileURLWithPath: try models.next())
        let first = URL(fileURLWithPath: try models.model("Library 1", []))
        for version in [first, next] {
            try FileManager.default.copyItem(at: version, to: bundle.appendingPathComponent(version.lastPathComponent))
        }
        try Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key><string>\(next.lastPathComponent)</string></dict></plist>
            """.utf8
        ).write(to: bundle.appendingPathComponent(".xccurrentversion"))
        // Without the copy that the store carries there are only the bundle's versions to choose from.
        try library.execute("DELETE FROM Z_MODELCACHE")
        let before = try files()
        let wrong = try CommandLineTool.run(
            "migrate", library.path, "--model", next.path, "--to", models.withOtherType(), "--dry-run")
        #expect(wrong.exitCode == 1)
        #expect(
            wrong.errors.contains("it isn't of the model \(next.path)") && wrong.errors.contains("Subject"),
            "\(wrong.errors)")
        for arguments in [[], ["--model", bundle.path]] {
            let outcome = try CommandLineTool.run(
                ["migrate", library.path, "--to", bundle.path, "--dry-run"] + arguments)
            #expect(outcome.exitCode == 0, "\(outcome.errors)")
            #expect(outcome.lines.contains("  Subject: the entity was called Genre"))
        }
        #expect(try files() == before)
        #expect(try CommandLineTool.run("count", library.path, "Genre", "--model", bundle.path).output == "6\n")
        #expect(try CommandLineTool.run("migrate", library.path, "--to", bundle.path).exitCode == 0)
        let again = try CommandLineTool.run("migrate", library.path, "--model", bundle.path, "--to", bundle.path)
        #expect(again.output == "The store has that model already.\n", "\(again.errors)")
    }

    @Test("a wrong command line exits with 2, a file that isn't there with 1 and its name")
    func commandLine() throws {
        #expect(try CommandLineTool.run("migrate", library.path).exitCode == 2)
        for arguments in [
            [library.path, "--to", "/nowhere/Library.mom"], ["/nowhere/Library.sqlite", "--to", try models.next()],
            [library.path, "--to", try models.next(), "--mapping", "/nowhere/M.xcmappingmodel"],
        ] {
            let outcome = try CommandLineTool.run(["migrate"] + arguments)
            #expect(outcome.exitCode == 1)
            #expect(outcome.errors.contains("/nowhere/"), "\(outcome.errors)")
        }
        let damaged = library.folder.appendingPathComponent("Damaged.sqlite")
        try Data(repeating: 65, count: 5000).write(to: damaged)
        let outcome = try CommandLineTool.run("migrate", damaged.path, "--to", models.next())
        #expect(outcome.exitCode == 1)
        #expect(outcome.errors.contains(damaged.path), "\(outcome.errors)")
    }

    @Test("damage that was there before doesn't stop it, and isn't made worse")
    func damaged() throws {
        let uri = LibraryStore.uri("Book/p1")
        try library.execute("UPDATE ZBOOK SET ZAUTHOR = 999 WHERE Z_PK = 1")
        let outcome = try CommandLineTool.run("migrate", library.path, "--to", models.next())
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(try CommandLineTool.run("get", library.path, uri).exitCode == 0)
        let doctor = try CommandLineTool.run("doctor", library.path)
        #expect(doctor.output.contains("Book.author: 1 object(s) refer to one that isn't there"), "\(doctor.output)")
    }
}
