@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

/// The error for rows that break a uniqueness constraint of the new model.
enum SQLiteUniquenessError {
    static func make(index: String, schema: SQLiteSchema, in database: Database, cause: DatabaseError)
        -> NSError
    {
        // This is an error already; what can't be counted is left out of its text.
        if let broken = try? SQLiteUniqueIndex.all(of: schema).first(where: { $0.name == index }) {
            let count = (try? broken.duplicates(in: database)) ?? 1
            let properties = broken.properties.joined(separator: ", ")
            return MigrationError.make(
                "The objects of '\(broken.entity)' can't be migrated: the new model makes \(properties) "
                    + "unique, and \(count) value(s) occur more than once. Make them unique with the old model first.",
                code: NSMigrationConstraintViolationError,
                ["entity": broken.entity, "property": properties, NSUnderlyingErrorKey: cause])
        }
        return SQLiteStoreError.error(.constraintMerge, "the index \(index) can't be made: \(cause)", underlying: cause)
    }
}
