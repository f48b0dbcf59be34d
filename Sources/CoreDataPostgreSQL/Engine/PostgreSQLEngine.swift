@_spi(Engine) import CoreDataRows
import CoreDataSQL
import Foundation
import ManagedObjectModel
import Synchronization

/// Stores in PostgreSQL databases.
package final class PostgreSQLEngine: StoreEngine {
    package static let storeType = PostgreSQLStoreTable.storeType
    /// A store that is filled has no foreign keys until it is whole: see ``PostgreSQLFilling``.
    package static var takesReferencesAhead: Bool { true }
    package static var servesWritersSideBySide: Bool { true }
    package static var marksUnfinishedCopies: Bool { true }

    private struct Opened: Sendable {
        var pool: PostgreSQLPool?
        var queries: PostgreSQLQueries?
        var keys: PostgreSQLKeys?
        var exists = false
        var watcher: PostgreSQLChangeWatcher?
        var generations: [WeakGeneration] = []
    }

    private struct WeakGeneration: Sendable {
        weak var generation: PostgreSQLGeneration?
    }

    /// Requests read it on any thread, also while the store is being removed.
    private let opened = Mutex(Opened())
    private let url: URL
    // Safe: a constant dictionary, of values that clients hand over and don't change afterwards.
    nonisolated(unsafe) private let options: [AnyHashable: Any]?
    private let configuration: String?
    let link: ObjectLink
    let state = PostgreSQLStoreState()

    package init(at place: StoreLocation, link: ObjectLink) {
        url = place.url
        options = place.options
        configuration = place.configuration
        self.link = link
    }

    package var isReadOnly: Bool { options?.isSet(NSReadOnlyPersistentStoreOption) ?? false }

    // MARK: Opening and closing

    package func open() throws -> [String: Any]? {
        let pool = PostgreSQLPool(try PostgreSQLAddress(url), options: options)
        let metadata = try Self.translating(NSPersistentStoreOpenError, at: pool.address) {
            try pool.read { try readMetadata(PostgreSQLStoreTable(pool.address), in: $0) }
        }
        opened.withLock {
            $0.pool = pool
            $0.exists = metadata != nil
        }
        return metadata
    }

    /// The version comes first: where another process migrates the store in between, the metadata are newer than it, and the
    /// first write is refused.
    private func readMetadata(_ table: PostgreSQLStoreTable, in connection: PostgreSQLConnection) throws
        -> [String: Any]?
    {
        guard let version = try table.modelVersion(connection) else { return nil }
        state.modelVersion = version
        return try table.read(connection)
    }

    private var tracksHistory: Bool { options?.isSet(NSPersistentHistoryTrackingKey) ?? false }

    /// What goes round everything that is written.
    func writing(_ schema: PostgreSQLSchema) -> PostgreSQLWriting {
        let tells = options?.isSet(NSPersistentStoreRemoteChangeNotificationPostOptionKey) ?? false
        return PostgreSQLWriting(
            schema: schema, state: state, channel: tells ? PostgreSQLChangeWatcher.channel(schema.namespace) : nil)
    }

    package func prepare(for model: ModelLayout, fits: Bool) throws -> [String: Any]? {
        let (pool, exists) = opened.withLock { ($0.pool, $0.exists) }
        guard let pool else { throw closed }
        return try Self.translating(NSPersistentStoreOpenError, at: pool.address) {
            if exists {
                let table = PostgreSQLStoreTable(pool.address)
                let numbers = try pool.read(table.entityNumbers)
                let builder = try PostgreSQLSchemaBuilder(model, configuration: configuration, numbers: numbers)
                let schema = PostgreSQLSchema(builder, namespace: pool.address.schema)
                try findHistory(schema, pool)
                use(schema)
                return nil
            }
            if isReadOnly {
                throw CoreDataError.make(
                    NSPersistentStoreOpenError,
                    "\(pool.address.description): there is no store, and it is to be read only.")
            }
            return try make(for: model, pool)
        }
    }

    /// Another process may make the store at the same time; then the metadata are those that it wrote.
    private func make(for model: ModelLayout, _ pool: PostgreSQLPool) throws -> [String: Any] {
        let builder = try PostgreSQLSchemaBuilder(model, configuration: configuration, numbers: nil)
        let schema = PostgreSQLSchema(builder, namespace: pool.address.schema)
        let table = PostgreSQLStoreTable(pool.address)
        let metadata = try pool.transaction { connection in
            try table.lock(connection)
            if let found = try readMetadata(table, in: connection) { return found }
            var metadata: [String: Any] = [NSStoreTypeKey: Self.storeType, NSStoreUUIDKey: UUID().uuidString]
            StoreMetadata.addModelVersion(model.model, configuration: configuration, to: &metadata)
            try table.make(schema, metadata, in: connection)
            return try readMetadata(table, in: connection) ?? metadata
        }
        try findHistory(schema, pool)
        use(schema)
        return metadata
    }

    /// Looks whether the store keeps history, and begins one where the options ask for it.
    private func findHistory(_ schema: PostgreSQLSchema, _ pool: PostgreSQLPool) throws {
        let tables = PostgreSQLHistoryTables(schema)
        func exist(_ connection: PostgreSQLConnection) throws -> Bool {
            try connection.ask([tables.exist]) == ["true"]
        }
        state.keepsHistory = try pool.read(exist)
        guard tracksHistory, !isReadOnly, !state.keepsHistory else { return }
        try pool.retryingTransaction { connection in
            try PostgreSQLStoreTable(pool.address).lock(connection)
            if try !exist(connection) { try tables.begin(schema, in: connection) }
        }
        state.keepsHistory = true
    }

    private func use(_ schema: PostgreSQLSchema) {
        let link = link
        let model = schema.model
        let coder = SQLObjectGraph(
            identity: link.identity, objectID: { link.objectID($0, model) },
            archive: { value, property in TransformableCoder.data(from: value, of: property) },
            unarchive: { data, property in TransformableCoder.value(from: data, of: property, in: nil) })
        opened.withLock {
            $0.queries = PostgreSQLQueries(schema: schema, coder: coder)
            $0.keys = PostgreSQLKeys(schema)
            $0.exists = true
        }
    }

    package func close() throws {
        let left = opened.withLock { opened in
            defer { opened = Opened() }
            return opened
        }
        left.watcher?.stop()
        for known in left.generations { known.generation?.close() }
        left.pool?.close()
    }

    package func carriedModel() throws -> NSManagedObjectModel? {
        guard let pool = opened.withLock({ $0.pool }) else { return nil }
        return try Self.translating(NSPersistentStoreOperationError, at: pool.address) {
            try pool.read { try PostgreSQLStoreTable(pool.address).model($0) }
        }
    }

    // MARK: Use

    /// What requests need.
    func current() throws -> (pool: PostgreSQLPool, queries: PostgreSQLQueries, keys: PostgreSQLKeys) {
        let opened = opened.withLock { $0 }
        guard let pool = opened.pool, let queries = opened.queries, let keys = opened.keys else { throw closed }
        return (pool, queries, keys)
    }

    /// What requests need that write.
    func writable() throws -> (pool: PostgreSQLPool, queries: PostgreSQLQueries, keys: PostgreSQLKeys) {
        let current = try current()
        guard !isReadOnly else {
            throw CoreDataError.make(
                NSPersistentStoreSaveError,
                "\(current.pool.address.description): the store was opened for reading only.")
        }
        return current
    }

    private var closed: NSError {
        CoreDataError.make(NSPersistentStoreOperationError, "\(url.withoutSecrets): the store is closed.")
    }

    /// Runs something, and makes a Core Data error of what the server says against it.
    static func translating<Result>(_ code: Int, at place: PostgreSQLAddress, _ body: () throws -> Result) throws
        -> Result
    {
        do {
            return try body()
        } catch let failure as PostgreSQLFailure {
            throw failure.error(code, at: place)
        }
    }
}

extension PostgreSQLEngine: GenerationPinning {
    package func makeGeneration() throws -> (any StoreGeneration)? {
        let (pool, _, _) = try current()
        let generation = try Self.translating(NSPersistentStoreOperationError, at: pool.address) {
            try PostgreSQLGeneration(pool.address)
        }
        opened.withLock { opened in
            opened.generations.removeAll { $0.generation == nil }
            opened.generations.append(WeakGeneration(generation: generation))
        }
        return generation
    }
}

extension PostgreSQLEngine: ChangeWatching {
    package func watch(_ report: @escaping @Sendable (Int64?) -> Void) {
        // A store that has been closed meanwhile has nothing to watch.
        guard let (pool, _, _) = try? current() else { return }
        do {
            let watcher = try PostgreSQLChangeWatcher(pool.address) { [weak self] number in
                // A store that can't be asked at the moment posts a change without its place in history.
                report(number ?? (try? self?.lastTransactionNumber()) ?? nil)
            }
            opened.withLock { $0.watcher = watcher }
        } catch {
            // The store itself is open; the caller can't be thrown an error.
            CoreDataLog.write(
                "\(pool.address.description): remote changes aren't reported, as listening for them failed: \(error)",
                atLevel: 0)
        }
    }
}
