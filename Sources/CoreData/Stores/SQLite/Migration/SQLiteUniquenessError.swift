import Foundation
import GRDB

/// The error for rows that break a uniqueness constraint of the new model.
enum SQLiteUniquenessError {
    static func make(index: String, schema: SQLiteSchema, in database: Database, cause: DatabaseError) -> NSError {
        for case let entity? in schema.entities {
            for names in entity.layout.entity.uniquenessConstraintNames
            where index == "Z_\(entity.name)_UNIQUE_\(names.joined(separator: "_"))" {
                let columns = names.compactMap { schema.column(named: $0, of: entity) }
                let groups =
                    "SELECT COUNT(*) FROM \(entity.table) WHERE \(columns.map { "\($0) NOT NULL" }.joined(separator: " AND "))"
                    + " GROUP BY \(columns.joined(separator: ", ")) HAVING COUNT(*) > 1"
                let count = (try? Int.fetchOne(database, sql: "SELECT COUNT(*) FROM (\(groups))")) ?? 1
                return MigrationError.make(
                    "The objects of '\(entity.name)' can't be migrated: the new model makes \(names.joined(separator: ", ")) "
                        + "unique, and \(count) value(s) occur more than once. Make them unique with the old model first.",
                    code: NSMigrationConstraintViolationError,
                    ["entity": entity.name, "property": names.joined(separator: ", "), NSUnderlyingErrorKey: cause])
            }
        }
        return SQLiteStoreError.error(.constraintMerge, "the index \(index) can't be made: \(cause)", underlying: cause)
    }
}
