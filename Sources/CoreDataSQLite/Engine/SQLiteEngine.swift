import CoreDataSQL
@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import ManagedObjectModel
import Synchronization

/// Stores in SQLite databases, in Apple's format.
package final class SQLiteEngine: StoreEngine {
    package static var storeType: String { NSSQLiteStoreType }

    private struct Opened: Sendable {
        var url: URL
        var file: SQLiteFile?
        var schema: SQLiteSchema?
        var queries: SQLiteQueries?
        var watcher: SQLiteChangeWatcher?
        var report: (@Sendable (Int64?) -> Void)?
    }

    /// Requests read it on any thread, also while the store is being removed or moved.
    private let opened: Mutex<Opened>
    // Safe: a constant dictionary, of values that clients hand over and don't change afterwards.
    nonisolated(unsafe) private let options: [AnyHashable: Any]?
    private let configuration: String?
    private let accepts: @Sendable ([String: Any]) -> Bool
    private let link: ObjectLink
    /// What the triggers of the file have changed.
    let recomputedRows = SQLiteRecomputedRows()
    /// The states that readers are pinned to.
    private let generations = Mutex<[WeakGeneration]>([])

    private struct WeakGeneration: Sendable {
        weak var generation: SQLiteGeneration?
    }

    package init(at place: StoreLocation, link: ObjectLink) {
        opened = Mutex(Opened(url: place.url.followingLinks))
        options = place.options
        configuration = place.configuration
        accepts = place.accepts
        self.link = link
    }

    package var isReadOnly: Bool { options?.isSet(NSReadOnlyPersistentStoreOption) ?? false }

    private var tracksHistory: Bool { options?.isSet(NSPersistentHistoryTrackingKey) ?? false }

    var url: URL { opened.withLock { $0.url } }

    // MARK: Opening and closing

    package func open() throws -> [String: Any]? {
        if let scheme = url.scheme, !url.isFileURL {
            throw SQLiteStoreError.error(
                .operation, "a SQLite store is a file, and no address of the scheme \(scheme)", url: url)
        }
        let file = try openFile(at: url)
        opened.withLock { $0.file = file }
        return try file.map(metadata)
    }

    /// Reads the metadata, and remembers it as that of the store which is open.
    private func metadata(of file: SQLiteFile) throws -> [String: Any] {
        let metadata = try file.read { try SQLiteMetadata.read($0) }
        file.knownMetadata.record(read: metadata)
        return metadata
    }

    private func openFile(at url: URL) throws -> SQLiteFile? {
        let openOptions = try openOptions()
        return isReadOnly
            ? try SQLiteFile.openForReading(url, options: openOptions)
            : try SQLiteFile.openForWriting(url, options: openOptions, accepts: accepts)
    }

    private func openOptions() throws -> SQLiteOpenOptions {
        var openOptions = try SQLiteOpenOptions(storeOptions: options)
        openOptions.recomputedRows = recomputedRows
        return openOptions
    }

    package func prepare(for model: ModelLayout, fits: Bool) throws -> [String: Any]? {
        var metadata: [String: Any]?
        if let file = opened.withLock({ $0.file }) {
            try adopt(file, for: model, fits: fits)
        } else {
            metadata = try makeFile(for: model)
        }
        try opened.withLock { $0.file }?.maintain(SQLiteOpenOptions(storeOptions: options))
        return metadata
    }

    private func adopt(_ file: SQLiteFile, for model: ModelLayout, fits: Bool) throws {
        let names = try file.layout()
        let schema: SQLiteSchema
        do {
            schema = try SQLiteSchema(model: model, configuration: configuration, file: names)
        } catch {
            throw SQLiteStoreError.locating(error, at: url)
        }
        if tracksHistory, !isReadOnly { try file.beginHistory(schema: schema) }
        // External files that stay behind only waste space, so an error here mustn't prevent the store from being
        // opened.
        if !isReadOnly, fits { try? SQLiteExternalData(store: url).removeOrphans(schema: schema, in: file) }
        use(file, schema)
    }

    /// Another process may make the store at the same time; then the metadata are those that it wrote.
    private func makeFile(for model: ModelLayout) throws -> [String: Any] {
        let schema = try SQLiteSchema(model: model, configuration: configuration)
        let file = try SQLiteFile.create(
            url, schema: schema, metadata: SQLiteMetadata.initial(schema: schema), historyTracking: tracksHistory,
            options: openOptions())
        opened.withLock { $0.file = file }
        let metadata = try metadata(of: file)
        use(file, schema)
        return metadata
    }

    private func use(_ file: SQLiteFile, _ schema: SQLiteSchema) {
        let queries = makeQueries(schema)
        opened.withLock {
            $0.schema = schema
            $0.queries = queries
        }
    }

    private func makeQueries(_ schema: SQLiteSchema) -> SQLiteQueries {
        SQLiteQueries(schema: schema, storeURL: url, coder: coder(schema.model), report: link.report)
    }

    private func coder(_ model: ModelLayout) -> SQLObjectGraph {
        let link = link
        return SQLObjectGraph(
            identity: link.identity, objectID: { link.objectID($0, model) },
            archive: { value, property in TransformableCoder.data(from: value, of: property) },
            unarchive: { data, property in TransformableCoder.value(from: data, of: property, in: nil) })
    }

    package func close() throws {
        // A thread that is reading at the moment retains the file, and gets an error from SQLite as it is closed.
        let left = opened.withLock { opened in
            defer { opened = Opened(url: opened.url, schema: opened.schema) }
            return opened
        }
        left.watcher?.stop()
        for known in generations.withLock({ $0 }) { known.generation?.close() }
        try left.file?.close()
    }

    package func move(to place: URL, identifier: String) throws -> Bool {
        let place = place.followingLinks
        guard let model = opened.withLock({ $0.schema })?.model, let moved = try openFile(at: place) else {
            return false
        }
        guard try metadata(of: moved)[NSStoreUUIDKey] as? String == identifier else {
            try moved.close()
            return false
        }
        let schema = try SQLiteSchema(model: model, configuration: configuration, file: moved.layout())
        let left = opened.withLock { opened in
            defer { opened = Opened(url: place, file: moved, report: opened.report) }
            return opened
        }
        use(moved, schema)
        left.watcher?.stop()
        // The file at the old place isn't needed any more; what was committed is in it or in its log.
        try? left.file?.close()
        left.report.map(watch)
        return true
    }

    package func carriedModel() throws -> NSManagedObjectModel? {
        try opened.withLock { $0.file }?.read { try SQLiteModelCache.read($0) }
    }

    package func finishDeferredMigration(all: Bool) throws -> Bool {
        let (file, queries) = try current()
        return try file.write { try SQLiteDeferredMigration(schema: queries.schema).finish(all: all, in: $0) }
    }

    /// What requests need: the open file, the schema and the queries.
    func current() throws -> (file: SQLiteFile, queries: SQLiteQueries) {
        let opened = opened.withLock { $0 }
        guard let file = opened.file, let queries = opened.queries else {
            throw CoreDataError.make(NSPersistentStoreOperationError, "\(opened.url.path): the store is closed.")
        }
        return (file, queries)
    }
}

extension SQLiteEngine: GenerationPinning {
    package func makeGeneration() throws -> (any StoreGeneration)? {
        guard let generation = try current().file.makeGeneration() else { return nil }
        generations.withLock { known in
            known.removeAll { $0.generation == nil }
            known.append(WeakGeneration(generation: generation))
        }
        return generation
    }
}

extension SQLiteEngine: DamageFinding {
    package func requireUndamaged() throws {
        let file = try current().file
        // The quick check doesn't look at indexes, by which rows are found.
        let found = try file.read { try $0.value(String.self, "PRAGMA integrity_check(1)") }
        guard let found, found != "ok" else { return }
        throw SQLiteStoreError.error(.fileReadCorrupt, "the database is damaged: \(found)", url: file.url)
    }
}

extension SQLiteEngine: ChangeWatching {
    package func watch(_ report: @escaping @Sendable (Int64?) -> Void) {
        let watcher = opened.withLock { $0.file }?.watch(report)
        opened.withLock {
            $0.watcher = watcher
            $0.report = report
        }
    }
}
