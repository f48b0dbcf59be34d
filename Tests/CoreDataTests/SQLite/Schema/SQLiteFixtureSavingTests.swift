@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import GRDB
import ManagedObjectModel
import Testing

@testable import CoreData

@Suite("Saving into copies of Apple's stores", .enabled(if: SQLiteSchemaFixtures.folder != nil))
struct SQLiteFixtureSavingTests {
    @Test("new stores have the hashes, digest and checksum of Apple's", arguments: SQLiteSchemaFixtures.withModel)
    func hashes(_ store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try store.layout())
        let file = try SQLiteFile.openForReading(store.url)
        let theirs = try file.read { try SQLiteMetadata.read($0) }
        guard theirs["NSStoreModelVersionHashesVersion"] as? Int == 3 else { return }
        let ours = SQLiteMetadata.initial(schema: try SQLiteSchema(model: model, configuration: nil))
        let hashes = try #require(theirs[SQLiteMetadata.Key.hashes] as? [String: Data])
        guard Set(hashes.keys) == Set(model.entities.map(\.name)), try file.read({ try $0.tableExists("Z_MODELCACHE") })
        else { return }
        #expect(ours[SQLiteMetadata.Key.hashes] as? [String: Data] == hashes)
        for key in [SQLiteMetadata.Key.digest, SQLiteMetadata.Key.checksum] {
            if let value = theirs[key] as? String { #expect(ours[key] as? String == value) }
        }
    }

    /// The rows of every entity and join table, each as text, by table and rowid.
    private static func rows(of file: SQLiteFile, schema: SQLiteSchema) throws -> [String: [Int64: String]] {
        try file.read { database in
            var result: [String: [Int64: String]] = [:]
            for table in schema.tables.map(\.name) + schema.joinTables.map(\.name) {
                let columns = try database.columns(in: table).map { "quote(\"\($0.name)\")" }
                let sql = "SELECT rowid, \(columns.joined(separator: " || ',' || ")) FROM \"\(table)\""
                var rows: [Int64: String] = [:]
                let cursor = try Row.fetchCursor(database, sql: sql)
                while let row = try cursor.next() { rows[row[0]] = row[1] }
                result[table] = rows
            }
            return result
        }
    }

    /// An update of one attribute that nothing is known to depend on.
    private static func update(of entity: SQLiteEntity, in file: SQLiteFile) throws -> RowChange? {
        let plan = SQLiteRowPlan(entity)
        let unique = Set(plan.constraints.flatMap(\.slots))
        guard let binding = plan.bindings.first(where: { $0.property.kind == .string && !unique.contains($0.slot) })
        else { return nil }
        let sql = "SELECT Z_PK, IFNULL(Z_OPT, 0) FROM \(entity.table) WHERE Z_ENT = ? ORDER BY Z_PK LIMIT 1"
        guard let row = try file.read({ try Row.fetchOne($0, sql: sql, arguments: [entity.number]) }) else {
            return nil
        }
        var change = RowChange(
            key: ObjectKey(handle: row[0], entityIndex: entity.layout.index), version: row[1])
        change.values = ContiguousArray(repeating: .null, count: entity.layout.rowSlotCount)
        change.values[binding.slot] = .string("changed here")
        change.changedSlots = [binding.slot]
        return change
    }

    @Test(
        "inserts, updates and deletes leave a sound store and every other row as it was",
        arguments: SQLiteSchemaFixtures.withModel)
    func saving(_ store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try store.layout())
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Fixture-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let url = folder.appendingPathComponent("Copy.sqlite")
        for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: store.url.path + suffix) {
            let copy = url.path + suffix
            try FileManager.default.copyItem(atPath: store.url.path + suffix, toPath: copy)
            try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: copy)
        }
        let file = try #require(try SQLiteFile.openForWriting(url))
        defer { try? file.close() }
        let schema = try SQLiteSchema(model: model, configuration: nil, file: file.layout())
        let before = try Self.rows(of: file, schema: schema)
        let hasTriggers = try file.read {
            try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM sqlite_master WHERE type = 'trigger'") ?? 0 > 0
        }
        let saver = SQLiteSaver(file: file, schema: schema) { _, _ in .null }
        let concrete = schema.entities.compactMap { $0 }.filter { !$0.layout.entity.isAbstract }
        var changes = RowChanges()
        for key in try saver.reserveKeys(for: concrete.map(\.layout)) {
            var row = RowChange(key: key)
            row.values = ContiguousArray(repeating: .null, count: model.entities[Int(key.entityIndex)].rowSlotCount)
            changes.inserted.append(row)
        }
        changes.updated = try concrete.compactMap { try Self.update(of: $0, in: file) }
        let updated = Set(changes.updated.map(\.key))
        for table in schema.tables {
            // Two Artsy stores have rows of an entity that lies in another table.
            let members = schema.members(of: table).map { "\($0.number)" }.joined(separator: ", ")
            let sql = """
                SELECT Z_PK, Z_ENT, IFNULL(Z_OPT, 0) FROM \(table.name) WHERE Z_ENT IN (\(members))
                ORDER BY Z_PK DESC LIMIT 1
                """
            guard let row = try file.read({ try Row.fetchOne($0, sql: sql) }),
                let entityIndex = schema.entityIndex(forNumber: row[1])
            else { continue }
            let key = ObjectKey(handle: row[0], entityIndex: entityIndex)
            if !updated.contains(key) { changes.deleted.append(RowChange(key: key, version: row[2])) }
        }
        try saver.save(changes)

        let after = try Self.rows(of: file, schema: schema)
        let touched = Set((changes.updated + changes.deleted + changes.inserted).map(\.key.handle))
        if !hasTriggers {
            // A row that belonged to a deleted one without knowing it is set free.
            let oneWay = Set(concrete.flatMap { SQLiteRowPlan($0).oneWays.map(\.table) })
            for table in schema.tables where !oneWay.contains(table.name) {
                for (key, row) in before[table.name] ?? [:] where !touched.contains(key) {
                    #expect(after[table.name]?[key] == row, "\(table.name) \(key)")
                }
            }
        }
        try file.read { database in
            #expect(try String.fetchAll(database, sql: "PRAGMA integrity_check") == ["ok"])
            for row in changes.updated {
                let table = try schema.entity(model.entities[Int(row.key.entityIndex)]).table
                let sql = "SELECT Z_OPT FROM \(table) WHERE Z_PK = ?"
                #expect(try Int64.fetchOne(database, sql: sql, arguments: [row.key.handle]) == row.version + 1)
            }
            for table in schema.tables {
                let number = schema.number(forEntityIndex: table.rootIndex)
                let last = try Int64.fetchOne(
                    database, sql: "SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = ?", arguments: [number])
                let highest = try Int64.fetchOne(database, sql: "SELECT MAX(Z_PK) FROM \(table.name)") ?? 0
                #expect(try #require(last) >= highest)
                let deleted = changes.deleted.filter {
                    model.entities[Int($0.key.entityIndex)].root.index == table.rootIndex
                }
                let inserted = changes.inserted.filter {
                    model.entities[Int($0.key.entityIndex)].root.index == table.rootIndex
                }
                let count = (before[table.name]?.count ?? 0) + inserted.count - deleted.count
                #expect(after[table.name]?.count == count, "\(table.name)")
            }
            for entity in concrete {
                for case .join(let join)? in entity.toManys where !entity.hasSubentities {
                    let gone = changes.deleted.filter { $0.key.entityIndex == Int32(entity.layout.index) }
                    for row in gone {
                        let sql = "SELECT COUNT(*) FROM \(join.table) WHERE \(join.sourceColumn) = ?"
                        #expect(try Int.fetchOne(database, sql: sql, arguments: [row.key.handle]) == 0)
                    }
                }
            }
        }
        #expect(changes.inserted.count == concrete.count)
    }

    @Test("a save waits for another writer, and is an error when that takes too long")
    func busy() throws {
        let store = try SQLiteSchemaStore(options: SQLiteOpenOptions(timeout: 0.2))
        let key = try store.keys("Tag")[0]
        var changes = RowChanges()
        changes.inserted = [store.row(key, [:])]
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(path: store.url.path, configuration: configuration)
        try other.inDatabase { try $0.execute(sql: "BEGIN IMMEDIATE") }
        #expect {
            try store.saver.save(changes)
        } throws: { ($0 as NSError).code == 134090 }
        // Readers aren't held up.
        #expect(try store.values("SELECT COUNT(*) FROM ZTAG") == ["0"])
        try other.inDatabase { try $0.execute(sql: "COMMIT") }
        try store.saver.save(changes)
        #expect(try store.values("SELECT COUNT(*) FROM ZTAG") == ["1"])
    }
}
