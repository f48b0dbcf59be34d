import Foundation
import GRDB

/// What the GRDB side needs beside its records.
enum RecordDatabase {
    static func open(_ url: URL) throws -> DatabasePool { try DatabasePool(path: url.path) }

    /// Takes primary keys for new rows, as a store in Apple's format has to.
    ///
    /// - Returns: the first key, and the entity's number.
    static func reserveKeys(_ count: Int, entity: String, in database: Database) throws -> (key: Int64, entity: Int64) {
        let row = try Row.fetchOne(
            database, sql: "SELECT Z_MAX, Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = ?", arguments: [entity])
        guard let row else { throw BenchmarkError("there is no entity \(entity)") }
        try database.execute(
            sql: "UPDATE Z_PRIMARYKEY SET Z_MAX = Z_MAX + ? WHERE Z_NAME = ?", arguments: [count, entity])
        return (row[0] + 1, row[1])
    }
}
