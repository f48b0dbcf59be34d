import Foundation
import GRDB

/// A user as a GRDB record without Codable.
struct FastUserRecord: PersistableRecord {
    static let databaseTableName = "ZUSER"

    var key: Int64
    var entity: Int64
    var identifier: UUID?
    var name: String?

    func encode(to container: inout PersistenceContainer) {
        container["Z_PK"] = key
        container["Z_ENT"] = entity
        container["Z_OPT"] = 1
        container["ZIDENTIFIER"] = identifier
        container["ZNAME"] = name
    }
}
