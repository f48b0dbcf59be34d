import Foundation
import GRDB

/// A user as a GRDB record.
struct UserRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "ZUSER"

    var key: Int64
    var entity: Int64
    var version: Int64
    var identifier: UUID?
    var name: String?

    enum CodingKeys: String, CodingKey {
        case key = "Z_PK"
        case entity = "Z_ENT"
        case version = "Z_OPT"
        case identifier = "ZIDENTIFIER"
        case name = "ZNAME"
    }
}
