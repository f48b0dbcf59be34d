@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension PostgreSQLEngine {
    /// Does something at a place with a connection of its own.
    static func at<Result>(
        _ url: URL, _ options: [AnyHashable: Any]?,
        _ body: (PostgreSQLPool, PostgreSQLStoreTable) throws -> Result
    ) throws -> Result {
        let address = try PostgreSQLAddress(url)
        let pool = PostgreSQLPool(address, options: options)
        defer { pool.close() }
        return try translating(NSPersistentStoreOpenError, at: address) {
            try body(pool, PostgreSQLStoreTable(address))
        }
    }

    static func noStore(at url: URL) -> NSError {
        CoreDataError.make(NSPersistentStoreOpenError, "There is no store at \(url.withoutSecrets).")
    }

    package static func metadata(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        guard let metadata = try at(url, options, { pool, table in try pool.withConnection { try table.read($0) } })
        else { throw noStore(at: url) }
        return metadata
    }

    package static func setMetadata(_ metadata: [String: Any], ofStoreAt url: URL, options: [AnyHashable: Any]?) throws
    {
        try at(url, options) { pool, table in
            try pool.transaction { connection in
                try table.lock(connection)
                guard let present = try table.read(connection) else { throw noStore(at: url) }
                try table.write(StoreMetadata.completed(metadata, as: present), in: connection)
            }
        }
    }

    package static func model(carriedByStoreAt url: URL) throws -> NSManagedObjectModel? {
        try at(url, nil) { pool, table in try pool.withConnection { try table.model($0) } }
    }

    package static func holdingMigrationLock(
        ofStoreAt url: URL, options: [AnyHashable: Any]?, _ body: () throws -> Void
    ) throws {
        try at(url, options) { pool, table in
            try pool.transaction { connection in
                try PostgreSQLMigration.limitWaiting(options, in: connection)
                try table.lockMigration(connection)
                try body()
            }
        }
    }

    package static func migrateInPlace(_ migration: InPlaceMigration) throws -> Bool {
        try at(migration.url, migration.options) { pool, _ in
            try PostgreSQLMigration(migration: migration, address: pool.address).run(pool)
        }
        return true
    }

    package static func rebuild(
        storeAt url: URL, options: [AnyHashable: Any]?, unless isDone: ([String: Any]) -> Bool,
        make: (URL) throws -> Void
    ) throws -> Bool {
        try PostgreSQLStoreExchange(url: url, options: options).run(unless: isDone, make)
        return true
    }

    package static func replace(
        storeAt url: URL, options: [AnyHashable: Any]?, withCopyOf source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        try at(source, sourceOptions) { sourcePool, sourceTable in
            try at(url, options) { pool, table in
                // A copy of itself is what it is.
                if pool.address == sourcePool.address { return }
                try sourcePool.transaction(.snapshot) { reading in
                    try pool.transaction { writing in
                        try PostgreSQLMigration.limitWaiting(options, in: writing)
                        try PostgreSQLStoreReplacement(
                            source: reading, sourceTable: sourceTable, destination: writing, destinationTable: table
                        ).run()
                    }
                }
            }
        }
    }

    package static func destroy(storeAt url: URL, options: [AnyHashable: Any]?) throws {
        try at(url, options) { pool, table in try pool.transaction { try table.destroy($0) } }
    }
}
