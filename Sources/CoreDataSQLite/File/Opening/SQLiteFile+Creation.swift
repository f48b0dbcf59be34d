@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import ManagedObjectModel

extension SQLiteFile {
    /// Makes a store in a file that doesn't exist or has nothing in it.
    ///
    /// Everything is made in one transaction, so that a process which is killed leaves a whole store or a blank file.
    /// Where another process makes the store at the same time, the first one wins and the other opens it.
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for a model that can't be kept in SQLite, and SQLite's
    ///   errors as Cocoa errors that name the file.
    package static func create(
        _ url: URL, schema: SQLiteSchema, metadata: [String: Any], historyTracking: Bool,
        options: SQLiteOpenOptions = SQLiteOpenOptions()
    ) throws -> SQLiteFile {
        let statements: [SQLFragment]
        do {
            statements = try schema.creationStatements(historyTracking: historyTracking)
        } catch {
            throw SQLiteStoreError.locating(error, at: url)
        }
        let rows = schema.primaryKeyRows(historyTracking: historyTracking)
        // Another program may be making a database there, which must not get our journal mode: the lock waits until it is done.
        let file = try connectForWriting(url, options: options) { database in
            try SQLiteConnection.shapeBlankFile(database)
            try database.inTransaction(.immediate) {
                if try !SQLiteConnection.isBlank(database) { try requireStore(database, at: url) }
                return .rollback
            }
        }
        try file.write { database in
            guard try SQLiteConnection.isBlank(database) else { return }
            for statement in statements { try database.run(statement) }
            for row in rows {
                try database.run(
                    """
                    INSERT INTO \(.entityTable) (\(.entity), \(.entityName), \(.superentity), \(.highestKey)) \
                    VALUES (\(bind: .int(row.number)), \(bind: .text(row.name)), \(bind: .int(row.superNumber)), 0)
                    """)
            }
            try SQLiteMetadata.write(metadata, to: database)
            try SQLiteModelCache.write(schema.model.model, to: database)
            SQLiteConnection.trustSpatialIndexes(in: database)
        }
        try file.requireStore()
        return file
    }

    /// Makes the tables of persistent history in a store that has none.
    package func beginHistory(schema: SQLiteSchema) throws {
        let statements = schema.historyStatements
        try write { database in
            guard try !knownHistoryShape.shape(in: database).hasHistory else { return }
            for statement in statements { try database.run(statement) }
            for entity in SQLiteSystemTables.historyEntities {
                try database.run(
                    """
                    INSERT OR IGNORE INTO \(.entityTable) (\(.entity), \(.entityName), \(.superentity), \(.highestKey)) \
                    VALUES (\(bind: .int(entity.number)), \(bind: .text(entity.name)), 0, 0)
                    """)
            }
        }
    }
}
