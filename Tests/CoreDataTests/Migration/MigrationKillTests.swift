import CoreData
import Foundation
import Testing

@Suite("A process that is killed while it migrates")
struct MigrationKillTests {
    /// 200 with `COREDATA_FULL_TESTS`.
    private static let rounds = ProcessInfo.processInfo.environment["COREDATA_FULL_TESTS"] == nil ? 10 : 100
    private static let authors = 1500

    @Test("leaves the old store or the new one, whole", arguments: ["place", "manager"])
    func killed(way: String) throws {
        let folder = try TemporaryFolder()
        let template = folder.url.appendingPathComponent("Template.sqlite")
        try MigrationLibrary.makeStore(at: template, authors: Self.authors)
        let (old, new) = (try Library.model(), try MigrationLibrary.nextModel())
        let models = ["Old", "New"].map { folder.url.appendingPathComponent("\($0).mom") }
        try old.archivedData().write(to: models[0])
        try new.archivedData().write(to: models[1])
        let schemas = [
            try FreshSchema.of(old, historyTracking: false), try FreshSchema.of(new, historyTracking: false),
        ]
        var generator = SeededGenerator(seed: 11)
        var outcomes = [0, 0]
        // Until a whole run is known to be over.
        var longest = try duration(way, template, models, folder.url)
        for round in 0..<Self.rounds {
            let url = folder.url.appendingPathComponent("Round\(round).sqlite")
            try FileManager.default.copyItem(at: template, to: url)
            let child = try ChildProcess(["migrate", url.path, models[0].path, models[1].path, way])
            let delay = Double.random(in: 0...longest, using: &generator)
            let ended = child.finish(within: delay).endedWell
            if !ended { longest = max(longest, delay * 1.05) }
            let present = try FreshSchema.present(in: url)
            let place = try #require(schemas.firstIndex(of: present), "round \(round), killed after \(delay) s")
            outcomes[place] += 1
            #expect(try PlainSQLite.rows("PRAGMA integrity_check", in: url) == [["ok"]])
            let (table, column) = place == 0 ? ("ZAUTHOR", "ZTITLE") : ("ZWRITER", "ZNAME")
            let counts = try PlainSQLite.rows(
                """
                SELECT (SELECT COUNT(*) FROM \(table)), (SELECT COUNT(DISTINCT \(column)) FROM ZBOOK),
                    (SELECT COUNT(*) FROM ZBOOK WHERE ZAUTHOR IN (SELECT Z_PK FROM \(table)))
                """, in: url)
            #expect(counts == [["\(Self.authors)", "\(3 * Self.authors)", "\(3 * Self.authors)"]], "round \(round)")
            let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
                ofType: NSSQLiteStoreType, at: url)
            #expect([old, new][place].isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata))
        }
        #expect(outcomes[0] > 0, "killed \(outcomes)")
    }

    /// How long a migration takes that nobody kills.
    private func duration(_ way: String, _ template: URL, _ models: [URL], _ folder: URL) throws -> Double {
        let url = folder.appendingPathComponent("Whole.sqlite")
        try FileManager.default.copyItem(at: template, to: url)
        let begin = Date()
        let outcome = try ChildProcess(["migrate", url.path, models[0].path, models[1].path, way]).finish(within: 120)
        #expect(outcome.endedWell)
        return Date().timeIntervalSince(begin)
    }
}
