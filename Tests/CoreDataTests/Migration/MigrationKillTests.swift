import CoreData
import Foundation
import Testing

@Suite("A process that is killed while it migrates")
struct MigrationKillTests {
    /// The kills of each of the three ways: `COREDATA_TEST_KILLS` in all, 210 with `COREDATA_FULL_TESTS`.
    private static let rounds: Int = {
        let environment = ProcessInfo.processInfo.environment
        if let kills = environment["COREDATA_TEST_KILLS"].flatMap({ Int($0) }) { return max(8, (kills + 2) / 3) }
        return environment["COREDATA_FULL_TESTS"] == nil ? 8 : 70
    }()
    private static let authors = 800

    /// Three versions of a model, and a store of the first to be copied for each round.
    private struct Setting {
        let folder: TemporaryFolder
        let template: URL
        let models: [NSManagedObjectModel]
        let files: [URL]
        let schemas: [[[String?]]]

        init() throws {
            folder = try TemporaryFolder()
            template = folder.url.appendingPathComponent("Template.sqlite")
            try MigrationLibrary.makeStore(at: template, authors: MigrationKillTests.authors)
            let between = try MigrationLibrary.nextModel()
            between.entitiesByName["Book"]?.properties += [MigrationLibrary.attribute("code", .stringAttributeType)]
            models = [try Library.model(), between, try MigrationLibrary.nextModel()]
            files = try zip(["Old", "Between", "New"], models).map { [folder] name, model in
                let file = folder.url.appendingPathComponent("\(name).mom")
                try model.archivedData().write(to: file)
                return file
            }
            schemas = try models.map { try FreshSchema.of($0, historyTracking: false) }
        }

        func child(_ way: String, _ url: URL) throws -> ChildProcess {
            try ChildProcess(
                ["migrate", url.path, files[0].path, files[2].path, way] + (way == "staged" ? [files[1].path] : []))
        }

        /// About as long as a migration takes that nobody kills, from its first line of output on: found by trying.
        func duration(_ way: String) throws -> Double {
            var seconds = 0.05
            for attempt in 0..<12 {
                let url = folder.url.appendingPathComponent("Whole\(attempt).sqlite")
                try FileManager.default.copyItem(at: template, to: url)
                if try child(way, url).finish(within: seconds, of: "begin").endedWell { break }
                seconds *= 1.6
            }
            return seconds
        }
    }

    @Test("leaves the old store or the new one, or that of a stage, whole", arguments: ["place", "manager", "staged"])
    func killed(way: String) throws {
        let setting = try Setting()
        var generator = SeededGenerator(seed: 11)
        var outcomes = [0, 0, 0]
        var longest = try setting.duration(way)
        for round in 0..<Self.rounds {
            let url = setting.folder.url.appendingPathComponent("Round\(round).sqlite")
            try FileManager.default.copyItem(at: setting.template, to: url)
            let delay = Double.random(in: 0...longest, using: &generator)
            let ended = try setting.child(way, url).finish(within: delay, of: "begin").endedWell
            // Kills are to fall on all of the migration, and few behind it.
            longest = ended ? min(longest, delay * 1.1) : max(longest, delay * 1.1)
            let present = try FreshSchema.present(in: url)
            let place = try #require(setting.schemas.firstIndex(of: present), "round \(round), killed after \(delay) s")
            outcomes[place] += 1
            #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]])
            try expectWhole(url, isOld: place == 0, "round \(round)")
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url)
            #expect(
                setting.models[place].isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
            guard way == "staged", round.isMultiple(of: 4) else { continue }
            // What was left, whichever stage it was, is migrated by the next start.
            #expect(try setting.child(way, url).finish(within: 120).endedWell)
            #expect(try FreshSchema.present(in: url) == setting.schemas[2])
            try expectWhole(url, isOld: false, "round \(round), resumed")
        }
        print("Killed while migrating (\(way)): old \(outcomes[0]), between \(outcomes[1]), new \(outcomes[2])")
        #expect(way == "staged" || outcomes[1] == 0)
    }

    private func expectWhole(_ url: URL, isOld: Bool, _ comment: Comment) throws {
        let (table, column) = isOld ? ("ZAUTHOR", "ZTITLE") : ("ZWRITER", "ZNAME")
        let counts = try PlainSQLite.rows(
            """
            SELECT (SELECT COUNT(*) FROM \(table)), (SELECT COUNT(DISTINCT \(column)) FROM ZBOOK),
                (SELECT COUNT(*) FROM ZBOOK WHERE ZAUTHOR IN (SELECT Z_PK FROM \(table))),
                (SELECT COUNT(DISTINCT IFNULL(ZCOPIES, 0)) FROM ZBOOK)
            """, in: url)
        // A handler's save is one as well: all books have as many copies.
        #expect(counts == [["\(Self.authors)", "\(3 * Self.authors)", "\(3 * Self.authors)", "1"]], comment)
    }
}
