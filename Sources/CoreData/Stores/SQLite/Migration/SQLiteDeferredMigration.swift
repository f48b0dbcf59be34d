import GRDB

/// What a migration may leave for later: indexes that make fetches faster.
struct SQLiteDeferredMigration {
    let schema: SQLiteSchema

    /// Makes the indexes that are missing, or one of them.
    ///
    /// - Returns: the metadata as it is now, in which nothing is pending any more once all are there.
    func finish(all: Bool, in database: Database) throws -> [String: Any] {
        var metadata = try SQLiteMetadata.read(database)
        guard metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] != nil else { return metadata }
        let hasHistory = try database.tableExists("ATRANSACTIONSTRING")
        let reference = try SQLiteSchemaReference(schema, historyTracking: hasHistory)
        let present = Set(try SQLiteSchemaReference.entries(of: database).map(\.name))
        let missing = reference.entries.filter { $0.isDeferrable && !present.contains($0.name) }
        for entry in all ? missing[...] : missing.prefix(1) {
            if let sql = entry.sql { try database.execute(sql: sql) }
        }
        guard all || missing.count <= 1 else { return metadata }
        try SQLiteSchemaEditor(database).order(as: reference.entries)
        metadata[NSPersistentStoreDeferredLightweightMigrationOptionKey] = nil
        try SQLiteMetadata.write(metadata, to: database)
        return metadata
    }
}
