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
    private let held: HeldGenerations

    package init(_ pool: DatabasePool, at url: URL, held: HeldGenerations) throws {
        self.url = url
        self.held = held
        do {
            snapshot = Mutex(try pool.makeSnapshot())
        } catch {
            throw SQLiteStoreError.translating(error, at: url)
        }
        held.count.add(1, ordering: .relaxed)
    }

    deinit { held.count.subtract(1, ordering: .relaxed) }

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
        return try SQLiteGeneration(pool, at: url, held: heldGenerations)
    }

    /// Removes the files of values that no row has any more. While a state of the store is kept, whose rows may name
    /// them, they stay until the store is next opened.
    package func removeObsolete(_ files: [URL]) {
        if files.isEmpty || heldGenerations.count.load(ordering: .relaxed) > 0 { return }
        do {
            try synchronizeLog()
            SQLiteExternalData.remove(files)
        } catch {
            // The files stay where it isn't certain that no row names them after a power cut.
            CoreDataLog.write("\(url.path): the log can't be written through to the disk: \(error)", atLevel: 0)
        }
    }

    /// Waits until what was committed is on the disk. With a write-ahead log a commit alone doesn't wait for that
    /// (<https://www.sqlite.org/pragma.html#pragma_synchronous>), so a power cut may bring back the rows before it.
    func synchronizeLog() throws {
        guard !Self.isInMemory(url) else { return }
        let log = URL(fileURLWithPath: url.path + "-wal")
        if FileManager.default.fileExists(atPath: log.path) { try Disk.synchronize(log) }
    }
}

/// How many states of a file are kept.
package final class HeldGenerations: Sendable {
    package let count = Atomic(0)
}
