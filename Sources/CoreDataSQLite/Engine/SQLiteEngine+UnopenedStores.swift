@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

extension SQLiteEngine {
    package static var takesEmptyFiles: Bool { true }
    package static var isReplacedByRenaming: Bool { true }

    package static func metadata(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> [String: Any] {
        let url = url.followingLinks
        let openOptions = try SQLiteOpenOptions(storeOptions: options).forOneTask
        // What destroying a store leaves has metadata on Apple's platforms, which name no model (seen in TMLPersistentContainer).
        if try SQLiteFile.isBlank(url, options: openOptions) { return SQLiteMetadata.ofNoModel() }
        let file = try SQLiteFile.openForReading(url, options: openOptions)
        // What was committed is in the file or its log.
        defer { try? file.close() }
        return try file.read { try SQLiteMetadata.read($0) }
    }

    package static func setMetadata(_ metadata: [String: Any], ofStoreAt url: URL, options: [AnyHashable: Any]?) throws
    {
        let openOptions = try SQLiteOpenOptions(storeOptions: options).forOneTask
        guard let file = try SQLiteFile.openForWriting(url.followingLinks, options: openOptions) else {
            throw SQLiteStoreError.error(.fileReadNoSuchFile, "there is no store", url: url)
        }
        // What was committed is in the file or its log.
        defer { try? file.close() }
        try file.write {
            let complete = StoreMetadata.completed(metadata, as: try SQLiteMetadata.read($0))
            try SQLiteMetadata.write(complete, to: $0)
        }
    }

    package static func model(carriedByStoreAt url: URL) throws -> NSManagedObjectModel? {
        let file = try SQLiteFile.openForReading(url.followingLinks)
        // What was committed is in the file or its log.
        defer { try? file.close() }
        return try file.read { try SQLiteModelCache.read($0) }
    }

    package static func inventory(ofStoreAt url: URL, model: NSManagedObjectModel?) throws -> StoreInventory? {
        try SQLiteInventory.read(url.followingLinks, model: model)
    }

    package static func findings(inStoreAt url: URL, model: NSManagedObjectModel) throws -> [StoreFinding] {
        try SQLiteDoctor.examine(url.followingLinks, model: model)
    }

    package static func repair(storeAt url: URL, model: NSManagedObjectModel) throws
        -> (backup: URL, left: [StoreFinding])
    {
        try SQLiteDoctor.repair(url.followingLinks, model: model)
    }

    package static func contentFiles(ofStoreAt url: URL) -> [URL] { SQLiteStoreFiles(url.followingLinks).withContents }

    package static func externalFiles(ofStoreAt url: URL) -> ExternalFiles {
        let data = SQLiteExternalData(store: url.followingLinks)
        guard let folder = data.folder else { return ExternalFiles() }
        return ExternalFiles(
            folder: folder, files: data.fileNames().sorted().map { folder.appendingPathComponent($0) },
            isShared: data.isShared)
    }

    package static func migrateInPlace(_ migration: InPlaceMigration) throws -> Bool {
        try SQLiteInPlaceMigration(
            url: migration.url.followingLinks, source: migration.source, destination: migration.destination,
            configuration: migration.configuration,
            defersIndexes: migration.options?.isSet(NSPersistentStoreDeferredLightweightMigrationOptionKey) ?? false,
            label: migration.label, progress: migration.progress
        ).run(options: SQLiteOpenOptions(storeOptions: migration.options).forOneTask)
        return true
    }

    package static func replace(
        storeAt url: URL, options: [AnyHashable: Any]?, unless isDone: ([String: Any]) -> Bool, make: () throws -> Void,
        exchange: () throws -> Void
    ) throws {
        try SQLiteFileExchange(url: url.followingLinks, options: SQLiteOpenOptions(storeOptions: options))
            .run(unless: isDone, make: make, exchange: exchange)
    }

    package static func destroy(storeAt url: URL, options: [AnyHashable: Any]?) throws {
        try SQLiteFileOverwriting.destroy(
            url.followingLinks, options: SQLiteOpenOptions(storeOptions: options),
            force: options?.isSet(NSPersistentStoreForceDestroyOption) ?? false)
    }

    package static func replace(
        storeAt url: URL, options: [AnyHashable: Any]?, withCopyOf source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        try SQLiteFileOverwriting.replace(
            url.followingLinks, options: SQLiteOpenOptions(storeOptions: options), withCopyOf: source.followingLinks,
            sourceOptions: SQLiteOpenOptions(storeOptions: sourceOptions),
            force: options?.isSet(NSPersistentStoreForceDestroyOption) ?? false)
    }
}
