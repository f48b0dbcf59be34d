import CoreDataSQL

/// The names that are in every file of Apple's format, whatever its model. Statements have them by interpolation:
/// `"SELECT \(.key) FROM …"`. What derives from a model is made by ``SQLiteNaming``.
enum SQLiteName: String {
    // MARK: Tables of entities

    /// The row's key, in triggers and location indexes too.
    case key = "Z_PK"
    /// The number of the row's concrete entity.
    case entity = "Z_ENT"
    /// How often the row was saved.
    case version = "Z_OPT"

    // MARK: System tables

    /// The entities, with the highest key that each hierarchy has given out.
    case entityTable = "Z_PRIMARYKEY"
    case entityName = "Z_NAME"
    case superentity = "Z_SUPER"
    case highestKey = "Z_MAX"
    case metadataTable = "Z_METADATA"
    case metadataVersion = "Z_VERSION"
    case storeUUID = "Z_UUID"
    case metadataList = "Z_PLIST"
    case modelTable = "Z_MODELCACHE"
    case modelContent = "Z_CONTENT"

    // MARK: Persistent history

    case changeTable = "ACHANGE"
    case changeType = "ZCHANGETYPE"
    case changedEntity = "ZENTITY"
    case changedKey = "ZENTITYPK"
    case changedColumns = "ZCOLUMNS"
    case transactionOfChange = "ZTRANSACTIONID"
    case transactionTable = "ATRANSACTION"
    case timestamp = "ZTIMESTAMP"
    case author = "ZAUTHOR"
    case bundle = "ZBUNDLEID"
    case context = "ZCONTEXTNAME"
    case process = "ZPROCESSID"
    case queryGeneration = "ZQUERYGEN"
    /// The texts that transactions share: of authors, contexts, bundles and processes.
    case textTable = "ATRANSACTIONSTRING"
    case sharedText = "ZNAME"

    /// The first columns of each table of entities.
    static let rowColumns = texts(.key, .entity, .version)
    static let systemTables = Set(texts(.entityTable, .metadataTable, .modelTable))
    /// The columns of a transaction for texts that transactions share.
    static let sharedTexts: [SQLiteName] = [.author, .bundle, .context, .process]

    static func texts(_ names: SQLiteName...) -> [String] { names.map(\.rawValue) }

    /// The column of a transaction that refers to a shared text, beside the one that held the text in older files.
    var ofSharedText: String { rawValue + "TS" }

    /// The column that keeps an attribute of what was deleted.
    static func tombstone(_ number: Int) -> String { tombstonePrefix + String(number) }

    static let tombstonePrefix = "ZTOMBSTONE"
    /// Virtual tables of location indexes begin with it.
    static let locationIndexPrefix = "Z_RT_"
}

extension SQLFragment.StringInterpolation {
    /// A name of the format.
    mutating func appendInterpolation(_ name: SQLiteName) { appendLiteral(name.rawValue) }
}
