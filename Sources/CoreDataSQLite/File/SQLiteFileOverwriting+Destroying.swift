@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

extension SQLiteFileOverwriting {
    /// Empties a database, which others may have open, and removes its external data. The file stays, and is there afterwards where
    /// it wasn't before: programs remove it next, without asking whether there is one.
    ///
    /// - Parameter force: whether a database that stays locked is removed as well, and a file that isn't a Core Data
    ///   store.
    /// - Throws: an error for a file that isn't a Core Data store, such as a text: a wrong path is the likeliest reason
    ///   for it.
    package static func destroy(_ url: URL, options: SQLiteOpenOptions, force: Bool) throws {
        // Of a store in memory there is no file (seen in the tests of CareKit). The device itself is refused (seen in CoreDataPlus).
        if SQLiteFile.isInMemory(url) {
            guard url.isNullDeviceItself else { return }
            throw SQLiteStoreError.error(.operation, "a store in memory has no file that could be destroyed", url: url)
        }
        let probe = try SQLiteFileProbe(url)
        if !force, let foreign = foreignContents(probe) { throw refusal("destroyed", foreign, url) }
        let externalValues = try removableExternalValues(of: url)
        if probe.size == 0 || probe.defect != nil {
            try truncate(url)
        } else {
            do {
                try empty(url, options, requiresStore: !force)
            } catch let error as DatabaseError {
                let isDamaged = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
                let isLocked = [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
                guard isDamaged || isLocked && force else { throw SQLiteStoreError.translating(error, at: url) }
                // The process that has it locked goes on with a file without a name.
                if isLocked { try removeFiles(url) }
                try truncate(url)
            }
        }
        if let externalValues { try FileManager.default.removeItem(at: externalValues) }
    }

    /// The folder that is removed with a store; nil where there is none of its own.
    ///
    /// - Throws: an error where it can't be removed. The store isn't emptied then.
    private static func removableExternalValues(of url: URL) throws -> URL? {
        let data = SQLiteExternalData(store: url)
        guard let folder = data.folder?.deletingLastPathComponent(), exists(folder), !data.isShared else { return nil }
        guard FileManager.default.isDeletableFile(atPath: folder.path) else {
            throw SQLiteStoreError.error(
                .fileWriteNoPermission,
                "the folder of its external values, \(folder.lastPathComponent), can't be removed; nothing was destroyed",
                url: url)
        }
        return folder
    }

    /// Leaves an empty file, which SQLite takes for an empty database.
    private static func truncate(_ url: URL) throws {
        try SQLiteSideFiles.remove(besides: url)
        guard exists(url) else {
            do {
                return try StoreFileMode.create(url, like: url)
            } catch {
                throw SQLiteStoreError.error(
                    .operation, "the file can't be made: \(error.localizedDescription)", url: url)
            }
        }
        guard Foundation.truncate(url.path, 0) == 0 else {
            throw SQLiteStoreError.error(
                .operation, "the file can't be emptied: \(String(cString: strerror(errno)))", url: url)
        }
    }

    /// The way that SQLite's documentation gives for a database whose tables can't be trusted:
    /// <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>, under SQLITE_DBCONFIG_RESET_DATABASE.
    private static func empty(_ url: URL, _ options: SQLiteOpenOptions, requiresStore: Bool) throws {
        let queue = try DatabaseQueue(
            path: url.path, configuration: SQLiteConnection.hardened(timeout: options.timeout))
        if requiresStore, try queue.read(isForeign) {
            try queue.close()
            throw refusal("destroyed", otherProgram, url)
        }
        try queue.writeWithoutTransaction { database in
            try SQLiteConnection.withWritableSchema(database) {
                try database.run("PRAGMA writable_schema = ON")
                try database.inTransaction(.exclusive) {
                    try database.run("DELETE FROM sqlite_master")
                    return .commit
                }
                try database.run("PRAGMA writable_schema = RESET")
            }
            try SQLiteConnection.vacuum(database)
            _ = try database.rows("PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
    }
}
