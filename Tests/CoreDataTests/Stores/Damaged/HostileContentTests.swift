import CoreDataSQLite
import Foundation
import Testing

@testable import CoreData

@Suite("A sound database whose content makes no sense")
struct HostileContentTests {
    /// What a statement does to a store, and what a child has to say about it then; nil where either is right.
    struct Case: CustomTestStringConvertible, Sendable {
        var sql: String
        var reading: String?

        init(_ sql: String, reading: String? = nil) {
            self.sql = sql
            self.reading = reading
        }

        var testDescription: String { sql }
    }

    static let damaged = "read error NSCocoaErrorDomain 259 "
    static let incompatible = "read error NSCocoaErrorDomain "

    static let cases: [Case] = [
        Case("UPDATE ZBOOK SET Z_ENT = 99"),
        Case("UPDATE ZBOOK SET Z_ENT = 4"),
        Case("UPDATE ZBOOK SET Z_ENT = NULL"),
        Case("UPDATE ZBOOK SET Z_ENT = 'text'"),
        Case("UPDATE ZBOOK SET Z_OPT = NULL", reading: "read ok"),
        Case("UPDATE ZBOOK SET Z_OPT = 9223372036854775807", reading: "read ok"),
        Case("UPDATE ZAUTHOR SET Z_OPT = 9223372036854775807", reading: "read ok"),
        Case("UPDATE ZAUTHOR SET Z_OPT = 'text'", reading: "read ok"),
        Case("UPDATE ZBOOK SET ZCOPIES = 'many', ZPAGES = x'00ff', ZINPRINT = 'yes'"),
        Case("UPDATE ZBOOK SET ZCOPIES = 9223372036854775807, ZPAGES = -9223372036854775808", reading: "read ok"),
        Case("UPDATE ZBOOK SET ZCOPIES = 9e300, ZPAGES = -9e999, ZINPRINT = 17"),
        Case("UPDATE ZBOOK SET ZPRICE = 'a lot'", reading: damaged),
        Case("UPDATE ZBOOK SET ZPRICE = 9e999", reading: "read ok"),
        Case("UPDATE ZBOOK SET ZPRICE = 1e300", reading: "read ok"),
        Case("UPDATE ZBOOK SET ZPRICE = x'ffff'", reading: damaged),
        Case("UPDATE ZBOOK SET ZPUBLISHED = 'yesterday'"),
        Case("UPDATE ZBOOK SET ZPUBLISHED = 9e999, ZRATING = -9e999"),
        Case("UPDATE ZBOOK SET ZPUBLISHED = 1e300, ZRATING = 1e300"),
        Case("UPDATE ZBOOK SET ZIDENTIFIER = x'0102' WHERE Z_PK = 1", reading: damaged),
        Case("UPDATE ZBOOK SET ZTITLE = CAST(x'ff00fe' AS TEXT)"),
        Case("UPDATE ZBOOK SET ZTITLE = x'ff00fe'"),
        Case("UPDATE ZBOOK SET ZTITLE = NULL", reading: "read ok"),
        Case("UPDATE ZAUTHOR SET ZWEBSITE = 'http://[not a url%%%'"),
        Case("UPDATE ZAUTHOR SET ZWEBSITE = CAST(x'ff00fe' AS TEXT)"),
        Case("UPDATE ZAUTHOR SET ZPORTRAIT = zeroblob(64000000) WHERE Z_PK = 1", reading: "read ok"),
        Case("UPDATE ZAUTHOR SET ZNAME = hex(zeroblob(16000000)) WHERE Z_PK = 1", reading: "read ok"),
        Case("DELETE FROM Z_PRIMARYKEY"),
        Case("DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Genre'", reading: incompatible),
        Case("UPDATE Z_PRIMARYKEY SET Z_ENT = -Z_ENT", reading: damaged),
        Case("UPDATE Z_PRIMARYKEY SET Z_ENT = Z_ENT + 9223372036854775000", reading: damaged),
        Case("UPDATE Z_PRIMARYKEY SET Z_NAME = NULL", reading: damaged),
        Case("UPDATE Z_PRIMARYKEY SET Z_NAME = x'ff00fe'"),
        Case("UPDATE Z_PRIMARYKEY SET Z_NAME = 'Book'", reading: incompatible),
        Case("UPDATE Z_PRIMARYKEY SET Z_MAX = NULL", reading: "read ok"),
        Case("UPDATE Z_PRIMARYKEY SET Z_MAX = -100", reading: "read ok"),
        Case("UPDATE Z_PRIMARYKEY SET Z_MAX = 'text'", reading: "read ok"),
        Case("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775807", reading: "read ok"),
        Case("UPDATE Z_PRIMARYKEY SET Z_MAX = 9223372036854775806", reading: "read ok"),
        Case("UPDATE Z_PRIMARYKEY SET Z_SUPER = Z_ENT"),
        Case("UPDATE Z_PRIMARYKEY SET Z_SUPER = 5 - Z_ENT"),
        Case("UPDATE Z_PRIMARYKEY SET Z_SUPER = 999"),
        Case("UPDATE ZBOOK SET Z_PK = -Z_PK"),
        Case("UPDATE ZBOOK SET Z_PK = 9223372036854775807 WHERE Z_PK = 3"),
        Case("UPDATE ZBOOK SET ZAUTHOR = 999", reading: "read ok"),
        Case("UPDATE ZBOOK SET ZAUTHOR = 'nobody'"),
        Case("UPDATE ZBOOK SET ZAUTHOR = -9223372036854775808"),
        Case("UPDATE ZLOAN SET ZBOOK = 999", reading: "read ok"),
        Case("UPDATE ZLOAN SET Z2_BOOK = 99"),
        Case("UPDATE ZLOAN SET Z2_BOOK = 3", reading: "read ok"),
        Case("UPDATE ZLOAN SET Z2_BOOK = NULL"),
        Case("UPDATE ZLOAN SET ZBOOK = 0, Z2_BOOK = 0"),
        Case("UPDATE ZLOAN SET Z_FOK_MEMBER = NULL", reading: "read ok"),
        Case("UPDATE ZLOAN SET Z_FOK_MEMBER = 9223372036854775807", reading: "read ok"),
        Case("UPDATE ZLOAN SET Z_FOK_MEMBER = 'text'"),
        Case("UPDATE ZBOOK SET ZIDENTIFIER = NULL; UPDATE ZAUTHOR SET ZNAME = NULL"),
        Case("DELETE FROM ZAUTHOR", reading: "read ok"),
        Case("DELETE FROM ZBOOK", reading: "read ok"),
        Case("DELETE FROM ZGENRE", reading: "read ok"),
        Case("INSERT INTO Z_2GENRES VALUES (999, 1), (1, 999), (NULL, NULL), ('a', 'b')"),
        Case("DROP TABLE ZBOOK", reading: incompatible),
        Case("DROP TABLE Z_2GENRES", reading: incompatible),
        Case("DROP TABLE Z_METADATA", reading: damaged),
        Case("DROP TABLE Z_PRIMARYKEY", reading: damaged),
        Case("DROP TABLE Z_MODELCACHE", reading: "read ok"),
        Case("ALTER TABLE ZBOOK RENAME COLUMN ZTITLE TO ZOTHER", reading: incompatible),
        Case("ALTER TABLE ZBOOK ADD COLUMN ZMORE", reading: "read ok"),
        Case("ALTER TABLE Z_PRIMARYKEY RENAME COLUMN Z_NAME TO ZOTHER"),
        Case("ALTER TABLE Z_METADATA RENAME COLUMN Z_PLIST TO ZOTHER"),
        Case("DELETE FROM Z_METADATA", reading: damaged),
        Case("UPDATE Z_METADATA SET Z_UUID = NULL", reading: damaged),
        Case("UPDATE Z_METADATA SET Z_UUID = 'a/b c?d#e%é'"),
        Case("UPDATE Z_METADATA SET Z_UUID = ''"),
        Case("UPDATE Z_METADATA SET Z_PLIST = NULL", reading: damaged),
        Case("UPDATE Z_METADATA SET Z_PLIST = 'text'", reading: damaged),
        Case("UPDATE Z_METADATA SET Z_PLIST = zeroblob(100)", reading: damaged),
        Case("UPDATE Z_METADATA SET Z_PLIST = zeroblob(100000000)", reading: damaged),
        Case("UPDATE Z_METADATA SET Z_VERSION = 7", reading: damaged),
        // Views and triggers in the place of what is expected.
        Case(
            """
            ALTER TABLE ZGENRE RENAME TO OTHER; CREATE VIEW ZGENRE AS WITH RECURSIVE endless(Z_PK) AS (SELECT 1 UNION ALL
            SELECT Z_PK + 1 FROM endless) SELECT Z_PK, 4 AS Z_ENT, 1 AS Z_OPT, 'x' AS ZNAME, 1 AS ZSHELF FROM endless
            """, reading: incompatible),
        Case("CREATE TRIGGER refuse BEFORE INSERT ON ZAUTHOR BEGIN SELECT RAISE(ABORT, 'no'); END", reading: "read ok"),
        Case(
            "CREATE TRIGGER unknown AFTER INSERT ON ZAUTHOR BEGIN SELECT no_such_function(1); END", reading: "read ok"),
        Case("CREATE TRIGGER gone BEFORE UPDATE ON ZAUTHOR BEGIN DELETE FROM ZBOOK; END", reading: "read ok"),
    ]

    @Test("is read or is an error, and a save works or is an error", arguments: cases)
    func content(_ hostile: Case) throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appendingPathComponent("Hostile.sqlite")
        try DamagedStore.sound(at: store, books: 6)
        do {
            let plain = try PlainDatabase(store)
            try plain.execute("PRAGMA journal_mode = delete")
            for statement in Self.statements(hostile.sql) { try plain.execute(statement) }
        }
        let lines = try DamagedStore.outcomes(of: [store])[store.path] ?? []
        #expect(lines.last == "end" && lines.contains("unchanged"), "\(lines)")
        if let reading = hostile.reading { #expect(lines.contains { $0.hasPrefix(reading) }, "\(lines)") }
    }

    @Test("A row that a trigger of the file keeps out is an error, saved or inserted by a batch")
    func rowKeptOut() throws {
        let stack = try TemporaryStack()
        let context = stack.context()
        context.makeBook("a")
        try context.save()
        _ = try PlainSQLite.rows(
            "CREATE TRIGGER ignore BEFORE INSERT ON ZBOOK BEGIN SELECT RAISE(IGNORE); END", in: stack.storeURL)
        let book = context.makeBook("b")
        #expect(throws: NSError.self) { try context.save() }
        #expect(book.isInserted)
        let batch = NSBatchInsertRequest(entityName: "Book", objects: [["title": "c"]])
        #expect(throws: NSError.self) { try context.execute(batch) }
        _ = try PlainSQLite.rows("DROP TRIGGER ignore", in: stack.storeURL)
        try context.save()
        #expect(try PlainSQLite.rows("SELECT ZTITLE FROM ZBOOK ORDER BY Z_PK", in: stack.storeURL) == [["a"], ["b"]])
    }

    private static func statements(_ sql: String) -> [String] {
        sql.hasPrefix("CREATE TRIGGER") ? [sql] : sql.split(separator: ";").map(String.init)
    }

    /// A property list of nested arrays, each of which holds the next one ten times.
    private static func propertyListBomb(depth: Int) -> Data {
        var list = Data("bplist00".utf8)
        var offsets: [Int] = []
        for level in 0..<depth {
            offsets.append(list.count)
            list.append(0xAA)
            list.append(contentsOf: [UInt8](repeating: UInt8(level + 1), count: 10))
        }
        offsets.append(list.count)
        list.append(contentsOf: [0xA0])
        let table = list.count
        for offset in offsets { list.append(contentsOf: [UInt8(offset >> 8), UInt8(offset & 0xFF)]) }
        list.append(contentsOf: [0, 0, 0, 0, 0, 0, 2, 1])
        for number in [offsets.count, 0, table] {
            list.append(contentsOf: (0..<8).reversed().map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) })
        }
        return list
    }

    private static func hexadecimal(_ data: Data) -> String { data.map { String(format: "%02x", $0) }.joined() }

    @Test("a property list that unfolds into gigabytes is an error")
    func plistBomb() throws {
        let bomb = Self.hexadecimal(Self.propertyListBomb(depth: 40))
        try content(Case("UPDATE Z_METADATA SET Z_PLIST = x'\(bomb)'", reading: Self.damaged))
    }

    @Test("a model cache that inflates without bounds is an error, and doesn't keep the store from being read")
    func cacheBomb() throws {
        let folder = try TemporaryFolder()
        let store = folder.url.appendingPathComponent("Bomb.sqlite")
        try DamagedStore.sound(at: store, books: 2)
        let bomb = Self.hexadecimal(try RawDeflate.deflate(Data(count: 200 << 20)))
        do {
            let plain = try PlainDatabase(store)
            try plain.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = x'\(bomb)'")
        }
        let error = #expect(throws: NSError.self) { try EngineStore<SQLiteEngine>.modelCarried(byStoreAt: store) }
        #expect(error?.code == CocoaError.fileReadCorruptFile.rawValue)
        let lines = try DamagedStore.outcomes(of: [store])[store.path] ?? []
        #expect(lines.contains("read ok") && lines.last == "end", "\(lines)")
    }
}
