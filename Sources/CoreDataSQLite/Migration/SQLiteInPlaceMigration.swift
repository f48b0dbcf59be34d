@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import ManagedObjectModel

/// Lightweight migration of a file in its place: one transaction, after which tables, names and texts are those of a fresh
/// store of the new model, whatever the file was before. Keys of rows stay.
package struct SQLiteInPlaceMigration {
    package let url: URL
    package let source: ModelLayout
    package let destination: ModelLayout
    package let configuration: String?
    /// Whether indexes that only make fetches faster are left for later.
    package var defersIndexes = false
    /// What history records of the migration, beside that it took place.
    package var label: String?

    /// Called with the part that is done, from 0 to 1.
    package var progress: (Double) -> Void = { _ in }

    package init(
        url: URL, source: ModelLayout, destination: ModelLayout, configuration: String?, defersIndexes: Bool = false,
        label: String? = nil, progress: @escaping (Double) -> Void = { _ in }
    ) {
        self.url = url
        self.source = source
        self.destination = destination
        self.configuration = configuration
        self.defersIndexes = defersIndexes
        self.label = label
        self.progress = progress
    }

    /// Migrates. A file that another process has migrated meanwhile is left alone.
    ///
    /// - Throws: an error that names the file; nothing has changed then.
    package func run(options: SQLiteOpenOptions) throws {
        guard let file = try SQLiteFile.openForWriting(url, options: options) else {
            throw SQLiteStoreError.error(.fileReadNoSuchFile, "there is no store", url: url)
        }
        do {
            try file.write { try migrate($0) }
        } catch {
            // The failure that is thrown is the one that matters.
            try? file.close()
            throw error
        }
        try file.close()
        progress(1)
    }

    /// The files of values that are gone are removed when the store is opened.
    private func migrate(_ database: Database) throws {
        let metadata = try SQLiteMetadata.read(database)
        guard !destination.model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata) else {
            return
        }
        let layout = try SQLiteFileLayout(database)
        let known = source.model.configuration(configuration, ofStoreWith: metadata)
        let old = try SQLiteSchema(model: source, configuration: known, file: layout)
        let new = try SQLiteSchema(model: destination, configuration: configuration)
        var isComplete = true
        try SQLiteMigrationFunctions(store: url).run(in: database) {
            var work = try SQLiteMigrationWork(
                database, map: SQLiteMigrationMap(from: old, to: new), layout: layout, progress: progress)
            isComplete = try work.run(defersIndexes: defersIndexes)
        }
        var present = SQLiteMetadata.migrated(metadata, to: new)
        present[NSPersistentStoreDeferredLightweightMigrationOptionKey] = isComplete ? nil : true
        try SQLiteMetadata.write(present, to: database)
        try SQLiteModelCache.write(destination.model, to: database)
        if layout.keepsModernHistory {
            let digest = VersionHasher.digest(of: NSManagedObjectModel.versionHashes(in: metadata) ?? [:])
            try SQLiteHistoryMigration.recordMigration(
                fromDigest: digest, label: label, schema: new, in: database)
        }
    }
}

/// The SQL functions that move binary values into and out of the form of external storage, while a migration runs.
struct SQLiteMigrationFunctions {
    private let functions: [SQLiteFunction]

    init(store: URL) {
        let external = SQLiteExternalData(store: store)
        functions = [
            SQLiteFunction(SQLiteMigrationFunction.tag, argumentCount: 1, isPure: true) { arguments in
                Data.fromDatabaseValue(arguments[0]).map { SQLiteExternalData.inline($0) }
            },
            SQLiteFunction(SQLiteMigrationFunction.untag, argumentCount: 1, isPure: false) { arguments in
                guard let stored = Data.fromDatabaseValue(arguments[0]) else { return nil }
                return try stored.withUnsafeBytes { bytes -> Data? in
                    let value = try external.read(bytes) { SQLiteStoreError.error(.fileReadCorrupt, $0) }
                    switch value {
                    case .inline(let bytes): return Data(bytes)
                    case .file(let content?): return content
                    case .file(nil):
                        throw SQLiteStoreError.error(
                            .fileReadNoSuchFile, "a file with an external value is gone, so the value can't be moved")
                    }
                }
            },
        ]
    }

    func run<Value>(in database: Database, _ body: () throws -> Value) throws -> Value {
        for function in functions { try function.register(in: database) }
        defer { for function in functions { function.remove(from: database) } }
        return try body()
    }
}
