@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel

/// Lightweight migration of a store where it lies: one transaction under the store's lock, after which its tables are those of a
/// fresh store of the new model. Keys of rows stay.
struct PostgreSQLMigration {
    let migration: InPlaceMigration
    let address: PostgreSQLAddress

    /// Migrates. A store that another process has migrated meanwhile is left alone.
    ///
    /// - Throws: an error that names the store; nothing has changed then.
    func run(_ pool: PostgreSQLPool) throws {
        try pool.retryingTransaction { connection in
            // Contexts that are pinned keep their tables; others mustn't wait behind this for them without end.
            try Self.limitWaiting(migration.options, in: connection)
            try migrate(connection)
        }
        migration.progress(1)
    }

    /// The one that Apple documents for waiting for a store (`NSPersistentStoreTimeoutOption`).
    private static let usualTimeout = 240.0

    /// Ends the transaction with an error where others are in its way for longer than the options say.
    static func limitWaiting(_ options: [AnyHashable: Any]?, in connection: PostgreSQLConnection) throws {
        let limit = options?.seconds(NSPersistentStoreTimeoutOption) ?? usualTimeout
        // Who only holds a lock while others work isn't idle.
        try connection.executeScript(
            """
            SET LOCAL lock_timeout = \(.number(Int(min(max(limit, 0.001), 86_400) * 1000))); \
            SET LOCAL idle_in_transaction_session_timeout = 0
            """)
    }

    private func migrate(_ connection: PostgreSQLConnection) throws {
        let table = PostgreSQLStoreTable(address)
        try table.lock(connection)
        guard let metadata = try table.read(connection) else {
            throw CoreDataError.make(NSPersistentStoreOpenError, "\(address.description): there is no store.")
        }
        let (source, destination) = (migration.source, migration.destination)
        guard
            !destination.model.isConfiguration(
                withName: migration.configuration, compatibleWithStoreMetadata: metadata)
        else { return }
        let numbers = try table.entityNumbers(connection)
        let known = source.model.configuration(migration.configuration, ofStoreWith: metadata)
        let old = PostgreSQLSchema(
            try PostgreSQLSchemaBuilder(source, configuration: known, numbers: numbers), namespace: address.schema)
        let new = PostgreSQLSchema(
            try PostgreSQLSchemaBuilder(
                destination, configuration: migration.configuration,
                numbers: PostgreSQLMigrationMap.numbers(from: source.model, to: destination.model, present: numbers)),
            namespace: address.schema)
        let map = PostgreSQLMigrationMap(from: old, to: new)
        // Who writes at the moment is waited for; who writes next finds the new version, and is refused.
        let present = (old.tables.map(\.name) + old.joins.map(\.table)).sorted().map(old.qualified)
        if !present.isEmpty {
            try connection.executeScript("LOCK TABLE \(present.joined(separator: ", ")) IN ACCESS EXCLUSIVE MODE")
        }
        var work = try PostgreSQLMigrationWork(connection, map: map, progress: migration.progress)
        try work.run()
        let history = try connection.ask([PostgreSQLHistoryTables(new).exist]) == ["true"]
        if history { try PostgreSQLHistoryMigration(map: map).run(in: connection) }
        var migrated = metadata
        StoreMetadata.addModelVersion(
            destination.model, configuration: migration.configuration, to: &migrated)
        try table.rewrite(migrated, new, hasHistory: history, in: connection)
        try connection.checkConstraints()
        guard history else { return }
        let digest = VersionHasher.digest(of: NSManagedObjectModel.versionHashes(in: metadata) ?? [:])
        try PostgreSQLHistoryMigration.record(
            fromDigest: digest, label: migration.label, new, notifying: PostgreSQLChangeWatcher.channel(address.schema),
            in: connection)
    }
}
