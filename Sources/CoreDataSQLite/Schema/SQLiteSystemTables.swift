import CoreDataSQL
import GRDB

/// The tables that every store has beside those of its entities, and those of persistent history.
enum SQLiteSystemTables {
    static let primaryKey: SQLFragment =
        """
        CREATE TABLE \(.entityTable) \
        (\(.entity) INTEGER PRIMARY KEY, \(.entityName) VARCHAR, \(.superentity) INTEGER, \(.highestKey) INTEGER)
        """
    static let metadata: SQLFragment =
        "CREATE TABLE \(.metadataTable) (\(.metadataVersion) INTEGER PRIMARY KEY, \(.storeUUID) VARCHAR(255), \(.metadataList) BLOB)"
    static let modelCache: SQLFragment = "CREATE TABLE \(.modelTable) (\(.modelContent) BLOB)"

    /// A row of `Z_PRIMARYKEY` for each entity of the history tables.
    static let historyEntities: [(number: Int64, name: String)] = [
        (16001, "CHANGE"), (16002, "TRANSACTION"), (16003, "TRANSACTIONSTRING"),
    ]

    /// The tables of persistent history and their indexes, the same since macOS 10.15.
    ///
    /// - Parameter tombstones: how many attributes the entity has that preserves the most of them on deletion.
    static func history(tombstones: Int) -> [SQLFragment] {
        let kept = (0..<tombstones).map { ", \(.declared(SQLiteName.tombstone($0))) BLOB" as SQLFragment }.joined(
            separator: "")
        let fixed: SQLFragment = "\(.key) INTEGER PRIMARY KEY, \(.entity) INTEGER, \(.version) INTEGER"
        let texts = SQLiteName.sharedTexts.map(\.ofSharedText)
        let textColumns = texts.map { "\(.declared($0)) INTEGER, " as SQLFragment }.joined(separator: "")
        let textIndexes = texts.map {
            "CREATE INDEX \(.transactionTable)_\(.declared($0))_INDEX ON \(.transactionTable) (\(.declared($0)))"
                as SQLFragment
        }
        let tables: [SQLFragment] = [
            """
            CREATE TABLE \(.changeTable) ( \(fixed), \(.changeType) INTEGER, \(.changedEntity) INTEGER, \(.changedKey) INTEGER, \
            \(.transactionOfChange) INTEGER, \(.changedColumns) BLOB\(kept) )
            """,
            """
            CREATE TABLE \(.transactionTable) ( \(fixed), \(textColumns)\(.timestamp) FLOAT, \
            \(.author) VARCHAR, \(.bundle) VARCHAR, \(.context) VARCHAR, \(.process) VARCHAR, \(.queryGeneration) BLOB )
            """,
            "CREATE TABLE \(.textTable) ( \(fixed), \(.sharedText) VARCHAR )",
            "CREATE INDEX \(.changeTable)_\(.transactionOfChange)_INDEX ON \(.changeTable) (\(.transactionOfChange))",
        ]
        return tables + textIndexes + [
            "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON \(.transactionTable) (\(.author) COLLATE BINARY ASC)",
            "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON \(.transactionTable) (\(.timestamp) COLLATE BINARY ASC)",
            "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON \(.textTable) (\(.sharedText) COLLATE BINARY ASC)",
        ]
    }
}

extension Database {
    /// The highest key of an entity hierarchy: of those given out, which `Z_PRIMARYKEY` counts, and of the rows that are there.
    func highestKey(ofEntity number: Int64, in table: String) throws -> Int64 {
        let query: SQLFragment = """
            SELECT MAX(IFNULL((SELECT \(.highestKey) FROM \(.entityTable) WHERE \(.entity) = \(bind: .int(number))), 0),
                IFNULL((SELECT MAX(\(.key)) FROM \(.name(table))), 0))
            """
        return try self.value(Int64.self, query) ?? 0
    }
}
