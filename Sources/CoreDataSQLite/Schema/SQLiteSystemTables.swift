import CoreDataSQL
import GRDB

/// The tables that every store has beside those of its entities, and those of persistent history.
enum SQLiteSystemTables {
    static let primaryKey: SQLFragment =
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
    static let metadata: SQLFragment =
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
    static let modelCache: SQLFragment = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

    /// A row of `Z_PRIMARYKEY` for each entity of the history tables.
    static let historyEntities: [(number: Int64, name: String)] = [
        (16001, "CHANGE"), (16002, "TRANSACTION"), (16003, "TRANSACTIONSTRING"),
    ]

    /// The tables of persistent history and their indexes, the same since macOS 10.15.
    ///
    /// - Parameter tombstones: how many attributes the entity has that preserves the most of them on deletion.
    static func history(tombstones: Int) -> [SQLFragment] {
        let kept = (0..<tombstones).map { ", \(.declared("ZTOMBSTONE\($0)")) BLOB" as SQLFragment }.joined(
            separator: "")
        let fixed: SQLFragment = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
        let texts = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
        let textColumns = texts.map { "\(.declared($0)) INTEGER, " as SQLFragment }.joined(separator: "")
        let textIndexes = texts.map {
            "CREATE INDEX \(.declared("ATRANSACTION_\($0)_INDEX")) ON ATRANSACTION (\(.declared($0)))" as SQLFragment
        }
        let tables: [SQLFragment] = [
            """
            CREATE TABLE ACHANGE ( \(fixed), ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, \
            ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(kept) )
            """,
            """
            CREATE TABLE ATRANSACTION ( \(fixed), \(textColumns)ZTIMESTAMP FLOAT, \
            ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )
            """,
            "CREATE TABLE ATRANSACTIONSTRING ( \(fixed), ZNAME VARCHAR )",
            "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        ]
        return tables + textIndexes + [
            "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
            "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
            "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
        ]
    }
}

extension Database {
    /// The highest key of an entity hierarchy: of those given out, which `Z_PRIMARYKEY` counts, and of the rows that are there.
    func highestKey(ofEntity number: Int64, in table: String) throws -> Int64 {
        let query: SQLFragment = """
            SELECT MAX(IFNULL((SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = \(bind: .int(number))), 0),
                IFNULL((SELECT MAX(Z_PK) FROM \(.name(table))), 0))
            """
        return try self.value(Int64.self, query) ?? 0
    }
}
