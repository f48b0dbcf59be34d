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
    fileprivate static let held = Atomic(0)

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

    /// Removes the files of values that no row has any more. Where a reader still sees an older state of the store, whose rows may
    /// name them, they stay until a later save, or until the store is next opened.
    package func removeObsolete(_ files: [URL]) {
        let all = obsoleteFiles.withLock { waiting -> [URL] in
            defer { waiting = [] }
            return waiting + files
        }
        if all.isEmpty { return }
        do {
            try synchronizeLog()
            if try isReadInPresentStateOnly() {
                SQLiteExternalData.remove(all)
            } else {
                obsoleteFiles.withLock { $0 += all }
            }
        } catch {
            // The files stay where it isn't certain that no row names them after a power cut.
            CoreDataLog.write("\(url.path): the log can't be written through to the disk: \(error)", atLevel: 0)
        }
    }

    /// Whether no connection, of this process or another, reads an older state of the store than the last commit.
    ///
    /// A log is moved into the file as far as the oldest state that is read
    /// (<https://www.sqlite.org/wal.html#checkpointing>), so where all of it was, there is no such state. Without a log,
    /// reading and committing exclude each other.
    func isReadInPresentStateOnly() throws -> Bool {
        do {
            let moved = try connections.writeWithoutTransaction { try $0.checkpoint(.passive) }
            return moved.walFrameCount == moved.checkpointedFrameCount
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            // Another connection moves it at the moment.
            return false
        } catch let error as DatabaseError where [.SQLITE_FULL, .SQLITE_IOERR].contains(error.resultCode) {
            // The disk is full, and removing unreferenced files makes room. Readers in other processes can't be seen.
            return SQLiteGeneration.held.load(ordering: .relaxed) == 0
        }
    }

    /// Waits until what was committed is on the disk. With a write-ahead log a commit alone doesn't wait for that
    /// (<https://www.sqlite.org/pragma.html#pragma_synchronous>), so a power cut may bring back the rows before it.
    func synchronizeLog() throws {
        guard !Self.isInMemory(url) else { return }
        let log = SQLiteStoreFiles(url).log
        if FileManager.default.fileExists(atPath: log.path) { try Disk.synchronize(log) }
    }
}
