@_spi(Engine) import CoreDataRows
import CoreDataSQL
import GRDB
import ManagedObjectModel

/// What a migration may leave for later: indexes that make fetches faster.
package struct SQLiteDeferredMigration {
    package let schema: SQLiteSchema

    package init(schema: SQLiteSchema) {
        self.schema = schema
    }

    /// Makes the indexes that are missing, or one of them.
    ///
    /// - Returns: whether all are there now; the metadata in the file say so then.
    /// - Throws: an error where another process has brought the file to another model meanwhile.
    package func finish(all: Bool, in database: Database) throws -> Bool {
        var metadata = try SQLiteMetadata.read(database)
        guard metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] != nil else { return true }
        guard NSManagedObjectModel.versionHashes(in: metadata) == schema.versionHashes else {
            throw SQLiteStoreError.schema("the store was migrated to another model since it was opened")
        }
        let hasHistory = try database.tableExists(SQLiteName.textTable.rawValue)
        let reference = try SQLiteSchemaReference(schema, historyTracking: hasHistory)
        let missing = try reference.deferred(in: database)
        for entry in all ? missing[...] : missing.prefix(1) {
            if let sql = entry.sql { try database.run(.definition(sql)) }
        }
        guard all || missing.count <= 1 else { return false }
        try SQLiteSchemaEditor(database).order(as: reference.entries)
        metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
        try SQLiteMetadata.write(metadata, to: database)
        return true
    }
}
