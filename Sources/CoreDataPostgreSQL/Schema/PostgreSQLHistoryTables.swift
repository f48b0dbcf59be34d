@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation

/// The tables of persistent history: one of transactions, one of changes, and a row with the last numbers of both.
///
/// Every transaction that changes objects adds its own rows, as its last step before the commit. It takes its number from the one
/// row, which stays locked until it has ended. So transactions become visible in the order of their numbers: who has read up to a
/// number never finds a lower one later.
struct PostgreSQLHistoryTables {
    static let names = [PostgreSQLName.transactions, PostgreSQLName.changes, PostgreSQLName.history]

    /// The columns of each table.
    static let columns: [(table: String, columns: [String])] = [
        (PostgreSQLName.transactions, ["number", "timestamp", "author", "context", "bundle", "process"]),
        (
            PostgreSQLName.changes,
            ["transaction", "number", "type", "entity", "object", "properties", "tombstone"]
        ),
        (PostgreSQLName.history, ["only", "last_transaction", "last_change"]),
    ]

    private let dialect: SQLDialect

    init(_ schema: PostgreSQLSchema) { dialect = schema.dialect }

    var transactions: SQLFragment { dialect.table(PostgreSQLName.transactions) }
    var changes: SQLFragment { dialect.table(PostgreSQLName.changes) }
    var history: SQLFragment { dialect.table(PostgreSQLName.history) }

    /// Whether the store keeps history, as an expression.
    var exist: SQLFragment { "to_regclass(\(.constant(history.text))) IS NOT NULL" }

    // MARK: Making

    /// The statements that make the tables.
    var definitions: [SQLFragment] {
        [
            """
            CREATE TABLE \(transactions) ("number" bigint PRIMARY KEY, "timestamp" double precision NOT NULL, \
            "author" text COLLATE "C", "context" text COLLATE "C", "bundle" text COLLATE "C" NOT NULL, \
            "process" text COLLATE "C" NOT NULL)
            """,
            comment(
                on: transactions, "timestamp", "Seconds since 2001-01-01 00:00 UTC: to_timestamp(value + 978307200)"),
            """
            CREATE TABLE \(changes) ("transaction" bigint, "number" bigint, "type" smallint NOT NULL, \
            "entity" smallint NOT NULL, "object" bigint NOT NULL, "properties" text[], "tombstone" jsonb, \
            PRIMARY KEY ("transaction", "number"))
            """,
            comment(on: changes, "type", "0 for an insert, 1 for an update, 2 for a deletion"),
            comment(on: changes, "entity", "The number in the table \(PostgreSQLName.entities)"),
            comment(on: changes, "properties", "Of an update: what was changed"),
            comment(on: changes, "tombstone", "Of a deletion: values of attributes that are to be kept"),
            """
            CREATE TABLE \(history) ("only" boolean PRIMARY KEY DEFAULT true CHECK ("only"), \
            "last_transaction" bigint NOT NULL, "last_change" bigint NOT NULL)
            """,
            "INSERT INTO \(history) (\"last_transaction\", \"last_change\") VALUES (0, 0)",
        ]
    }

    private func comment(on table: SQLFragment, _ column: String, _ text: String) -> SQLFragment {
        "COMMENT ON COLUMN \(table).\(.quoted(column)) IS \(.constant(text))"
    }

    /// Begins the history of a store that has none, once no transaction is writing to it.
    ///
    /// A writer holds a lock on the tables that it has written to, and looks for the tables of history before it commits. As
    /// all tables are locked here first, no writer can miss them.
    func begin(_ schema: PostgreSQLSchema, in connection: PostgreSQLConnection) throws {
        let tables = (schema.tables.map(\.name) + schema.joins.map(\.table)).sorted().map(schema.qualified)
        if !tables.isEmpty {
            try connection.executeScript("LOCK TABLE \(tables.joined(separator: ", ")) IN SHARE ROW EXCLUSIVE MODE")
        }
        try connection.executeScript(definitions.joined(separator: ";\n"))
        let names = Self.names.map { SQLFragment.constant($0) }.joined(separator: ", ")
        try connection.executeScript(
            "UPDATE \(schema.qualified(PostgreSQLName.store)) SET \"tables\" = \"tables\" || ARRAY[\(names)]")
    }
}

extension SQLHistoryTables {
    /// The tables of a store in a server.
    init(_ schema: PostgreSQLSchema) {
        let dialect = schema.dialect
        self.init(
            dialect: dialect, transactions: dialect.table(PostgreSQLName.transactions),
            transactionKey: dialect.name("number"), timestamp: dialect.name("timestamp"),
            changes: dialect.table(PostgreSQLName.changes), changeKey: dialect.name("number"),
            changeTransaction: dialect.name("transaction"), changeType: dialect.name("type"),
            changeEntity: dialect.name("entity"), changeObject: dialect.name("object"),
            condition: { text, isEqual, value in Self.condition(text, isEqual: isEqual, value, dialect) },
            entityNumber: { name in
                schema.model.entity(named: name).flatMap { schema.number(ofEntityAt: $0.index) }
            })
    }

    private static func condition(_ text: Text, isEqual: Bool, _ value: String?, _ dialect: SQLDialect) -> SQLCondition
    {
        // No text of the server has this character.
        if value?.utf8.contains(0) ?? false { return isEqual ? .never : .always }
        let name =
            switch text {
            case .author: "author"
            case .context: "context"
            case .bundle: "bundle"
            case .process: "process"
            }
        let column = dialect.column(name, of: "t0")
        let wanted = value.map { SQLFragment.bind(.text($0)) } ?? "NULL"
        return .sql(isEqual ? dialect.same(column, wanted) : dialect.different(column, wanted))
    }
}
