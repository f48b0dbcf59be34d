@_spi(Engine) import CoreDataRows
import CoreDataSQLite
import Foundation
import GRDB
import ManagedObjectModel
import Testing

@testable import CoreData

@Suite("The schema of a store equals Apple's", .enabled(if: SQLiteSchemaFixtures.folder != nil))
struct SQLiteSchemaEqualityTests {
    /// An object of `sqlite_master`, without those that SQLite makes for itself.
    struct Entry: Hashable {
        var type: String
        var name: String
        var sql: String
    }

    /// From here on indexes are named after fetch indexes.
    static let firstModernVersion = 800
    /// Before that, columns of one type had no order by name.
    static let firstSortedVersion = 400

    static func entries(of store: SQLiteSchemaFixtures.Store) throws -> [Entry] {
        let file = try SQLiteFile.openForReading(store.url)
        return try entries(of: file)
    }

    static func entries(of file: SQLiteFile) throws -> [Entry] {
        try file.read { database in
            let sql = "SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY rowid"
            return try Row.fetchAll(database, sql: sql).map { Entry(type: $0[0], name: $0[1], sql: $0[2]) }
        }.filter { entry in
            !(entry.name.hasPrefix("Z_RT_") && ["_node", "_rowid", "_parent"].contains { entry.name.hasSuffix($0) })
        }
    }

    static func frameworkVersion(of store: SQLiteSchemaFixtures.Store) throws -> (version: Int, isMigrated: Bool) {
        let file = try SQLiteFile.openForReading(store.url)
        let metadata = try file.read { try SQLiteMetadata.read($0) }
        let version = metadata[SQLiteMetadata.Key.frameworkVersion] as? Int ?? 0
        return (version, metadata["migrationManagerClass"] != nil)
    }

    @Test("every statement, as text", arguments: SQLiteSchemaFixtures.withModel)
    func statements(of store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try store.layout())
        let (version, isMigrated) = try Self.frameworkVersion(of: store)
        let entries = try Self.entries(of: store)
        let hasHistory = entries.contains { $0.name == "ACHANGE" }
        if version >= Self.firstModernVersion, !isMigrated {
            let statements = try Self.created(model, historyTracking: hasHistory)
            #expect(Set(entries.map(\.sql)).subtracting(statements) == [], "only in the file")
            #expect(Set(statements).subtracting(entries.map(\.sql)) == [], "only in ours")
            if Self.isFresh(entries) {
                #expect(Self.withoutJoins(statements) == Self.withoutJoins(entries.map(\.sql)), "order")
            }
        } else if !isMigrated, version >= Self.firstSortedVersion {
            // Older systems named indexes in another way, and wrote constraints into the table.
            let file = try SQLiteFile.openForReading(store.url).layout()
            let schema = try SQLiteSchema(model: model, configuration: nil, file: file)
            let statements = try schema.creationStatements(historyTracking: hasHistory).map(\.text)
            let tables = entries.filter { $0.type == "table" }.map { Self.withoutConstraint($0.sql) }
            #expect(Set(tables).subtracting(statements) == [], "only in the file")
        }
    }

    /// The texts in a store that is made here.
    private static func created(_ model: ModelLayout, historyTracking: Bool) throws -> [String] {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("Equal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let schema = try SQLiteSchema(model: model, configuration: nil)
        let file = try SQLiteFile.create(
            folder.appendingPathComponent("Made.sqlite"), schema: schema,
            metadata: SQLiteMetadata.initial(schema: schema), historyTracking: historyTracking)
        defer { try? file.close() }
        return try entries(of: file).map(\.sql)
    }

    /// Entity tables with what else there is, in order. Several join tables of one entity have no known order.
    private static func withoutJoins(_ statements: [String]) -> [String] {
        statements.filter { $0.firstMatch(of: /(TABLE|ON) Z_\d/) == nil }
    }

    /// Whether nothing was made after the system tables, as migrations do.
    private static func isFresh(_ entries: [Entry]) -> Bool {
        let system = entries.firstIndex { $0.name == "Z_PRIMARYKEY" } ?? 0
        return !entries[system...].contains { $0.sql.contains(/\ (TABLE|ON) Z[A-Z]/) }
    }

    private static func withoutConstraint(_ sql: String) -> String {
        sql.replacing(/, CONSTRAINT \w+ UNIQUE \([^)]*\)\)$/, with: " )")
    }

    /// A migrated store keeps old indexes, and appends columns.
    @Test("every column by name and type, also after migrations", arguments: SQLiteSchemaFixtures.withModel)
    func columns(of store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try store.layout())
        let file = try SQLiteFile.openForReading(store.url)
        let schema = try SQLiteSchema(model: model, configuration: nil, file: file.layout())
        for table in schema.tables {
            let theirs = try file.read { database in
                let rows = try Row.fetchAll(
                    database, sql: "SELECT name, type FROM pragma_table_info(?)", arguments: [table.name])
                return Set(rows.map { "\($0[0] as String) \($0[1] as String)" })
            }
            let ours = table.columns.map { "\($0.name) \($0.declaredType.rawValue)" }
            #expect(theirs.subtracting(ours).subtracting(["Z_PK INTEGER", "Z_ENT INTEGER", "Z_OPT INTEGER"]) == [])
            #expect(Set(ours).subtracting(theirs) == [])
        }
    }

    @Test("every index that the model asks for is in a migrated store", arguments: SQLiteSchemaFixtures.withModel)
    func indexes(of store: SQLiteSchemaFixtures.Store) throws {
        let (version, isMigrated) = try Self.frameworkVersion(of: store)
        guard isMigrated, version >= Self.firstModernVersion, let model = try store.layout() else { return }
        let file = try SQLiteFile.openForReading(store.url)
        let schema = try SQLiteSchema(model: model, configuration: nil, file: file.layout())
        let theirs = Set(try Self.entries(of: file).map { Self.withoutQuirks($0.sql) })
        let kinds = ["CREATE INDEX", "CREATE UNIQUE", "CREATE TRIGGER", "CREATE VIRTUAL"]
        let ours = try schema.creationStatements(historyTracking: false).map(\.text).filter { statement in
            kinds.contains { statement.hasPrefix($0) }
        }
        #expect(ours.count > 200)
        // Photos itself has dropped one of these.
        #expect(ours.filter { !theirs.contains($0) && !$0.contains("Z_ENT_INDEX") } == [])
    }

    /// A renamed table is quoted, and the oldest partial indexes have a space more.
    private static func withoutQuirks(_ sql: String) -> String {
        sql.replacing("\"", with: "").replacing("WHERE  ", with: "WHERE ")
    }

    @Test("the schema of a file that exists is found in it", arguments: SQLiteSchemaFixtures.withModel)
    func existing(_ store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try store.layout())
        let file = try SQLiteFile.openForReading(store.url)
        let schema = try SQLiteSchema(
            model: model, configuration: nil, file: file.layout())
        for case let entity? in schema.entities {
            #expect(schema.entityIndex(forNumber: entity.number) == Int32(entity.layout.index))
        }
    }
}
