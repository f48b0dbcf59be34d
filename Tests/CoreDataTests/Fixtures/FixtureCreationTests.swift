import CoreData
import Foundation
import Testing

@Suite(
    "A store created for the model of one of Apple's",
    .enabled(if: SQLiteSchemaFixtures.folder != nil, "skipped: no fixtures are present"))
struct FixtureCreationTests {
    /// Indexes have had their names, and tables their order of columns, since then.
    private static let firstModernVersion = 800

    private struct Entry: Hashable {
        var type: String
        var name: String
        var sql: String
    }

    private static let historyNames = ["ACHANGE", "ATRANSACTION", "ATRANSACTIONSTRING", "Z_TRANSACTION", "Z_CHANGE"]

    /// What `sqlite_master` says, without what SQLite makes for itself and, as this store keeps none, without history.
    private static func entries(of url: URL) throws -> Set<Entry> {
        let sql = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL"
        let entries = try PlainDatabase(url).rows(sql).map {
            Entry(type: $0[0].string ?? "", name: $0[1].string ?? "", sql: $0[2].string ?? "")
        }
        return Set(
            entries.filter { entry in
                !historyNames.contains { entry.name.hasPrefix($0) } && !entry.name.hasPrefix("Z_RT_")
                    && entry.name != "sqlite_sequence"
            })
    }

    private static let comparedKeys = [
        NSStoreModelVersionHashesKey, "NSStoreModelVersionHashesDigest", "NSStoreModelVersionChecksumKey",
        "NSStoreModelVersionHashesVersion", "_NSAutoVacuumLevel", NSStoreTypeKey,
    ]

    @Test(
        "has the same tables, indexes and triggers as text, and the same hashes", arguments: FixtureModels.stores
    )
    func creation(_ store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try FixtureModels.model(of: store))
        let folder = try TemporaryFolder()
        let url = folder.url.appendingPathComponent("Created.sqlite")
        try StoreStack(url, model: model).close()
        let (theirs, ours) = (try Self.metadata(store.url), try Self.metadata(url))
        for key in Self.comparedKeys {
            // Older systems didn't write the digests yet.
            guard let expected = theirs[key] as? NSObject else { continue }
            #expect(ours[key] as? NSObject == expected, "\(key)")
        }
        let copy = try FixtureCopy(store)
        // Not the names: a migration that renames leaves the old one.
        let numbers = "SELECT Z_ENT, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_ENT < 16000 ORDER BY Z_ENT"
        let isMigrated = theirs["migrationManagerClass"] != nil
        let version = theirs["NSPersistenceFrameworkVersion"] as? Int ?? 0
        guard version >= Self.firstModernVersion, !isMigrated else { return }
        #expect(try PlainDatabase(url).rows(numbers) == PlainDatabase(copy.url).rows(numbers))
        let (apple, created) = (try Self.entries(of: copy.url), try Self.entries(of: url))
        #expect(apple.subtracting(created) == [], "only in Apple's")
        #expect(created.subtracting(apple) == [], "only in ours")
    }

    @Test("is compared with every statement for most of the stores that aren't too old")
    func coverage() throws {
        var compared = 0
        for store in SQLiteSchemaFixtures.stores where try FixtureModels.model(of: store) != nil {
            let metadata = try Self.metadata(store.url)
            let version = metadata["NSPersistenceFrameworkVersion"] as? Int ?? 0
            if version >= Self.firstModernVersion, metadata["migrationManagerClass"] == nil { compared += 1 }
        }
        #expect(compared >= 20)
    }

    private static func metadata(_ url: URL) throws -> [String: Any] {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSSQLiteStoreType, at: url)
    }
}
