import CoreData
import Foundation
import TestSupport
import Testing

/// The other process is this test program again, told by its environment to run ``saveUntilKilled()`` only.
@Suite("A process that is killed while it saves")
struct SQLiteKillTests {
    private static let storeVariable = "COREDATA_TEST_KILLED_STORE"
    private static let storeOfChild = ProcessInfo.processInfo.environment[storeVariable]
    private static let booksPerSave = 20
    private static let rounds = 50

    private static func open(_ url: URL) throws -> (NSPersistentContainer, NSManagedObjectContext) {
        let container = NSPersistentContainer(name: "Library", managedObjectModel: try Library.model())
        container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
        var failure: (any Error)?
        container.loadPersistentStores { _, error in failure = error }
        if let failure { throw failure }
        return (container, container.newThreadContext())
    }

    /// Each save makes one author with its books, and counts the saves in a genre.
    @Test("the process that is killed", .enabled(if: storeOfChild != nil))
    func saveUntilKilled() throws {
        let (container, context) = try Self.open(URL(fileURLWithPath: try #require(Self.storeOfChild)))
        try withExtendedLifetime(container) {
            let counter = try context.all("Genre").first ?? context.make("Genre", ["name": "counter", "shelf": 0])
            let before = counter.value(forKey: "shelf") as? Int ?? 0
            // Should the parent die, this ends all the same.
            for save in before..<before + 20_000 {
                let author = context.make("Author", ["name": "Author \(save)"])
                for number in 0..<Self.booksPerSave {
                    context.makeBook("Book \(save * Self.booksPerSave + number)", ["author": author])
                }
                counter.setValue(save + 1, forKey: "shelf")
                try context.save()
            }
        }
    }

    @Test(
        "leaves a store that opens, is sound, and holds exactly the first of its saves",
        .enabled(if: storeOfChild == nil))
    func leftBehind() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Kill-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("Killed.sqlite")
        var generator = SeededGenerator(seed: 7)
        var saves = 0
        for round in 0..<Self.rounds {
            let child = try RunningProgram(
                URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().path,
                ["--testing-library", "swift-testing", "--filter", "SQLiteKillTests"],
                environment: ProcessInfo.processInfo.environment.merging([Self.storeVariable: url.path]) { $1 })
            // Early rounds hit the making of the store, too; the log is there as soon as that begins.
            let limit = Date(timeIntervalSinceNow: 60)
            while !FileManager.default.fileExists(atPath: url.path + "-wal"), child.isRunning, Date() < limit {
                Thread.sleep(forTimeInterval: 0.001)
            }
            Thread.sleep(forTimeInterval: Double.random(in: 0...0.3, using: &generator))
            #expect(child.isRunning, "round \(round)")
            child.kill()
            child.wait()
            saves = try check(url, atLeast: saves, round: round)
        }
        #expect(saves > 0)
    }

    /// Returns how many saves the store holds.
    private func check(_ url: URL, atLeast earlier: Int, round: Int) throws -> Int {
        let (container, context) = try Self.open(url)
        defer {
            try? container.persistentStoreCoordinator.persistentStores.forEach(
                container.persistentStoreCoordinator.remove)
        }
        let saves = try context.all("Genre").first?.value(forKey: "shelf") as? Int ?? 0
        #expect(saves >= earlier, "round \(round)")
        #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]])
        let counts = try PlainSQLite.rows(
            """
            SELECT (SELECT COUNT(*) FROM ZAUTHOR), (SELECT COUNT(*) FROM ZBOOK), (SELECT COUNT(DISTINCT ZTITLE) FROM ZBOOK),
                (SELECT COUNT(*) FROM ZBOOK WHERE ZAUTHOR IN (SELECT Z_PK FROM ZAUTHOR)),
                (SELECT MAX(Z_PK) FROM ZBOOK) <= (SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book')
            """, in: url)
        let books = "\(saves * Self.booksPerSave)"
        #expect(counts == [["\(saves)", books, books, books, saves == 0 ? nil : "1"]], "round \(round)")
        return saves
    }
}
