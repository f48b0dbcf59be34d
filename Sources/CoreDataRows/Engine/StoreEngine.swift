import Foundation
import ManagedObjectModel

/// The database below a store: SQLite's file, a server, a table of this process.
///
/// An engine knows models, rows, keys and values, and neither contexts nor objects. `EngineStore` of the object graph
/// is the store class over it. Calls pass values down (a fetch, keys, changes, a ``ReadView``), and return rows, keys
/// and results. Several threads call at once.
///
/// What an engine can do beyond reading and saving is said by the protocols that it also adopts: ``BatchWriting``,
/// ``HistoryKeeping``, ``GenerationPinning``, ``ChangeWatching``.
package protocol StoreEngine: RowReading, RowSaving, UnopenedStores {
    /// The type that stores are added by, as `NSSQLiteStoreType`.
    static var storeType: String { get }
    /// Whether a row may lead to one that a later save writes, so that a store can be filled in parts. A database that checks
    /// references when a transaction ends says no.
    static var takesReferencesAhead: Bool { get }
    /// Whether saves and batches that run at the same time don't wait for each other: each is a transaction of its own, which the
    /// database keeps apart from the others. A file that has one writer says no.
    static var servesWritersSideBySide: Bool { get }

    /// Makes an engine for a place, and opens nothing.
    ///
    /// - Parameter link: what an engine needs to know of the object graph.
    init(at place: StoreLocation, link: ObjectLink)

    /// Whether what is open can't be written.
    var isReadOnly: Bool { get }
    /// Opens what is at the place, and reads the store's metadata; nil where there is no store yet.
    func open() throws -> [String: Any]?
    /// Makes the store ready for a model that fits it, or makes a new one.
    ///
    /// - Parameter fits: whether the store's version hashes were compared with the model's and are equal, so that an
    ///   external file which no attribute of the model names is unused.
    /// - Returns: the metadata of the store that was made; nil where there was one.
    func prepare(for model: ModelLayout, fits: Bool) throws -> [String: Any]?
    /// Closes the store. A read that is under way on another thread fails with an error.
    func close() throws
    /// Continues with a file that was moved or copied to another place.
    ///
    /// - Parameter identifier: the store's UUID; nothing changes where the other place has another store.
    func move(to url: URL, identifier: String) throws -> Bool
    /// The model that the store carries within itself; nil where it carries none.
    func carriedModel() throws -> NSManagedObjectModel?
    /// Does the work that a lightweight migration has deferred: all of it, or one task.
    ///
    /// - Returns: whether nothing is left.
    func finishDeferredMigration(all: Bool) throws -> Bool
}

/// Where a store lies, and how it is to be opened.
package struct StoreLocation {
    package var url: URL
    /// The options that the store is opened with, as clients give them.
    package var options: [AnyHashable: Any]?
    /// The configuration of the model that the store holds; nil for the whole model.
    package var configuration: String?
    /// Whether a store with that metadata can be opened with the model. A store that will be refused, or migrated first,
    /// is only read.
    package var accepts: @Sendable ([String: Any]) -> Bool

    package init(
        url: URL, options: [AnyHashable: Any]? = nil, configuration: String? = nil,
        accepts: @escaping @Sendable ([String: Any]) -> Bool = { _ in true }
    ) {
        self.url = url
        self.options = options
        self.configuration = configuration
        self.accepts = accepts
    }
}

/// What an engine needs to know of the object graph above it: which rows objects stand for, and where to report what it
/// notices.
package struct ObjectLink: Sendable {
    /// The row that an object or object ID stands for; nil where the value is neither.
    package var identity: @Sendable (Any) -> StoredIdentity?
    /// What stands for an object in dictionary results: its object ID.
    package var objectID: @Sendable (ObjectKey, ModelLayout) -> Any
    /// Receives what is noticed about the cost of fetches.
    package var report: @Sendable (FetchDiagnostic) -> Void

    package init(
        identity: @escaping @Sendable (Any) -> StoredIdentity? = { _ in nil },
        objectID: @escaping @Sendable (ObjectKey, ModelLayout) -> Any,
        report: @escaping @Sendable (FetchDiagnostic) -> Void = { _ in }
    ) {
        self.identity = identity
        self.objectID = objectID
        self.report = report
    }
}

/// What an object in a predicate is for the store that evaluates it.
package enum StoredIdentity {
    case key(ObjectKey)
    /// An object that isn't in the store: unsaved, or of another store. No row equals it.
    case absent
}

extension StoreEngine {
    package static var takesReferencesAhead: Bool { true }
    package static var servesWritersSideBySide: Bool { false }
    package func move(to url: URL, identifier: String) throws -> Bool { false }
    package func carriedModel() throws -> NSManagedObjectModel? { nil }
    package func finishDeferredMigration(all: Bool) throws -> Bool { true }
}
