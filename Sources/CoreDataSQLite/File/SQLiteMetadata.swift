@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import GRDB
import ManagedObjectModel

/// The metadata of a store: the one row of `Z_METADATA`.
package enum SQLiteMetadata {
    /// The keys under which Apple's framework keeps what it knows about a store.
    package enum Key {
        package static let type = NSStoreTypeKey
        package static let uuid = NSStoreUUIDKey
        package static let frameworkVersion = "NSPersistenceFrameworkVersion"
        package static let hashes = NSStoreModelVersionHashesKey
        static let hashesVersion = "NSStoreModelVersionHashesVersion"
        package static let identifiers = NSStoreModelVersionIdentifiersKey
        package static let digest = "NSStoreModelVersionHashesDigest"
        package static let checksum = "NSStoreModelVersionChecksumKey"
        static let autoVacuum = "_NSAutoVacuumLevel"
    }

    /// The framework version that new stores claim: that of the first systems (iOS 17, macOS 14) whose stores have both
    /// digests (seen in fixtures). Our choice: no later one adds anything that is written here.
    private static let frameworkVersion = 1340

    /// No metadata that an app keeps comes near; a larger property list is an attack or damage.
    private static let maximumSize = 64 << 20

    /// The metadata of a new store, complete.
    package static func initial(schema: SQLiteSchema, uuid: UUID = UUID()) -> [String: Any] {
        ofNoModel(uuid: uuid).merging(modelVersion(schema: schema)) { _, new in new }
    }

    /// The metadata of a database in which nothing has been made yet.
    static func ofNoModel(uuid: UUID = UUID()) -> [String: Any] {
        [
            Key.type: NSSQLiteStoreType,
            Key.uuid: uuid.uuidString,
            Key.frameworkVersion: frameworkVersion,
            Key.autoVacuum: "2",
        ]
    }

    /// The entries that say for which model the store is.
    private static func modelVersion(schema: SQLiteSchema) -> [String: Any] {
        let hashes = schema.versionHashes
        return [
            Key.hashes: hashes,
            Key.hashesVersion: 3,
            Key.identifiers: schema.model.model.versionIdentifiers.map { "\($0.base)" }.sorted(),
            Key.digest: VersionHasher.digest(of: hashes),
            Key.checksum: VersionHasher.checksum(of: hashes),
        ]
    }

    /// The metadata of a store once it has been migrated to a schema: its UUID and what an app added stay.
    package static func migrated(_ metadata: [String: Any], to schema: SQLiteSchema) -> [String: Any] {
        var metadata = metadata.merging(modelVersion(schema: schema)) { _, new in new }
        let present = (metadata[Key.frameworkVersion] as? NSNumber)?.intValue ?? 0
        metadata[Key.frameworkVersion] = max(present, frameworkVersion)
        return metadata
    }

    /// Reads the metadata, with the store's type and UUID in it.
    ///
    /// - Throws: `NSFileReadCorruptFileError` where there is none, or none that makes sense.
    package static func read(_ database: Database) throws -> [String: Any] {
        guard
            let row = try database.row(
                "SELECT \(.storeUUID), \(.metadataList) FROM \(.metadataTable) WHERE \(.metadataVersion) = 1")
        else { throw damaged("\(SQLiteName.metadataTable.rawValue) has no row") }
        guard let uuid = String.fromDatabaseValue(row[0]) else {
            throw damaged("\(SQLiteName.metadataTable.rawValue) has no UUID")
        }
        guard let list = Data.fromDatabaseValue(row[1]) else {
            throw damaged("\(SQLiteName.metadataTable.rawValue) has no property list")
        }
        guard list.count <= maximumSize else {
            throw damaged("the property list in \(SQLiteName.metadataTable.rawValue) is too large")
        }
        let node: PropertyListNode
        do {
            node = try PropertyListNode.read(list)
        } catch {
            throw damaged("the property list in \(SQLiteName.metadataTable.rawValue) can't be read", underlying: error)
        }
        guard var metadata = node.foundationValue as? [String: Any] else {
            throw damaged("the property list in \(SQLiteName.metadataTable.rawValue) is no dictionary")
        }
        metadata[Key.uuid] = uuid
        if metadata[Key.type] == nil { metadata[Key.type] = NSSQLiteStoreType }
        return metadata
    }

    /// Writes the metadata, all of it.
    ///
    /// - Throws: `NSPersistentStoreOperationError` for a value that a property list can't hold.
    package static func write(_ metadata: [String: Any], to database: Database) throws {
        var list = metadata
        let uuid = list.removeValue(forKey: Key.uuid) as? String ?? UUID().uuidString
        let data = try propertyList(list)
        try database.run(
            """
            INSERT OR REPLACE INTO \(.metadataTable) (\(.metadataVersion), \(.storeUUID), \(.metadataList)) \
            VALUES (1, \(bind: .text(uuid)), \(bind: .blob(data)))
            """)
    }

    /// - Throws: `NSPersistentStoreOperationError` for a value that a property list can't hold.
    static func propertyList(_ metadata: [String: Any]) throws -> Data {
        guard PropertyListSerialization.propertyList(metadata, isValidFor: .binary) else {
            throw SQLiteStoreError.error(.operation, "the metadata has a value that a property list can't hold")
        }
        let data = try PropertyListSerialization.data(fromPropertyList: metadata, format: .binary, options: 0)
        do {
            _ = try PropertyListNode.read(data)
        } catch {
            throw SQLiteStoreError.error(.operation, "the metadata couldn't be read back", underlying: error)
        }
        return data
    }

    private static func damaged(_ what: String, underlying: (any Error)? = nil) -> NSError {
        SQLiteStoreError.error(.fileReadCorrupt, what, underlying: underlying)
    }
}
