/// The tables that every store has beside those of its entities, and those of persistent history.
enum SQLiteSystemTables {
    static let primaryKey =
        "CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER)"
    static let metadata =
        "CREATE TABLE Z_METADATA (Z_VERSION INTEGER PRIMARY KEY, Z_UUID VARCHAR(255), Z_PLIST BLOB)"
    static let modelCache = "CREATE TABLE Z_MODELCACHE (Z_CONTENT BLOB)"

    /// A row of `Z_PRIMARYKEY` for each entity of the history tables.
    static let historyEntities: [(number: Int64, name: String)] = [
        (16001, "CHANGE"), (16002, "TRANSACTION"), (16003, "TRANSACTIONSTRING"),
    ]

    /// The tables of persistent history and their indexes, the same since macOS 10.15.
    ///
    /// - Parameter tombstones: how many attributes the entity has that preserves the most of them on deletion.
    static func history(tombstones: Int) -> [String] {
        let kept = (0..<tombstones).map { ", ZTOMBSTONE\($0) BLOB" }.joined()
        let fixed = "Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER"
        let texts = ["ZAUTHORTS", "ZBUNDLEIDTS", "ZCONTEXTNAMETS", "ZPROCESSIDTS"]
        return [
            "CREATE TABLE ACHANGE ( \(fixed), ZCHANGETYPE INTEGER, ZENTITY INTEGER, ZENTITYPK INTEGER, "
                + "ZTRANSACTIONID INTEGER, ZCOLUMNS BLOB\(kept) )",
            "CREATE TABLE ATRANSACTION ( \(fixed), \(texts.map { "\($0) INTEGER, " }.joined())ZTIMESTAMP FLOAT, "
                + "ZAUTHOR VARCHAR, ZBUNDLEID VARCHAR, ZCONTEXTNAME VARCHAR, ZPROCESSID VARCHAR, ZQUERYGEN BLOB )",
            "CREATE TABLE ATRANSACTIONSTRING ( \(fixed), ZNAME VARCHAR )",
            "CREATE INDEX ACHANGE_ZTRANSACTIONID_INDEX ON ACHANGE (ZTRANSACTIONID)",
        ] + texts.map { "CREATE INDEX ATRANSACTION_\($0)_INDEX ON ATRANSACTION (\($0))" } + [
            "CREATE INDEX Z_TRANSACTION_TransactionAuthorIndex ON ATRANSACTION (ZAUTHOR COLLATE BINARY ASC)",
            "CREATE INDEX Z_TRANSACTION_TransactionTimestampIndex ON ATRANSACTION (ZTIMESTAMP COLLATE BINARY ASC)",
            "CREATE UNIQUE INDEX Z_TRANSACTIONSTRING_UNIQUE_NAME ON ATRANSACTIONSTRING (ZNAME COLLATE BINARY ASC)",
        ]
    }
}
