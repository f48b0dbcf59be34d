import Foundation
import GRDB

/// Empties store files and replaces their contents, by SQLite's locks, with the files that belong to them.
enum SQLiteFileReplacement {
    /// Empties a database, which others may have open, and removes its external data. What isn't a sound database is
    /// removed as a file.
    ///
    /// - Parameter force: whether a database that stays locked is removed as well.
    static func destroy(_ url: URL, options: SQLiteOpenOptions, force: Bool) throws {
        guard !SQLiteFile.isInMemory(url) else { return }
        let probe = try SQLiteFileProbe(url)
        if probe.size == 0 || probe.defect != nil {
            try removeFiles(url)
        } else {
            do {
                try empty(url, options)
            } catch let error as DatabaseError {
                let isDamaged = [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(error.resultCode)
                let isLocked = [.SQLITE_BUSY, .SQLITE_LOCKED].contains(error.resultCode)
                guard isDamaged || isLocked && force else { throw SQLiteStoreError.translating(error, at: url) }
                try removeFiles(url)
            }
        }
        let data = SQLiteExternalData(store: url)
        if let folder = data.folder?.deletingLastPathComponent(), exists(folder), !data.isShared(byOthersThan: url) {
            try FileManager.default.removeItem(at: folder)
        }
    }

    private static func removeFiles(_ url: URL) throws {
        for suffix in ["-wal", "-shm", "-journal", ""] {
            let file = URL(fileURLWithPath: url.path + suffix)
            if exists(file) { try FileManager.default.removeItem(at: file) }
        }
    }

    private static func exists(_ url: URL) -> Bool { FileManager.default.fileExists(atPath: url.path) }

    /// The way that SQLite's documentation gives for a database whose tables can't be trusted:
    /// <https://www.sqlite.org/c3ref/c_dbconfig_defensive.html>, under SQLITE_DBCONFIG_RESET_DATABASE.
    private static func empty(_ url: URL, _ options: SQLiteOpenOptions) throws {
        let queue = try DatabaseQueue(path: url.path, configuration: configuration(options))
        try queue.writeWithoutTransaction { database in
            try database.execute(sql: "PRAGMA writable_schema = ON")
            try database.inTransaction(.exclusive) {
                try database.execute(sql: "DELETE FROM sqlite_master")
                return .commit
            }
            try database.execute(sql: "PRAGMA writable_schema = RESET")
            try database.execute(sql: "VACUUM")
            _ = try Row.fetchAll(database, sql: "PRAGMA wal_checkpoint(TRUNCATE)")
        }
        try queue.close()
    }

    private static func configuration(_ options: SQLiteOpenOptions) -> Configuration {
        var configuration = Configuration()
        configuration.label = "CoreData"
        configuration.foreignKeysEnabled = false
        configuration.busyMode = .timeout(options.timeout)
        return configuration
    }

    /// Writes one state of a store over another, in one transaction.
    ///
    /// External data comes first and is taken away last, so that at no time a row leads to a file that isn't there.
    static func replace(
        _ url: URL, options: SQLiteOpenOptions, withCopyOf source: URL, sourceOptions: SQLiteOpenOptions
    ) throws {
        guard !SQLiteFile.isInMemory(url) else {
            throw SQLiteStoreError.error(.operation, "a store in memory can't be replaced", url: url)
        }
        if url.resolvingSymlinksInPath() == source.resolvingSymlinksInPath() { return }
        let origin = try SQLiteFile.openForReading(source, options: sourceOptions)
        defer { try? origin.close() }
        let probe = try SQLiteFileProbe(url)
        let isNew = probe.size == 0
        if !isNew, probe.defect != nil { try removeFiles(url) }
        if !exists(url) { try StoreFileMode.create(url, like: source) }
        let (kept, copied) = try copyExternalData(of: source, to: url)
        do {
            let queue = try DatabaseQueue(path: url.path, configuration: configuration(options))
            // A log fixes the size of pages. It can't be left while others have the file open.
            _ = try? queue.writeWithoutTransaction { try Row.fetchAll($0, sql: "PRAGMA journal_mode = DELETE") }
            try origin.copy(into: queue)
            try queue.close()
        } catch {
            for file in copied { try? FileManager.default.removeItem(at: file) }
            if isNew { try? removeFiles(url) }
            throw SQLiteStoreError.translating(error, at: url)
        }
        // What another store's rows name is no business of this one.
        guard !SQLiteExternalData(store: url).isShared(byOthersThan: url) else { return }
        for file in externalFiles(of: url) where !kept.contains(file.lastPathComponent) {
            try? FileManager.default.removeItem(at: file)
        }
    }

    private static func externalFiles(of store: URL) -> [URL] {
        guard let folder = SQLiteExternalData(store: store).folder else { return [] }
        return (try? FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)) ?? []
    }

    /// - Returns: the names of all files of the source, and the files that weren't there before.
    private static func copyExternalData(of source: URL, to store: URL) throws -> (names: Set<String>, new: [URL]) {
        let files = externalFiles(of: source)
        guard !files.isEmpty, let folder = SQLiteExternalData(store: store).folder else { return ([], []) }
        try StoreFileMode.createFolder(folder, like: source)
        var new: [URL] = []
        do {
            for file in files {
                let target = folder.appendingPathComponent(file.lastPathComponent)
                if exists(target) { continue }
                new.append(target)
                try StoreFileMode.copy(file, to: target)
            }
        } catch {
            for file in new { try? FileManager.default.removeItem(at: file) }
            throw error
        }
        return (Set(files.map(\.lastPathComponent)), new)
    }
}
