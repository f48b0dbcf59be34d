import CoreData
import Foundation
import Testing

@Suite("A process that is killed while it saves")
struct KillTests {
    static let rounds = 5
    static let killsPerRound = 10
    /// How many kills the test with everything on takes; 300 by hand.
    private static let killsWithEverything =
        ProcessInfo.processInfo.environment["COREDATA_TEST_KILLS"].flatMap { Int($0) } ?? 20

    /// How many times as long as usual children live: programs that a sanitizer watches are slow.
    private static let pace = ProcessInfo.processInfo.environment["COREDATA_TEST_PACE"].flatMap { Double($0) } ?? 1

    /// Each round is one store, which ten children go on with, one after the other.
    @Test("leaves a sound store with exactly a prefix of its saves", arguments: 1...rounds)
    func killing(_ seed: Int) throws {
        try kill(Self.killsPerRound, seed: seed, command: "save") { _, _ in }
    }

    @Test("leaves values in files of their own, and history, as they were at the end of a save")
    func killingWithEverything() throws {
        try kill(Self.killsWithEverything, seed: 99, command: "save-all") { store, saves in
            let plain = try PlainDatabase(store)
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: store)
            #expect(metadata["save"] as? Int ?? 0 == saves)
            // A child that was killed before it made the store has kept no history; the look into it has made one without.
            if saves == 0, try plain.rows("SELECT 1 FROM sqlite_master WHERE name = 'ATRANSACTION'").isEmpty { return }
            // The first save makes the author, each later one changes it.
            #expect(try plain.rows("SELECT COUNT(*) FROM ATRANSACTION")[0][0].integer == Int64(saves))
            #expect(
                try plain.rows(
                    "SELECT COUNT(*) FROM ACHANGE WHERE ZTRANSACTIONID NOT IN (SELECT Z_PK FROM ATRANSACTION)")
                    == [[.integer(0)]])
            #expect(
                try plain.rows(
                    "SELECT COUNT(*) FROM ACHANGE WHERE ZENTITY = (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book') AND ZCHANGETYPE = 0"
                )
                    == plain.rows("SELECT COUNT(*) FROM ZBOOK"))
            guard let stored = try plain.rows("SELECT ZPORTRAIT FROM ZAUTHOR").first?[0].bytes else { return }
            let name = String(decoding: stored.dropFirst().prefix(36), as: UTF8.self)
            let folder = store.deletingLastPathComponent().appendingPathComponent(".Library_SUPPORT/_EXTERNAL_DATA")
            let portrait = try Data(contentsOf: folder.appendingPathComponent(name))
            #expect(stored.count == 38 && portrait.count == 120_000)
            // Opening the store has removed whatever no row names.
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [name])
            #expect(String(decoding: portrait, as: UTF8.self).trimmingCharacters(in: .whitespaces) == "\(saves)")
        }
    }

    private func kill(
        _ kills: Int, seed: Int, command: String, check: (URL, Int) throws -> Void
    ) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        var folder = try TemporaryFolder()
        var store = folder.url.appendingPathComponent("Library.sqlite")
        let modelURL = Library.packageRoot.appendingPathComponent("Examples/Library/Library.xcdatamodeld")
        var last = 0
        var killedInTheMiddle = 0
        for kill in 1...kills {
            // All of a store is read after each kill, so one that grows for ever would take n² steps.
            if kill.isMultiple(of: 50) {
                folder = try TemporaryFolder()
                store = folder.url.appendingPathComponent("Library.sqlite")
                last = 0
            }
            let child = try ChildProcess([command, store.path, modelURL.path, "\(last + 1)"])
            // A busy machine may take longer than that to start the child.
            let delay = Self.pace * Double.random(in: 0.05...0.8, using: &random)
            let (lines, endedWell) = child.finish(within: delay, of: "begin")
            let printed = lines.compactMap { Int($0) }.last ?? last
            #expect(!endedWell, "seed \(seed), kill \(kill): the child ended by itself")
            let found = try prefix(in: store, "seed \(seed), kill \(kill)", hasFiles: command != "save")
            #expect(found == printed || found == printed + 1, "seed \(seed), kill \(kill): \(printed) were reported")
            try check(store, found)
            if found > last { killedInTheMiddle += 1 }
            last = found
        }
        #expect(killedInTheMiddle > 0)
        print("\(command), seed \(seed): \(kills) kills, \(killedInTheMiddle) of them after a save")
    }

    /// The number of saves that the store holds, after a check that it holds nothing else.
    private func prefix(in store: URL, _ place: String, hasFiles: Bool = false) throws -> Int {
        let stack = try StoreStack(store, model: Library.model(withFiles: hasFiles))
        defer { try? stack.close() }
        let context = stack.context
        let authors = try context.all("Author")
        guard let author = authors.first else {
            #expect(try context.all("Book").isEmpty, "\(place)")
            return 0
        }
        let text = String(decoding: try #require(author.value(forKey: "portrait") as? Data), as: UTF8.self)
            .trimmingCharacters(in: .whitespaces)
        let count = try #require(Int(text))
        let books = try context.all("Book")
        let expected = Set((1...count).flatMap { number in (0..<3).map { "\(number)-\($0)" } })
        #expect(Set(books.compactMap { $0.text("title") }) == expected, "\(place)")
        #expect(books.count == expected.count, "\(place)")
        #expect(author.members("books").count == books.count, "\(place)")
        for book in books {
            let number = try #require(Int(book.text("title")!.split(separator: "-")[0]))
            #expect(book.value(forKey: "copies") as? Int == (number < count ? number + 1 : 1), "\(place)")
            let genres = book.members("genres").map { $0.text("name") }
            #expect(genres == [number.isMultiple(of: 2) ? "even" : "odd"], "\(place)")
        }
        let plain = try PlainDatabase(store)
        #expect(try plain.rows("PRAGMA integrity_check").first?.first?.string == "ok", "\(place)")
        #expect(try plain.rows("SELECT COUNT(*) FROM Z_2GENRES") == [[.integer(Int64(books.count))]], "\(place)")
        let highest = try plain.rows("SELECT MAX(Z_PK) FROM ZBOOK")[0][0].integer ?? 0
        let reserved = try plain.rows("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_NAME = 'Book'")[0][0].integer ?? 0
        #expect(reserved >= highest, "\(place)")
        return count
    }
}
