import CoreDataSQL
import GRDB

/// What stands in `sqlite_master` of a fresh store of a model: made in memory, and looked at.
struct SQLiteSchemaReference {
    /// An object of a schema.
    struct Entry: Hashable {
        var type: String
        var name: String
        var table: String
        /// Nil for what SQLite makes by itself.
        var sql: String?
    }

    /// What an index is on, by places of columns, so that indexes of tables with other names can be compared.
    struct IndexShape: Hashable {
        struct Column: Hashable {
            var place: Int
            var isDescending: Bool
            var collation: String
        }

        var isUnique: Bool
        var columns: [Column]
    }

    let entries: [Entry]
    private let shapes: [String: IndexShape]

    init(_ schema: SQLiteSchema, historyTracking: Bool) throws {
        let statements = try schema.creationStatements(historyTracking: historyTracking)
        (entries, shapes) = try DatabaseQueue(configuration: SQLiteConnection.hardened(timeout: 0)).write { database in
            for statement in statements { try database.run(statement) }
            let entries = try Self.entries(of: database)
            return (entries, try Self.shapes(of: entries, in: database))
        }
    }

    /// The objects of a database, in order.
    static func entries(of database: Database) throws -> [Entry] {
        try database.rows("SELECT type, name, tbl_name, sql FROM sqlite_master ORDER BY rowid").map {
            Entry(type: $0[0], name: $0[1], table: $0[2], sql: $0[3])
        }
    }

    /// The indexes that could be left for later, and were.
    func deferred(in database: Database) throws -> [Entry] {
        let present = Set(try Self.entries(of: database).map(\.name))
        return entries.filter { $0.isDeferrable && !present.contains($0.name) }
    }

    func shape(ofIndex name: String) -> IndexShape? { shapes[name] }

    /// The shapes of the indexes that were made by a statement, but for those with a condition or an expression.
    static func shapes(of entries: [Entry], in database: Database) throws -> [String: IndexShape] {
        var shapes: [String: IndexShape] = [:]
        for entry in entries where entry.type == "index" {
            guard let sql = entry.sql, !sql.contains(" WHERE ") else { continue }
            let rows = try database.rows(
                "SELECT cid, \"desc\", coll FROM pragma_index_xinfo(\(bind: .text(entry.name))) WHERE key = 1 ORDER BY seqno"
            )
            let columns = rows.map { row in
                IndexShape.Column(place: row[0], isDescending: row[1], collation: row[2])
            }
            guard columns.allSatisfy({ $0.place >= 0 }) else { continue }
            shapes[entry.name] = IndexShape(isUnique: sql.hasPrefix("CREATE UNIQUE"), columns: columns)
        }
        return shapes
    }
}
