import Foundation
import ManagedObjectModel

/// What can be asked of, or done to, a store that isn't open.
package protocol UnopenedStores {
    /// Whether a new store may be made in an empty file.
    static var takesEmptyFiles: Bool { get }
    /// Whether a store that isn't whole yet says so in its metadata, and can be removed by that.
    static var marksUnfinishedCopies: Bool { get }
    /// Whether a store is one file, so that renaming another file to its name replaces it.
    static var isReplacedByRenaming: Bool { get }

    static func metadata(ofStoreAt url: URL, options: [AnyHashable: Any]?) throws -> [String: Any]
    static func setMetadata(_ metadata: [String: Any], ofStoreAt url: URL, options: [AnyHashable: Any]?) throws
    /// The model that a store carries; nil where it carries none.
    static func model(carriedByStoreAt url: URL) throws -> NSManagedObjectModel?
    /// What is in a store, by entity and table; nil where the engine doesn't know.
    static func inventory(ofStoreAt url: URL, model: NSManagedObjectModel?) throws -> StoreInventory?
    /// What is wrong with a store.
    static func findings(inStoreAt url: URL, model: NSManagedObjectModel) throws -> [StoreFinding]
    /// Mends what can be mended without losing a value, after a copy was made.
    static func repair(storeAt url: URL, model: NSManagedObjectModel) throws -> (backup: URL, left: [StoreFinding])
    /// The files that what is in a store can be read from, whether they are there or not; the store's own file is the first.
    static func contentFiles(ofStoreAt url: URL) -> [URL]
    /// The files that hold values outside of a store's own file.
    static func externalFiles(ofStoreAt url: URL) -> ExternalFiles

    /// Does something while no other process migrates a store that isn't a file; files have a lock of their own.
    static func holdingMigrationLock(ofStoreAt url: URL, options: [AnyHashable: Any]?, _ body: () throws -> Void) throws
    /// Migrates a store in its place; false where the engine can't.
    ///
    /// - Throws: what stands in the way; the store is as it was then.
    static func migrateInPlace(_ migration: InPlaceMigration) throws -> Bool
    /// Puts another file in the place of a store. Other processes can't write to the store meanwhile.
    ///
    /// - Parameters:
    ///   - isDone: whether the store's metadata say that another process or stack has done it meanwhile; nothing
    ///     happens then.
    ///   - make: makes the other file; the store may be read meanwhile.
    ///   - exchange: gives it the store's name.
    /// - Throws: what the two throw, and what stands in the way; the store is as it was then.
    static func replace(
        storeAt url: URL, options: [AnyHashable: Any]?, unless isDone: ([String: Any]) -> Bool, make: () throws -> Void,
        exchange: () throws -> Void) throws
    /// Makes another version of a store that is no file, and puts it into its place; false where the engine can't.
    ///
    /// - Parameters:
    ///   - isDone: as above.
    ///   - make: makes the other version at the URL that it gets; the store may be read meanwhile.
    static func rebuild(
        storeAt url: URL, options: [AnyHashable: Any]?, unless isDone: ([String: Any]) -> Bool,
        make: (URL) throws -> Void
    ) throws -> Bool
    /// Removes a store with everything that belongs to it.
    static func destroy(storeAt url: URL, options: [AnyHashable: Any]?) throws
    /// Replaces a store by a copy of another one: contents, metadata and UUID.
    static func replace(
        storeAt url: URL, options: [AnyHashable: Any]?, withCopyOf source: URL, sourceOptions: [AnyHashable: Any]?)
        throws
}

/// A lightweight migration of a store where it lies.
package struct InPlaceMigration {
    package var url: URL
    package var options: [AnyHashable: Any]?
    package var configuration: String?
    package var source: ModelLayout
    package var destination: ModelLayout
    /// What persistent history records of the migration, beside that it took place.
    package var label: String?
    /// Called with the part that is done, from 0 to 1.
    package var progress: (Double) -> Void

    package init(
        url: URL, options: [AnyHashable: Any]?, configuration: String?, source: ModelLayout, destination: ModelLayout,
        label: String?, progress: @escaping (Double) -> Void
    ) {
        self.url = url
        self.options = options
        self.configuration = configuration
        self.source = source
        self.destination = destination
        self.label = label
        self.progress = progress
    }
}

extension UnopenedStores {
    package static var takesEmptyFiles: Bool { false }
    package static var marksUnfinishedCopies: Bool { takesEmptyFiles }
    package static var isReplacedByRenaming: Bool { false }
    package static func model(carriedByStoreAt url: URL) throws -> NSManagedObjectModel? { nil }
    package static func inventory(ofStoreAt url: URL, model: NSManagedObjectModel?) throws -> StoreInventory? { nil }
    package static func findings(inStoreAt url: URL, model: NSManagedObjectModel) throws -> [StoreFinding] {
        throw CoreDataError.unsupportedRequest("Stores of the engine \(self) can't be examined: \(url.path).")
    }
    package static func repair(storeAt url: URL, model: NSManagedObjectModel) throws
        -> (backup: URL, left: [StoreFinding])
    { throw CoreDataError.unsupportedRequest("Stores of the engine \(self) can't be repaired: \(url.path).") }
    package static func contentFiles(ofStoreAt url: URL) -> [URL] { [url] }
    package static func externalFiles(ofStoreAt url: URL) -> ExternalFiles { ExternalFiles() }
    package static func holdingMigrationLock(
        ofStoreAt url: URL, options: [AnyHashable: Any]?, _ body: () throws -> Void
    ) throws {
        try body()
    }
    package static func migrateInPlace(_ migration: InPlaceMigration) throws -> Bool { false }
    package static func replace(
        storeAt url: URL, options: [AnyHashable: Any]?, unless isDone: ([String: Any]) -> Bool, make: () throws -> Void,
        exchange: () throws -> Void
    ) throws {
        if isDone(try metadata(ofStoreAt: url, options: options)) { return }
        try make()
        try exchange()
    }
    package static func rebuild(
        storeAt url: URL, options: [AnyHashable: Any]?, unless isDone: ([String: Any]) -> Bool,
        make: (URL) throws -> Void
    ) throws -> Bool { false }
    package static func replace(
        storeAt url: URL, options: [AnyHashable: Any]?, withCopyOf source: URL, sourceOptions: [AnyHashable: Any]?
    ) throws {
        throw CoreDataError.unsupportedRequest("Stores of the engine \(self) can't be copied: \(source.path).")
    }
}
