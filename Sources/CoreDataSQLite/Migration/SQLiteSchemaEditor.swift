import CoreDataSQL
import GRDB

/// Changes the text of a schema, where the rows that it describes may stay as they are.
///
/// SQLite has no statement that renames an index, or a table without quoting its name; its documentation describes this
/// way: <https://www.sqlite.org/lang_altertable.html#making_other_kinds_of_table_schema_changes>. All inside the
/// transaction of the migration.
struct SQLiteSchemaEditor {
    private typealias Entry = SQLiteSchemaReference.Entry

    let database: Database
    private var changes: [(from: Entry, to: Entry)] = []

    init(_ database: Database) { self.database = database }

    /// Gives a table that is there another name and text.
    mutating func rename(_ table: String, to name: String, sql: String) {
        changes.append(
            (
                Entry(type: "table", name: table, table: table, sql: nil),
                Entry(type: "table", name: name, table: name, sql: sql)
            ))
    }

    /// Gives an index that is there the name and text of another one.
    mutating func rename(index: String, to entry: SQLiteSchemaReference.Entry) {
        changes.append((Entry(type: "index", name: index, table: "", sql: nil), entry))
    }

    /// Carries out all changes at once, so that names may be exchanged.
    func apply() throws {
        guard !changes.isEmpty else { return }
        try editing {
            let entries = try database.rows("SELECT rowid, type, name, tbl_name FROM sqlite_master WHERE name NOT NULL")
            var rowByName: [String: Int64] = [:]
            for entry in entries { rowByName["\(entry["type"] as String) \(entry["name"] as String)"] = entry["rowid"] }
            for change in changes {
                guard let row = rowByName["\(change.from.type) \(change.from.name)"] else {
                    throw SQLiteStoreError.schema("the schema has no \(change.from.type) \(change.from.name)")
                }
                try database.run(
                    """
                    UPDATE sqlite_master SET name = \(bind: .text(change.to.name)), tbl_name = \(bind: .text(change.to.table)), \
                    sql = \(bind: change.to.sql.map { .text($0) } ?? .null) WHERE rowid = \(bind: .int(row))
                    """)
                let automatic = "sqlite_autoindex_\(change.from.name)_1"
                if change.from.type == "table", let row = rowByName["index \(automatic)"] {
                    try database.run(
                        """
                        UPDATE sqlite_master SET name = \(bind: .text("sqlite_autoindex_\(change.to.name)_1")), \
                        tbl_name = \(bind: .text(change.to.name)) WHERE rowid = \(bind: .int(row))
                        """)
                }
            }
        }
    }

    /// Puts the objects of a schema into the order in which a fresh store has them; what that hasn't comes last.
    func order(as entries: [SQLiteSchemaReference.Entry]) throws {
        let places = Dictionary(
            entries.enumerated().map { ("\($1.type) \($1.name)", $0 + 1) }, uniquingKeysWith: { first, _ in first })
        let present = try database.rows("SELECT rowid, type, name FROM sqlite_master ORDER BY rowid")
        var last = entries.count
        let wanted = present.map { row -> Int in
            if let place = places["\(row["type"] as String) \(row["name"] as String)"] { return place }
            last += 1
            return last
        }
        guard zip(present, wanted).contains(where: { ($0["rowid"] as Int) != $1 }) else { return }
        try editing {
            let (offset, isTooHigh) = (present.map { $0["rowid"] as Int }.max() ?? 0).addingReportingOverflow(last)
            guard !isTooHigh else { throw SQLiteStoreError.schema("sqlite_master has rows with impossible numbers") }
            try database.run("UPDATE sqlite_master SET rowid = rowid + \(bind: .int(Int64(offset)))")
            for (row, place) in zip(present, wanted) {
                try database.run(
                    """
                    UPDATE sqlite_master SET rowid = \(bind: .int(Int64(place))) \
                    WHERE rowid = \(bind: .int(Int64((row["rowid"] as Int) + offset)))
                    """)
            }
        }
    }

    private func editing(_ body: () throws -> Void) throws {
        try SQLiteConnection.withWritableSchema(database) {
            try database.run("PRAGMA writable_schema = ON")
            // Where it stays on, the connection is defensive again, which forbids the same.
            defer { try? database.run("PRAGMA writable_schema = OFF") }
            try body()
            let version = try database.value(Int.self, "PRAGMA schema_version") ?? 0
            try database.run("PRAGMA schema_version = \(.number(version + 1))")
            // Reads the schema again, for this connection; the number tells the others.
            try database.run("PRAGMA writable_schema = RESET")
        }
        database.clearSchemaCache()
    }
}
