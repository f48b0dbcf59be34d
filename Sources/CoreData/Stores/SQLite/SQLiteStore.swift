import Foundation
import ManagedObjectModel

/// A store in a SQLite database, in Apple's format.
final class SQLiteStore: NSPersistentStore, @unchecked Sendable {
    override var type: String { NSSQLiteStoreType }
}
