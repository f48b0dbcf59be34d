import CoreDataSQL
import Foundation
import GRDB
import ManagedObjectModel

/// The model that a store keeps of itself, compressed, in `Z_MODELCACHE`.
package enum SQLiteModelCache {
    /// The largest known cache (Photos, 75 entities) has half a megabyte.
    private static let maximumSize = 64 << 20

    /// The model for which the store was made; nil in stores older than iOS 9, which have no cache.
    ///
    /// - Throws: `NSFileReadCorruptFileError` for a cache that can't be read.
    package static func read(_ database: Database) throws -> NSManagedObjectModel? {
        guard try database.tableExists(SQLiteName.modelTable.rawValue),
            let content = try database.value(Data.self, "SELECT \(.modelContent) FROM \(.modelTable) LIMIT 1")
        else { return nil }
        do {
            let model = try NSManagedObjectModel(archivedData: RawDeflate.inflate(content, limit: maximumSize))
            try FileModelNames.check(model)
            model.isFromFile = true
            return model
        } catch {
            throw SQLiteStoreError.error(
                .fileReadCorrupt, "the model in \(SQLiteName.modelTable.rawValue) can't be read", underlying: error)
        }
    }

    package static func write(_ model: NSManagedObjectModel, to database: Database) throws {
        let content = try RawDeflate.deflate(model.archivedData(omitsForeignDefaults: true))
        try database.run("DELETE FROM \(.modelTable)")
        try database.run("INSERT INTO \(.modelTable) (\(.modelContent)) VALUES (\(bind: .blob(content)))")
    }
}
