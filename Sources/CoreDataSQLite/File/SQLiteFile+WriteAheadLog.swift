@_spi(Engine) import CoreDataRows
import Foundation
import GRDB
import Synchronization

/// The write-ahead log of an open file: who still reads from it, and whether it is on the disk.
extension SQLiteFile {
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
