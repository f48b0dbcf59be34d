@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import GRDB
import Testing

@testable import CoreData

@Suite("Recording persistent history")
struct SQLiteHistoryRecordingTests {
    @Test("each save is a transaction with its changes, as Apple's framework writes them")
    func recording() throws {
        let store = try SQLiteSchemaStore(historyTracking: true)
        let author = HistoryAuthor(
            author: "sync", contextName: nil, processName: "test", bundleIdentifier: "org.example.test")
        let keys = try store.keys("Player", "Captain")
        var changes = RowChanges()
        changes.inserted = keys.map { store.row($0, ["nick": .string("a")]) }
        try store.saver.save(changes, author: author)
        changes = RowChanges()
        changes.updated = [store.update(keys[1], version: 1, ["nick": .string("b")])]
        changes.deleted = [RowChange(key: keys[0], version: 1)]
        try store.saver.save(changes, author: author)
        #expect(
            try store.values(
                "SELECT Z_PK, Z_ENT, Z_OPT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS IS NULL FROM ACHANGE"
            )
                == [
                    "1", "16001", "NULL", "0", "1", "1", "1", "1", "2", "16001", "NULL", "0", "2", "2", "1", "1",
                    "3", "16001", "NULL", "2", "1", "1", "2", "1", "4", "16001", "NULL", "1", "2", "2", "2", "0",
                ])
        #expect(
            try store.values("SELECT Z_PK, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS FROM ATRANSACTION")
                == ["1", "1", "2", "NULL", "3", "2", "1", "2", "NULL", "3"])
        #expect(
            try store.values("SELECT ZNAME FROM ATRANSACTIONSTRING ORDER BY Z_PK")
                == ["\"sync\"", "\"org.example.test\"", "\"test\""])
        #expect(try store.values("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT > 16000") == ["4", "2", "3"])
        // The key of the team, its order, active, fee, nick: the fifth bit.
        #expect(try store.values("SELECT hex(ZCOLUMNS) FROM ACHANGE WHERE Z_PK = 4") == ["\"08\""])
    }

    @Test("a save that fails leaves no history")
    func failure() throws {
        let store = try SQLiteSchemaStore(historyTracking: true)
        let key = try store.keys("Player")[0]
        var changes = RowChanges()
        changes.updated = [store.update(key, version: 1, ["nick": .string("b")])]
        #expect(throws: RowConflicts.self) { try store.saver.save(changes) }
        #expect(try store.values("SELECT COUNT(*) FROM ATRANSACTION") == ["0"])
    }

    @Test("history can be begun in a store that has none")
    func beginning() throws {
        let store = try SQLiteSchemaStore()
        try store.file.beginHistory(schema: store.schema)
        try store.reopen()
        #expect(try store.file.layout().hasHistory)
        let key = try store.keys("Tag")[0]
        var changes = RowChanges()
        changes.inserted = [store.row(key, [:])]
        try store.saver.save(changes)
        #expect(try store.values("SELECT ZENTITY, ZENTITYPK FROM ACHANGE") == ["3", "1"])
    }
}
