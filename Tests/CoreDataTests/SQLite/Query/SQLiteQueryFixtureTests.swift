@_spi(Engine) import CoreDataRows
import CoreDataSQL
import CoreDataSQLite
import Foundation
import FoundationCompat
import GRDB
import GRDBSQLite
import ManagedObjectModel
import Testing

import class FoundationCompat.NSSortDescriptor

@testable import CoreData

@Suite("Rows that Apple's framework wrote", .enabled(if: !SQLiteSchemaFixtures.stores.isEmpty))
struct SQLiteQueryFixtureTests {
    @Test(
        "Rows, keys, counts and relationships are those that plain SQL shows", arguments: SQLiteSchemaFixtures.withModel
    )
    func everyRow(store: SQLiteSchemaFixtures.Store) throws {
        let model = try #require(try store.layout())
        let file = try SQLiteFile.openForReading(store.url)
        let schema = try SQLiteSchema(model: model, configuration: nil, file: try file.layout())
        let queries = SQLiteQueries(schema: schema, storeURL: store.url, coder: .testing)
        for entity in schema.entities.compactMap({ $0 }) {
            try file.read { try check(entity, queries, $0) }
        }
    }

    private func check(_ entity: SQLiteEntity, _ queries: SQLiteQueries, _ db: Database) throws {
        var fetch = StoreFetch.testing(entity.layout)
        fetch.includesSubentities = false
        fetch.sortDescriptors = [NSSortDescriptor(key: "self", ascending: true)]
        let pages = try queries.fetchRows(fetch, in: db)
        let rows = pages.flatMap { page in (0..<page.count).map { RowRef(page: page, row: $0) } }
        // In a table of one entity the number decides nothing.
        let root = entity.layout.root
        let own = root.lastDescendantIndex > root.index ? "WHERE Z_ENT = \(entity.number)" : ""
        let plain = try PlainRows("SELECT * FROM \(entity.table) \(own) ORDER BY Z_PK", db)
        #expect(rows.count == plain.rows.count, "\(entity.name)")
        #expect(try queries.count(fetch, in: db) == plain.rows.count)
        #expect(try queries.fetchKeys(fetch, in: db) == rows.map(\.key))
        for (row, plain) in zip(rows, plain.rows) {
            #expect(.int(row.key.handle) == plain["Z_PK"])
            #expect(Int(row.key.entityIndex) == entity.layout.index)
            for property in entity.layout.properties {
                for leaf in property.elements.isEmpty ? [property] : property.elements {
                    check(leaf, of: row, entity, plain)
                }
            }
        }
        let loaded = try queries.loadRows(rows.map(\.key), in: db).reduce(0) { $0 + $1.count }
        #expect(loaded == rows.count)
        for relationship in entity.layout.properties where relationship.kind == .toMany {
            try checkDestinations(relationship, of: rows.map(\.key), entity, queries, db)
        }
    }

    private func check(
        _ property: PropertyLayout, of row: RowRef, _ entity: SQLiteEntity, _ plain: [String: SQLBinding]
    ) {
        guard let column = entity.column(of: property), property.kind != .objectID else { return }
        let value = row.page.value(row.row, property)
        let isExternal = property.attribute?.allowsExternalBinaryDataStorage ?? false
        let same: Bool =
            switch (value, plain[column.name]) {
            case (.null, .null): true
            case (.int(let value), .int(let plain)): value == plain
            case (.double(let value), .double(let plain)): value == plain
            case (.double(let value), .int(let plain)): value == Double(plain)
            case (.decimal(let value), .int(let plain)): value == Decimal(plain)
            case (.decimal(let value), .double(let plain)): Double(value.description) == plain
            case (.decimal(let value), .text(let plain)): value.isNaN && plain == "NaN"
            case (.string(let value), .text(let plain)): value == plain
            case (.object(let value), .text(let plain)): (value.value as? URL)?.absoluteString == plain
            case (.uuid(let value), .blob(let plain)): withUnsafeBytes(of: value.uuid) { Data($0) } == plain
            case (.data(let value), .blob(let plain)): value == (isExternal ? plain.dropFirst() : plain)
            case (.reference(let key), .int(let plain)): key.handle == plain
            case (.null, .int(0)): property.kind == .toOne
            // A file outside the store that isn't among the fixtures.
            case (.null, .blob(let plain)): isExternal && plain.first == 2
            default: false
            }
        #expect(
            same,
            "\(entity.name).\(property.name) of \(row.key.handle): \(value), \(String(describing: plain[column.name]))")
    }

    private func checkDestinations(
        _ relationship: PropertyLayout, of owners: [ObjectKey], _ entity: SQLiteEntity, _ queries: SQLiteQueries,
        _ db: Database
    ) throws {
        guard !owners.isEmpty, let destination = relationship.destination, let toMany = entity.toMany(relationship)
        else { return }
        let table = try queries.schema.entity(destination).table
        let sql: String
        switch toMany {
        case .foreignKey(let key):
            sql = "SELECT \(key.column) AS owner, Z_PK AS destination FROM \(table) WHERE \(key.column) IS NOT NULL"
        case .join(let join):
            let pairs =
                "SELECT \(join.sourceColumn) AS owner, \(join.destinationColumn) AS destination FROM \(join.table)"
            let reversed = "SELECT \(join.destinationColumn), \(join.sourceColumn) FROM \(join.table)"
            sql =
                "SELECT * FROM (\(pairs)\(join.isReflexive ? " UNION \(reversed)" : "")) JOIN \(table) ON Z_PK = destination"
        }
        let own = Set(owners.map { SQLBinding.int($0.handle) })
        let plain = try PlainRows(sql, db).rows.filter { own.contains($0["owner"]!) }
        let loaded = try queries.loadDestinations(of: relationship, from: owners, in: db)
        let pairs = loaded.flatMap { owner, keys in keys.map { [SQLBinding.int(owner), .int($0.handle)] } }
        #expect(pairs.count == plain.count, "\(entity.name).\(relationship.name)")
        #expect(
            Set(pairs) == Set(plain.map { [$0["owner"]!, $0["destination"]!] }), "\(entity.name).\(relationship.name)")
        if let owner = owners.first {
            let alone = try queries.loadDestinations(of: relationship, from: owner, in: db)
            #expect(alone == loaded[owner.handle, default: []])
        }
    }
}

/// Rows read through SQLite's C interface alone.
private struct PlainRows {
    private(set) var rows: [[String: SQLBinding]] = []

    init(_ sql: String, _ db: Database) throws {
        var statement: OpaquePointer?
        try #require(sqlite3_prepare_v2(db.sqliteConnection, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
        defer { sqlite3_finalize(statement) }
        while sqlite3_step(statement) == SQLITE_ROW {
            var row: [String: SQLBinding] = [:]
            for column in 0..<sqlite3_column_count(statement) {
                let count = Int(sqlite3_column_bytes(statement, column))
                let value: SQLBinding
                switch sqlite3_column_type(statement, column) {
                case SQLITE_INTEGER: value = .int(sqlite3_column_int64(statement, column))
                case SQLITE_FLOAT: value = .double(sqlite3_column_double(statement, column))
                case SQLITE_TEXT: value = .text(String(cString: sqlite3_column_text(statement, column)))
                case SQLITE_BLOB:
                    value = .blob(
                        sqlite3_column_blob(statement, column).map { Data(bytes: $0, count: count) } ?? Data())
                default: value = .null
                }
                row[String(cString: sqlite3_column_name(statement, column))] = value
            }
            rows.append(row)
        }
    }
}
