@_spi(Engine) import CoreDataRows
import Foundation
import GRDB

extension SQLiteFileOverwriting {
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
        let files = SQLiteExternalData(store: source)
        if isSame(files.folder, SQLiteExternalData(store: url).folder), !files.fileNames().isEmpty {
            return try replace(
                url, options: options, inFolderOf: source, sourceOptions: sourceOptions, force: force)
        }
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

    private static func isSame(_ folder: URL?, _ other: URL?) -> Bool {
        // The folder itself may not be there yet, and what lies above it may be a link.
        func place(_ url: URL) -> URL {
            let above = url.deletingLastPathComponent().deletingLastPathComponent()
            let name = url.deletingLastPathComponent().lastPathComponent
            return above.resolvingSymlinksInPath().appendingPathComponent(name)
        }
        guard let folder, let other else { return false }
        return place(folder) == place(other)
    }

    /// Replaces a store by the copy of one that has the same folder for its files, such as `Store.bak` beside `Store.sqlite`: the copy's
    /// files get names of their own, as a save into either store removes the files of its old values.
    private static func replace(
        _ url: URL, options: SQLiteOpenOptions, inFolderOf source: URL, sourceOptions: SQLiteOpenOptions, force: Bool
    ) throws {
        let work = try WorkFolder(besides: url)
        defer { work.remove() }
        let copy = work.url.appendingPathComponent(url.lastPathComponent)
        try replace(copy, options: .oneTask, withCopyOf: source, sourceOptions: sourceOptions, force: false)
        try SQLiteExternalData(store: copy).renameFiles()
        let former = namedFiles(of: url)
        try replace(url, options: options, withCopyOf: copy, sourceOptions: .oneTask, force: force)
        // Of what a third store names nothing is known.
        let data = SQLiteExternalData(store: url)
        guard let folder = data.folder, data.sharers.count == 1 else { return }
        let obsolete = former.subtracting(namedFiles(of: source)).subtracting(namedFiles(of: url))
        SQLiteExternalData.remove(obsolete.map { folder.appendingPathComponent($0) })
    }

    /// The files that a store's rows name; none where it can't be read.
    private static func namedFiles(of store: URL) -> Set<String> {
        // Where none is known, none is removed.
        guard let file = try? SQLiteFile.openForReading(store) else { return [] }
        // It was only read.
        defer { try? file.close() }
        // As above.
        return (try? file.read { try SQLiteExternalData(store: store).namedFiles(in: $0) }) ?? []
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
