import GRDB

/// A shelf as a GRDB record.
struct ShelfRecord: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "ZSHELF"
    static let volumes = hasMany(
        VolumeRecord.self, key: "volumes", using: ForeignKey(["ZSHELF"], to: ["Z_PK"]))

    var key: Int64
    var number: Int64?

    enum CodingKeys: String, CodingKey {
        case key = "Z_PK"
        case number = "ZNUMBER"
    }
}

/// A volume as a GRDB record.
struct VolumeRecord: Codable, FetchableRecord, TableRecord {
    static let databaseTableName = "ZVOLUME"

    var key: Int64
    var pages: Int64?
    var shelf: Int64?

    enum CodingKeys: String, CodingKey {
        case key = "Z_PK"
        case pages = "ZPAGES"
        case shelf = "ZSHELF"
    }
}

/// A shelf with its volumes, as GRDB fetches them together.
struct FilledShelfRecord: Decodable, FetchableRecord {
    var shelf: ShelfRecord
    var volumes: [VolumeRecord]

    init(row: Row) throws {
        shelf = try ShelfRecord(row: row)
        volumes = try row.prefetchedRows["volumes"]?.map { try VolumeRecord(row: $0) } ?? []
    }
}

/// A shelf as a GRDB record without Codable.
struct FastShelfRecord: FetchableRecord, TableRecord {
    static let databaseTableName = "ZSHELF"
    static var databaseSelection: [any SQLSelectable] { [Column("Z_PK"), Column("ZNUMBER")] }
    static let volumes = hasMany(
        FastVolumeRecord.self, key: "volumes", using: ForeignKey(["ZSHELF"], to: ["Z_PK"]))

    var key: Int64
    var number: Int64?
    var volumes: [FastVolumeRecord] = []

    init(row: Row) throws {
        key = row[0]
        number = row[1]
        volumes = row.prefetchedRows["volumes"]?.map { FastVolumeRecord(row: $0) } ?? []
    }
}

/// A volume as a GRDB record without Codable.
struct FastVolumeRecord: FetchableRecord, TableRecord {
    static let databaseTableName = "ZVOLUME"
    static var databaseSelection: [any SQLSelectable] { [Column("Z_PK"), Column("ZPAGES"), Column("ZSHELF")] }

    var key: Int64
    var pages: Int64?
    var shelf: Int64?

    init(row: Row) {
        key = row[0]
        pages = row[1]
        shelf = row[2]
    }
}
