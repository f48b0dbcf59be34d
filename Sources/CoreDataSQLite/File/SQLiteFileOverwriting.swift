@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

/// Empties store files and replaces their contents, by SQLite's locks, with the files that belong to them.
package enum SQLiteFileOverwriting {
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

    /// What a file is that is neither a database nor looks like what is left of one; nil for the others.
    private static func foreignContents(_ probe: SQLiteFileProbe) -> String? {
        guard probe.size > 0, !probe.header.starts(with: Array("SQLite".utf8)), !RefusedFiles.contains(probe.url) else {
            return nil
        }
        // A header that a crash has left empty, or that was cut off.
        if probe.header.allSatisfy({ $0 == 0 }) || Array("SQLite format 3\0".utf8).starts(with: probe.header) {
            return nil
        }
        if probe.hasSQLiteFileBeside { return nil }
        if let folder = SQLiteExternalData(store: probe.url).folder, exists(folder) { return nil }
        return "isn't a SQLite database"
    }

    private static let otherProgram = "is a database of another program: it has tables, and none of Core Data's"

    private static func refusal(_ purpose: String, _ what: String, _ url: URL) -> NSError {
        SQLiteStoreError.error(
            .operation,
            "the file \(what), so it isn't \(purpose); check the path, or set \(NSPersistentStoreForceDestroyOption)",
            url: url)
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

    private static func removeFiles(_ url: URL) throws {
        try SQLiteSideFiles.remove(besides: url)
        if exists(url) { try FileManager.default.removeItem(at: url) }
    }

    private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

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

    /// Whether there are tables, and none that Core Data makes. A store that lacks some of them is damaged.
    private static func isForeign(_ database: Database) throws -> Bool {
        let names = try database.values(
            String.self, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'")
        return !names.isEmpty && !names.contains { $0.hasPrefix("Z") }
    }

    /// Writes one state of a store over another, in one transaction.
    ///
    /// External data comes first and is taken away last, so that at no time a row leads to a file that isn't there.
    ///
    /// - Parameter force: whether what is none of Core Data's is replaced as well. A damaged store always is: a copy of a backup
    ///   is what it needs.
    package static func replace(
        _ url: URL, options: SQLiteOpenOptions, withCopyOf source: URL, sourceOptions: SQLiteOpenOptions, force: Bool
    ) throws {
        guard !SQLiteFile.isInMemory(url) else {
            throw SQLiteStoreError.error(.operation, "a store in memory can't be replaced", url: url)
        }
        if url.resolvingSymlinksInPath() == source.resolvingSymlinksInPath() { return }
        let origin = try SQLiteFile.openForReading(source, options: sourceOptions)
        // It was only read.
        defer { try? origin.close() }
        let probe = try SQLiteFileProbe(url)
        let isNew = probe.size == 0
        if !force, let foreign = foreignContents(probe) { throw refusal("replaced", foreign, url) }
        if !exists(url) { try StoreFileMode.create(url, like: source) }
        let copy = SQLiteExternalDataCopy(of: source, to: url)
        do {
            if !isNew, probe.defect != nil {
                try replaceFile(url, options) { try copy.run(from: origin, into: $0, options: sourceOptions) }
            } else {
                guard access(url.path, W_OK) == 0 else {
                    throw SQLiteStoreError.error(.fileWriteNoPermission, "the file can't be written", url: url)
                }
                let queue = try DatabaseQueue(
                    path: url.path, configuration: SQLiteConnection.hardened(timeout: options.timeout))
                if !force, !isNew, try queue.read(isForeign) {
                    try queue.close()
                    throw refusal("replaced", otherProgram, url)
                }
                // A log fixes the size of pages. It can't be left while others have the file open.
                _ = try? queue.writeWithoutTransaction { try $0.rows("PRAGMA journal_mode = DELETE") }
                try copy.run(from: origin, into: queue, options: sourceOptions)
                try queue.close()
            }
        } catch {
            copy.undo()
            // Nothing was there before; the failure that is thrown is the one that matters.
            if isNew { try? removeFiles(url) }
            throw SQLiteStoreError.translating(error, at: url)
        }
        // Files that the rows of another store name aren't touched.
        guard !SQLiteExternalData(store: url).isShared else { return }
        SQLiteExternalData.remove(externalFiles(of: url).filter { !copy.names.contains($0.lastPathComponent) })
    }

    /// Replaces what no connection can write to, once the copy is whole.
    private static func replaceFile(
        _ url: URL, _ options: SQLiteOpenOptions, copyContents: (DatabaseQueue) throws -> Void
    ) throws {
        let work = try WorkFolder(besides: url)
        defer { work.remove() }
        let new = work.url.appendingPathComponent(url.lastPathComponent)
        try StoreFileMode.create(new, like: url)
        let queue = try DatabaseQueue(
            path: new.path, configuration: SQLiteConnection.hardened(timeout: options.timeout))
        try copyContents(queue)
        try queue.close()
        try Disk.synchronize(new)
        try SQLiteSideFiles.remove(besides: url)
        try Disk.rename(new, to: url)
    }

    /// The files with values of a store: regular ones with names as ours have. A link may lead anywhere.
    private static func externalFiles(of store: URL) -> [URL] {
        let data = SQLiteExternalData(store: store)
        guard let folder = data.folder else { return [] }
        return data.fileNames().sorted().map { folder.appendingPathComponent($0) }.filter { file in
            // A file that is gone by now has nothing to copy or to remove.
            let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
            return attributes?[.type] as? FileAttributeType == .typeRegular
        }
    }
}
