import CoreDataSQL
import Foundation
import GRDB
import ManagedObjectModel
import Synchronization

/// The metadata of a store as the program knows it that has the store open.
///
/// Others may write theirs meanwhile, migrate the store to another model, or put another store in its place. So a save
/// writes only the entries that this program has changed, and nothing into a store of another identifier: the same keys
/// belong to other objects there.
package final class SQLiteKnownMetadata: Sendable {
    private enum Known {
        /// As it was read, and not yet needed to compare: most programs never write any.
        case read(Values)
        case entries([String: PropertyListNode])
    }

    // Safe: what is read from a file are values that nothing changes.
    private struct Values: @unchecked Sendable {
        let metadata: [String: Any]
    }

    /// Nil for a file that is written to without being opened as a store, such as one that is being migrated.
    private let known = Mutex<Known?>(nil)

    /// Records what the store has said when it was read.
    func record(read metadata: [String: Any]) {
        let values = Values(metadata: metadata)
        known.withLock { $0 = .read(values) }
    }

    /// Records what was written to the store and committed.
    func record(written metadata: [String: Any]) throws {
        let entries = try Self.entries(of: metadata)
        known.withLock { $0 = .entries(entries) }
    }

    /// - Throws: `NSPersistentStoreOperationError` where the file is another store than the one that was opened.
    func requireSameStore(_ database: Database) throws {
        let identifier = known.withLock { known -> String? in
            switch known {
            case nil: nil
            case .read(let values): values.metadata[SQLiteMetadata.Key.uuid] as? String
            case .entries(let entries): entries[SQLiteMetadata.Key.uuid]?.string
            }
        }
        guard let identifier else { return }
        let present = try database.value(String.self, "SELECT \(.storeUUID) FROM \(.metadataTable)")
        guard present != identifier else { return }
        throw SQLiteStoreError.error(
            .operation,
            "the store was replaced while it was open: its UUID is \(present ?? "missing") and was \(identifier); nothing "
                + "was written")
    }

    /// Writes the entries that differ from what is known; all of them for a file that wasn't opened as a store.
    func write(_ metadata: [String: Any], to database: Database) throws {
        let known: [String: PropertyListNode]
        switch self.known.withLock({ $0 }) {
        case nil: return try SQLiteMetadata.write(metadata, to: database)
        case .read(let values): known = try Self.entries(of: values.metadata)
        case .entries(let entries): known = entries
        }
        let wanted = try Self.entries(of: metadata)
        var present = try SQLiteMetadata.read(database)
        for key in Set(known.keys).union(wanted.keys) where known[key] != wanted[key] {
            present[key] = metadata[key]
        }
        try SQLiteMetadata.write(present, to: database)
    }

    /// The metadata in a form that can be compared.
    private static func entries(of metadata: [String: Any]) throws -> [String: PropertyListNode] {
        try PropertyListNode.read(SQLiteMetadata.propertyList(metadata)).dictionary ?? [:]
    }
}
