import Foundation
import GRDB
import Testing

@Suite("The example programs")
struct ExampleTests {
    @Test("Quickstart prints what it asks for, and the book that it adds is in the file")
    func quickstart() throws {
        let library = try LibraryStore()
        let outcome = try CommandLineTool.run([library.path], program: "Quickstart")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        let expected = [
            "Twenty Thousand Leagues Under the Seas 394", "Around the World in Eighty Days 252",
            LibraryStore.uri("Book/p14"),
        ]
        #expect(outcome.lines == expected)
        #expect(try library.value("SELECT ZAUTHOR FROM ZBOOK WHERE ZTITLE = 'Jerusalem'") == 5)
    }

    @Test("the tour skips nothing on the library, and leaves it sound")
    func tourOfLibrary() throws {
        let library = try LibraryStore()
        let outcome = try CommandLineTool.run([library.path], program: "tour")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(!outcome.output.contains("Skipped"))
        for step in ["Metadata", "Entities", "A fetch", "A relationship", "Inserted", "Changed", "Deleted", "is gone"] {
            #expect(outcome.output.contains(step), "\(step)")
        }
        #expect(try library.value("PRAGMA integrity_check") == "ok")
    }

    @Test(
        "the tour gets through every store that carries a model", .enabled(if: FixtureStores.arePresent),
        arguments: FixtureStores.pathsWithModel)
    func tourOfFixtures(path: String) throws {
        let store = try StoreCopy(of: path)
        let outcome = try CommandLineTool.run([store.path], program: "tour")
        #expect(outcome.exitCode == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("is gone") || outcome.output.contains("Skipped"), "\(outcome.output)")
        let integrity = try store.read { try String.fetchOne($0, sql: "PRAGMA integrity_check") }
        #expect(integrity == "ok")
    }
}
