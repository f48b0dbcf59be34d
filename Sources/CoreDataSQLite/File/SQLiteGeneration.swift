@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import Synchronization

/// One state of a store file: a connection inside a read transaction that lasts as long as this does.
///
/// The SQLite of Linux distributions can't name states (`SQLITE_ENABLE_SNAPSHOT`), so an open transaction keeps one.
package final class SQLiteGeneration: StoreGeneration {
    private let url: URL
    private let snapshot: Mutex<DatabaseSnapshot?>
    /// How many states are kept in this process, of whatever store.
    static let held = Atomic(0)

    package init(_ pool: DatabasePool, at url: URL) throws {
        self.url = url
        do {
            snapshot = Mutex(try pool.makeSnapshot())
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
        Self.held.add(1, ordering: .relaxed)
    }

    deinit { Self.held.subtract(1, ordering: .relaxed) }

    /// Reads the state.
    package func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        guard let snapshot = snapshot.withLock({ $0 }) else {
            throw SQLiteStoreError.error(
                .operation, "the store was removed, and with it the state that the context is pinned to", url: url)
        }
        do {
            return try snapshot.read(body)
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
    }

    package func close() { snapshot.withLock { $0 = nil } }
}

extension SQLiteFile {
    /// Keeps the present state readable; nil where the file has no write-ahead log.
    package func makeGeneration() throws -> SQLiteGeneration? {
        guard let pool = connections as? DatabasePool, !isReadOnly else { return nil }
        return try SQLiteGeneration(pool, at: url)
    }
}
