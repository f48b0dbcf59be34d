import CoreDataSQLite
import Foundation
import GRDB
import Testing

@testable import CoreData

@Suite("Every connection to a file is hardened")
struct HardenedConnectionTests {
    private let folder: TemporaryFolder
    private let url: URL
    private let canary: URL

    init() throws {
        folder = try TemporaryFolder()
        url = folder.url.appendingPathComponent("Store.sqlite")
        canary = folder.url.appendingPathComponent("canary.sqlite")
        try HostileStore.makeSound(at: url)
        let queue = try DatabaseQueue(path: canary.path)
        try queue.write {
            try $0.execute(sql: "CREATE TABLE secret (a)")
            try $0.execute(sql: "INSERT INTO secret VALUES ('kept')")
        }
        try queue.close()
    }

    private func expectHardened(_ database: Database) throws {
        #expect(try Int.fetchOne(database, sql: "PRAGMA trusted_schema") == 0)
        for sql in [
            "ATTACH '\(canary.path)' AS c", "SELECT load_extension('\(canary.path)')",
            "UPDATE sqlite_master SET sql = 'x'", "DELETE FROM sqlite_master",
        ] {
            #expect(throws: DatabaseError.self, "\(sql)") { try database.execute(sql: sql) }
        }
        try database.execute(sql: "PRAGMA writable_schema = ON")
        #expect(throws: DatabaseError.self) { try database.execute(sql: "DELETE FROM sqlite_master") }
    }

    @Test("those of stores, for reading and for writing, and those that replace and watch stores")
    func connections() throws {
        let reading = try SQLiteFile.openForReading(url)
        try reading.connections.unsafeReentrantRead { try expectHardened($0) }
        try reading.close()
        let writing = try #require(try SQLiteFile.openForWriting(url, options: SQLiteOpenOptions()))
        try writing.connections.writeWithoutTransaction { try expectHardened($0) }
        try writing.connections.read { try expectHardened($0) }
        try writing.close()
        let plain = try DatabaseQueue(path: url.path, configuration: SQLiteConnection.hardened(timeout: 1))
        try plain.writeWithoutTransaction { try expectHardened($0) }
        try plain.close()
    }

    @Test("No function of ours can be called by a file's schema, a trusted one neither")
    func functions() throws {
        let directOnly: Int64 = 0x80000
        let queue = try DatabaseQueue(path: url.path, configuration: SQLiteConnection.hardened(timeout: 1))
        try queue.writeWithoutTransaction { database in
            try SQLiteQueryFunctions.register(in: database)
            let flags = try Row.fetchAll(
                database, sql: "SELECT upper(name), flags FROM pragma_function_list WHERE NOT builtin"
            ).reduce(into: [:]) { $0[$1[0] as String] = $1[1] as Int64 }
            let registered = SQLiteQueryFunctions.names.filter { flags[$0] != nil }
            // A migration registers its four, by the same type, while it runs.
            #expect(registered.count == SQLiteQueryFunctions.names.count - 4)
            for name in registered { #expect((flags[name] ?? 0) & directOnly != 0, "\(name)") }
            try database.execute(sql: "PRAGMA trusted_schema = ON")
            try database.execute(sql: "CREATE VIEW h AS SELECT OCDText(1, 'number')")
            #expect(try String.fetchOne(database, sql: "SELECT OCDText(1, 'number')") == "1")
            #expect(throws: DatabaseError.self) { try String.fetchOne(database, sql: "SELECT * FROM h") }
        }
        try queue.close()
    }

    @Test("A store without a journal is still made, where a program asks for it")
    func noJournal() throws {
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HostileStore.model())
        let store = try coordinator.addPersistentStore(
            ofType: NSSQLiteStoreType, configurationName: nil, at: url,
            options: [NSSQLitePragmasOption: ["journal_mode": "off"]])
        try coordinator.remove(store)
    }

    private static let hostile = [
        "CREATE TRIGGER h AFTER UPDATE ON Z_METADATA BEGIN SELECT load_extension('x'); END",
        "CREATE TRIGGER h AFTER DELETE ON ZPERSON BEGIN UPDATE ZPERSON SET ZNAME = hex(zeroblob(10)); END",
        "CREATE VIEW h AS SELECT load_extension('x')",
        "CREATE INDEX h ON ZPERSON (hex(ZNAME)) WHERE length(ZNAME) > 0",
        "CREATE TABLE h (a CHECK (writefile('x', a)), b AS (load_extension(a)))",
        "CREATE VIRTUAL TABLE h USING fts5(a)",
        "CREATE TRIGGER h AFTER INSERT ON ZPERSON BEGIN SELECT OCDText(1, 'number'); END",
    ]

    @Test(
        "A hostile file that is replaced, copied from, destroyed, examined or repaired does no harm", arguments: hostile
    )
    func administration(_ sql: String) throws {
        let kept = try Data(contentsOf: canary)
        _ = try? PlainSQLite.rows(sql, in: url)
        let (model, sound) = (HostileStore.model(), folder.url.appendingPathComponent("Sound.sqlite"))
        try HostileStore.makeSound(at: sound)
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        func replace(_ target: URL, _ source: URL) throws {
            try coordinator.replacePersistentStore(
                at: target, destinationOptions: nil, withPersistentStoreFrom: source, sourceOptions: nil,
                ofType: NSSQLiteStoreType)
        }
        // From the hostile file: a copy that is as hostile, or an error. Over it: the sound one, whatever was in it.
        let copy = folder.url.appendingPathComponent("Copy.sqlite")
        _ = try? replace(copy, url)
        _ = try? NSPersistentStoreCoordinator.examineStore(at: url, model: model)
        _ = try? NSPersistentStoreCoordinator.repairStore(at: url, model: model)
        _ = try? NSPersistentStoreCoordinator.migrateStore(
            at: copy, ofType: NSSQLiteStoreType, from: model, to: HostileStore.model(version: 2))
        try replace(url, sound)
        try StoreStack(url, model: model).close()
        _ = try? PlainSQLite.rows(sql, in: url)
        try coordinator.destroyPersistentStore(at: url, ofType: NSSQLiteStoreType, options: nil)
        #expect(try PlainSQLite.rows("SELECT * FROM sqlite_master", in: url).isEmpty)
        #expect(try Data(contentsOf: canary) == kept)
        #expect(!FileManager.default.fileExists(atPath: "x"))
    }
}

extension HardenedConnectionTests {
    @Test("A copy of a store has no file that a link in the source's folder leads to, and the mode of the original")
    func links() throws {
        let secret = folder.url.appendingPathComponent("secret")
        try Data("secret".utf8).write(to: secret)
        let files = folder.url.appendingPathComponent(".Store_SUPPORT/_EXTERNAL_DATA")
        try FileManager.default.createDirectory(at: files, withIntermediateDirectories: true)
        let link = files.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: secret)
        let copy = folder.url.appendingPathComponent("Copy.sqlite")
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: HostileStore.model())
        for isDamaged in [false, true] {
            // What no connection can open is replaced as a file.
            if isDamaged { try Data("SQLite format 3\0 and no more".utf8).write(to: copy) }
            try FileManager.default.setAttributes(
                [.posixPermissions: 0o600], ofItemAtPath: (isDamaged ? copy : url).path)
            try coordinator.replacePersistentStore(
                at: copy, withPersistentStoreFrom: url, ofType: NSSQLiteStoreType)
            let names = try FileManager.default.contentsOfDirectory(
                atPath: folder.url.appendingPathComponent(".Copy_SUPPORT/_EXTERNAL_DATA").path)
            #expect(names.count == 1 && !names.contains(link.lastPathComponent))
            let mode = try FileManager.default.attributesOfItem(atPath: copy.path)[.posixPermissions] as? NSNumber
            #expect(mode?.intValue == 0o600)
        }
    }

    @Test("A function of translated predicates in a file's schema is refused", arguments: SQLiteQueryFunctions.names)
    func functions(_ name: String) throws {
        _ = try PlainSQLite.rows("CREATE TRIGGER h AFTER INSERT ON ZPERSON BEGIN SELECT \(name)(1); END", in: url)
        #expect(throws: NSError.self) { try SQLiteFile.openForReading(url) }
        for needed in ["OCDMEDIAN", "OCDSTANDARDDEVIATION", "COREDATAHISTORYENTITY"] {
            #expect(SQLiteQueryFunctions.names.contains(needed))
        }
    }
}
