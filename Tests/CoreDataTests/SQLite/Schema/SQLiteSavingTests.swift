@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import GRDB
import Testing

@testable import CoreData

@Suite("Saving rows into a store")
struct SQLiteSavingTests {
    @Test("a new store has Apple's page size, auto-vacuum mode and journal, and passes SQLite's check")
    func freshStore() throws {
        let store = try SQLiteSchemaStore()
        #expect(try store.values("PRAGMA page_size") == ["4096"])
        #expect(try store.values("PRAGMA auto_vacuum") == ["2"])
        #expect(try store.values("PRAGMA journal_mode") == ["\"wal\""])
        #expect(try store.values("PRAGMA integrity_check") == ["\"ok\""])
        #expect(
            try store.values("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY") == [
                "1", "\"Player\"", "0", "0", "2", "\"Captain\"", "1", "0", "3", "\"Tag\"", "0", "0", "4", "\"Team\"",
                "0", "0", "5", "\"Trophy\"", "0", "0",
            ])
        let metadata = try store.file.read { try SQLiteMetadata.read($0) }
        #expect(metadata["NSStoreType"] as? String == "SQLite")
        #expect((metadata["NSStoreModelVersionHashes"] as? [String: Data])?.count == 5)
        let model = try store.file.read { try SQLiteModelCache.read($0) }
        #expect(model?.entitiesByName.keys.sorted() == ["Captain", "Player", "Tag", "Team", "Trophy"])
    }

    @Test("every kind of value is encoded as Apple's framework does")
    func encodings() throws {
        let store = try SQLiteSchemaStore()
        let keys = try store.keys("Player", "Captain", "Team")
        let uuid = UUID()
        var changes = RowChanges()
        changes.inserted = [
            store.row(
                keys[0],
                [
                    "active": .int(1), "fee": .decimal(Decimal(string: "10.11")!), "number": .int(7),
                    "photo": .data(Data([9, 8])), "nick": .string("a\0é"),
                    "page": .object(BoxedValue(URL(string: "https://example.org/a?b")!)), "rating": .double(0.5),
                    "uuid": .uuid(uuid), "team": .reference(keys[2]),
                ]),
            store.row(keys[1], ["since": .double(86400), "fee": .decimal(5), "nick": .string("")]),
            store.row(keys[2], ["leader": .reference(keys[1]), "founded": .double(0.25)]),
        ]
        try store.saver.save(changes)
        try store.reopen()
        let player = try store.file.read { database in
            try Row.fetchOne(database, sql: "SELECT * FROM ZPLAYER WHERE Z_PK = 1")!
        }
        #expect(player["Z_ENT"] == 1)
        #expect(player["Z_OPT"] == 1)
        #expect(player["ZFEE"] == 10.11)
        #expect(player["ZPHOTO"] == Data([1, 9, 8]))
        #expect(try store.values("SELECT hex(ZNICK) FROM ZPLAYER WHERE Z_PK = 1") == ["\"6100C3A9\""])
        #expect(player["ZPAGE"] == "https://example.org/a?b")
        #expect(player["ZUUID"] == withUnsafeBytes(of: uuid.uuid) { Data($0) })
        #expect(player["ZTEAM"] == 1)
        #expect(
            try store.values("SELECT typeof(ZSINCE), typeof(ZFEE), ZNICK, ZTEAM, Z_ENT FROM ZPLAYER WHERE Z_PK = 2")
                == ["\"integer\"", "\"integer\"", "\"\"", "NULL", "2"])
        #expect(
            try store.values("SELECT ZLEADER, Z1_LEADER, ZFOUNDED, ZMEMBERCOUNT FROM ZTEAM")
                == ["2", "2", "0.25", "1"])
        #expect(try store.values("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (1, 2, 4)") == ["2", "0", "1"])
    }

    @Test("an update writes the changed columns only and counts the version up")
    func updates() throws {
        let store = try SQLiteSchemaStore()
        let keys = try store.keys("Player", "Player")
        var changes = RowChanges()
        changes.inserted = keys.map { store.row($0, ["nick": .string("old"), "number": .int($0.handle)]) }
        try store.saver.save(changes)
        changes = RowChanges()
        changes.updated = [store.update(keys[0], version: 1, ["nick": .string("new")])]
        try store.saver.save(changes)
        #expect(
            try store.values("SELECT Z_OPT, ZNICK, ZNUMBER FROM ZPLAYER")
                == ["2", "\"new\"", "1", "1", "\"old\"", "2"])
    }

    @Test("a row that a script has written without a version is changed, counted from 0, and deleted")
    func withoutVersion() throws {
        let stack = try TemporaryStack(model: Shelves.model(), storeType: NSSQLiteStoreType)
        let context = stack.context()
        for name in ["a", "b", "c"] { context.make("Author", ["name": name]) }
        try context.save()
        try DatabaseQueue(path: stack.storeURL.path).write { try $0.execute(sql: "UPDATE ZAUTHOR SET Z_OPT = NULL") }
        let other = try stack.reopened()
        let authors = try other.all("Author", sort: "name")
        authors[0].setValue("changed", forKey: "name")
        other.delete(authors[1])
        try other.save()
        let update = NSBatchUpdateRequest(entityName: "Author")
        update.propertiesToUpdate = ["name": "batch"]
        update.predicate = NSPredicate(format: "name == 'c'")
        try other.execute(update)
        let rows = try PlainSQLite.rows("SELECT ZNAME, Z_OPT FROM ZAUTHOR ORDER BY ZNAME", in: stack.storeURL)
        #expect(rows == [["batch", nil], ["changed", "1"]])
        let last = try #require(try other.all("Author", "name == 'batch'").first)
        last.setValue("once more", forKey: "name")
        try other.save()
        #expect(try PlainSQLite.rows("SELECT Z_OPT FROM ZAUTHOR", in: stack.storeURL) == [["1"], ["1"]])
    }

    @Test("a row that others changed or deleted is a conflict, and nothing is written")
    func conflicts() throws {
        let store = try SQLiteSchemaStore()
        let keys = try store.keys("Player", "Player", "Player")
        var changes = RowChanges()
        changes.inserted = keys.map { store.row($0, [:]) }
        try store.saver.save(changes)
        try store.file.write { database in
            try database.execute(sql: "UPDATE ZPLAYER SET Z_OPT = 4 WHERE Z_PK = 1")
            try database.execute(sql: "DELETE FROM ZPLAYER WHERE Z_PK = 2")
        }
        changes = RowChanges()
        changes.updated = keys.map { store.update($0, version: 1, ["nick": .string("mine")]) }
        #expect {
            try store.saver.save(changes)
        } throws: { error in
            (error as? RowConflicts)?.conflicts == [.changed(keys[0], version: 4), .deleted(keys[1])]
        }
        #expect(try store.values("SELECT COUNT(*) FROM ZPLAYER WHERE ZNICK IS NOT NULL") == ["0"])
    }

    @Test("a value that has to be unique is a conflict that names the constraint and the row")
    func uniqueness() throws {
        let store = try SQLiteSchemaStore()
        let keys = try store.keys("Player", "Captain", "Player")
        var changes = RowChanges()
        changes.inserted = [store.row(keys[0], ["number": .int(7)]), store.row(keys[1], ["number": .int(8)])]
        try store.saver.save(changes)
        changes.inserted = [store.row(keys[2], ["number": .int(8)])]
        #expect {
            try store.saver.save(changes)
        } throws: { error in
            (error as? RowConflicts)?.conflicts
                == [.notUnique(keys[2], properties: ["number"], existing: keys[1])]
        }
        #expect(try store.values("SELECT COUNT(*) FROM ZPLAYER") == ["2"])
    }

    @Test("a constraint over two properties is checked with what an update leaves as it is")
    func compoundUniqueness() throws {
        let store = try SQLiteSchemaStore()
        let keys = try store.keys("Player", "Player")
        var changes = RowChanges()
        changes.inserted = [
            store.row(keys[0], ["nick": .string("a"), "rating": .double(1)]),
            store.row(keys[1], ["nick": .string("b"), "rating": .double(1)]),
        ]
        try store.saver.save(changes)
        changes = RowChanges()
        changes.updated = [store.update(keys[1], version: 1, ["nick": .string("a")])]
        #expect {
            try store.saver.save(changes)
        } throws: { error in
            (error as? RowConflicts)?.conflicts
                == [.notUnique(keys[1], properties: ["nick", "rating"], existing: keys[0])]
        }
    }

    @Test("a row has a place among its owner's exactly where it has an owner")
    func places() throws {
        let store = try SQLiteSchemaStore()
        let players = try store.keys("Player", "Player")
        let teams = try store.keys("Team", "Team")
        let tag = try store.keys("Tag")[0]
        var changes = RowChanges()
        changes.inserted = teams.map { store.row($0, [:]) } + [store.row(tag, [:])]
        changes.inserted += players.map { player in
            store.row(
                player, ["team": .reference(teams[0])], toManys: [store.toMany("Player", "tags", added: [tag])])
        }
        try store.saver.save(changes)
        #expect(try store.values("SELECT Z_FOK_TEAM FROM ZPLAYER") == ["2048", "3072"])
        #expect(try store.values("SELECT Z_FOK_1PLAYERS FROM Z_1TAGS ORDER BY 1") == ["2048", "3072"])
        changes = RowChanges()
        changes.updated = [store.update(players[0], version: 1, ["team": .null])]
        try store.saver.save(changes)
        #expect(try store.values("SELECT Z_FOK_TEAM FROM ZPLAYER") == ["NULL", "3072"])
        changes.updated = [store.update(players[0], version: 2, ["team": .reference(teams[0])])]
        try store.saver.save(changes)
        #expect(try store.values("SELECT Z_FOK_TEAM FROM ZPLAYER") == ["4096", "3072"])
    }

    @Test("two rows can swap values that have to be unique")
    func swap() throws {
        let store = try SQLiteSchemaStore()
        let keys = try store.keys("Player", "Player")
        var changes = RowChanges()
        changes.inserted = [store.row(keys[0], ["number": .int(1)]), store.row(keys[1], ["number": .int(2)])]
        try store.saver.save(changes)
        changes = RowChanges()
        changes.updated = [
            store.update(keys[0], version: 1, ["number": .int(2)]),
            store.update(keys[1], version: 1, ["number": .int(1)]),
        ]
        try store.saver.save(changes)
        #expect(try store.values("SELECT ZNUMBER, Z_OPT FROM ZPLAYER") == ["2", "2", "1", "2"])
    }

    @Test("relationships outside the rows are written, ordered, and go with their owner")
    func relationships() throws {
        let store = try SQLiteSchemaStore()
        let players = try store.keys("Player", "Captain", "Player")
        let team = try store.keys("Team")[0]
        let tag = try store.keys("Tag")[0]
        let trophy = try store.keys("Trophy")[0]
        var changes = RowChanges()
        changes.inserted = players.map { store.row($0, ["team": .reference(team)]) }
        changes.inserted[0].toManys = [
            store.toMany("Player", "friends", added: [players[1]]), store.toMany("Player", "tags", added: [tag]),
        ]
        changes.inserted.append(
            store.row(
                team, [:],
                toManys: [
                    store.toMany("Team", "members", added: players, order: players),
                    store.toMany("Team", "trophies", added: [trophy]),
                ]))
        changes.inserted.append(
            store.row(
                tag, [:],
                toManys: [
                    store.toMany("Tag", "players", added: [players[2], players[0]], order: [players[2], players[0]])
                ]))
        changes.inserted.append(store.row(trophy, ["year": .int(1990)]))
        try store.saver.save(changes)
        #expect(try store.values("SELECT Z_FOK_TEAM FROM ZPLAYER ORDER BY Z_PK") == ["2048", "3072", "4096"])
        #expect(try store.values("SELECT * FROM Z_1FRIENDS ORDER BY 1") == ["1", "2", "2", "1"])
        #expect(
            try store.values("SELECT Z_1PLAYERS, Z_3TAGS, Z_FOK_1PLAYERS FROM Z_1TAGS ORDER BY 3")
                == ["3", "1", "2048", "1", "1", "3072"])
        #expect(try store.values("SELECT Z4TROPHIES FROM ZTROPHY") == ["1"])
        #expect(try store.values("SELECT ZMEMBERCOUNT FROM ZTEAM") == ["3"])

        changes = RowChanges()
        changes.updated = [
            store.update(
                team, version: 1, [:],
                toManys: [store.toMany("Team", "members", order: [players[2], players[0], players[1]])])
        ]
        try store.saver.save(changes)
        #expect(try store.values("SELECT Z_FOK_TEAM FROM ZPLAYER ORDER BY Z_PK") == ["2048", "3072", "1024"])

        changes = RowChanges()
        changes.deleted = [RowChange(key: players[0], version: 1), RowChange(key: team, version: 2)]
        try store.saver.save(changes)
        #expect(try store.values("SELECT COUNT(*) FROM Z_1FRIENDS") == ["0"])
        #expect(try store.values("SELECT Z_1PLAYERS FROM Z_1TAGS") == ["3"])
        #expect(try store.values("SELECT Z4TROPHIES FROM ZTROPHY") == ["NULL"])
    }

    @Test("a long value of an external attribute goes to a file, which goes with the row")
    func externalData() throws {
        let store = try SQLiteSchemaStore()
        let key = try store.keys("Player")[0]
        let value = Data(repeating: 7, count: 200_000)
        var changes = RowChanges()
        changes.inserted = [store.row(key, ["photo": .data(value)])]
        try store.saver.save(changes)
        let stored = try #require(
            try store.file.read { try Data.fetchOne($0, sql: "SELECT ZPHOTO FROM ZPLAYER") })
        let external = SQLiteExternalData(store: store.url)
        let file = try #require(stored.withUnsafeBytes { external.file(named: $0) })
        #expect(try Data(contentsOf: file) == value)
        #expect(file.path.contains("/.Team_SUPPORT/_EXTERNAL_DATA/"))
        changes = RowChanges()
        changes.deleted = [RowChange(key: key, version: 1)]
        try store.saver.save(changes)
        #expect(!FileManager.default.fileExists(atPath: file.path))
    }

    @Test("keys are given out once, however many ask at the same time")
    func keys() async throws {
        let store = try SQLiteSchemaStore()
        let saver = store.saver
        let captain = store.entity("Captain")
        let keys = try await withThrowingTaskGroup(of: [Int64].self) { group in
            for _ in 0..<8 {
                group.addTask {
                    try (0..<25).flatMap { _ in try saver.reserveKeys(for: [captain, captain]).map(\.handle) }
                }
            }
            return try await group.reduce(into: []) { $0 += $1 }
        }
        #expect(keys.sorted() == Array(1...400))
        #expect(try store.values("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 1") == ["400"])
    }
}
