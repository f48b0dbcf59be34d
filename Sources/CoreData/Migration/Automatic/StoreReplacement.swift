import Foundation

/// Makes a new version of a store beside it, and puts it in the old one's place once it is complete.
///
/// The new file takes the old name in one step of the file system; whatever happens before leaves the old store, and
/// afterwards the new one is there. Files with external values have names of their own, so those of both can lie in the
/// folder at the same time.
struct StoreReplacement {
    let url: URL
    let storeClass: NSPersistentStore.Type
    let options: [AnyHashable: Any]?

    /// - Parameter make: makes the new store at the URL that it gets, and closes it.
    func run(_ make: (URL) throws -> Void) throws {
        let manager = FileManager.default
        let folder = url.deletingLastPathComponent()
        let name = ".\(url.lastPathComponent)-migration-\(UUID().uuidString)"
        let work = folder.appendingPathComponent(name, isDirectory: true)
        let new = work.appendingPathComponent(url.lastPathComponent)
        do {
            try manager.createDirectory(at: work, withIntermediateDirectories: false)
        } catch {
            throw MigrationError.make(
                "The folder \(folder.path) can't be written: \(error.localizedDescription)", code: NSMigrationError,
                [NSUnderlyingErrorKey: error])
        }
        defer { try? manager.removeItem(at: work) }
        try make(new)
        // Where a neighbour has the same folder, nobody can tell whose the files are without its model.
        let former = SQLiteExternalData(store: url).isShared(byOthersThan: url) ? [] : externalFiles(of: url)
        // What the old store has in its log goes into its file, as the log mustn't be taken for the new one's.
        try storeClass.settle(storeAt: url, options: options)
        for suffix in ["-wal", "-journal"]
        where Self.hasContents(new.path + suffix) || Self.hasContents(url.path + suffix) {
            throw MigrationError.make(
                "\(url.path) is in use by another process, so that it can't be replaced by its migrated version.")
        }
        if let attributes = try? manager.attributesOfItem(atPath: url.path)[.posixPermissions] {
            try? manager.setAttributes([.posixPermissions: attributes], ofItemAtPath: new.path)
        }
        try synchronize(new)
        try moveExternalFiles(from: new)
        guard rename(new.path, url.path) == 0 else {
            throw MigrationError.make(
                "The migrated store can't take the place of \(url.path): \(String(cString: strerror(errno))).")
        }
        try synchronize(folder)
        for file in former { try? manager.removeItem(at: file) }
    }

    private static func hasContents(_ path: String) -> Bool {
        ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0) > 0
    }

    private func synchronize(_ url: URL) throws {
        let descriptor = open(url.path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw failure("can't be opened", url) }
        defer { close(descriptor) }
        guard fsync(descriptor) == 0 else { throw failure("can't be written through to the disk", url) }
    }

    private func failure(_ text: String, _ url: URL) -> NSError {
        MigrationError.make("\(url.path) \(text): \(String(cString: strerror(errno))).")
    }

    private func externalFiles(of store: URL) -> [URL] {
        let data = SQLiteExternalData(store: store)
        guard let folder = data.folder else { return [] }
        return data.fileNames().sorted().map { folder.appendingPathComponent($0) }
    }

    private func moveExternalFiles(from new: URL) throws {
        let files = externalFiles(of: new)
        guard !files.isEmpty, let folder = SQLiteExternalData(store: url).folder else { return }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        for file in files {
            try synchronize(file)
            try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent(file.lastPathComponent))
        }
        try synchronize(folder)
    }
}
