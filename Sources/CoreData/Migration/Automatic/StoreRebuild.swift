@_spi(Engine) import CoreDataRows
import Foundation

/// Makes a new version of a store beside it, and puts it in the old one's place once it is complete.
///
/// The new file takes the old name in one step of the file system; whatever happens before leaves the old store, and
/// afterwards the new one is there. Files with external values have names of their own, so those of both can lie in the
/// folder at the same time.
struct StoreRebuild {
    let url: URL
    let storeClass: NSPersistentStore.Type
    let options: [AnyHashable: Any]?

    /// - Parameters:
    ///   - isDone: whether the old store's metadata say that another process or stack has done it meanwhile.
    ///   - make: makes the new store at the URL that it gets, and closes it.
    func run(unless isDone: ([String: Any]) -> Bool = { _ in false }, _ make: (URL) throws -> Void) throws {
        guard url.isFileURL else {
            let stores = storeClass.unopenedStores
            if try stores?.rebuild(storeAt: url, options: options, unless: isDone, make: make) ?? false { return }
            throw MigrationError.make(
                "The store at \(url.withoutSecrets) is no file, so that no migrated version can take its place. Migrate it "
                    + "where it is kept, or into another store by NSMigrationManager.")
        }
        let manager = FileManager.default
        let folder = url.deletingLastPathComponent()
        var work: WorkFolder?
        var new = url
        defer { work?.remove() }
        try replace(unless: isDone) {
            // The new store is made again where another process has written to the old one meanwhile.
            work?.remove()
            work = nil
            do {
                let folder = try WorkFolder(besides: url)
                work = folder
                new = folder.url.appendingPathComponent(url.lastPathComponent)
            } catch {
                throw MigrationError.make(
                    "The folder \(folder.path) can't be written: \(error.localizedDescription)", code: NSMigrationError,
                    [NSUnderlyingErrorKey: error])
            }
            try make(new)
        } exchange: {
            // Where the mode can't be read or set, the file has that of new files; its contents are complete either
            // way.
            if let mode = try? manager.attributesOfItem(atPath: url.path)[.posixPermissions] {
                try? manager.setAttributes([.posixPermissions: mode], ofItemAtPath: new.path)
            }
            if storeClass.isReplacedByRenaming {
                try exchange(new)
            } else {
                try storeClass.replacePersistentStore(
                    at: url, options: options, withPersistentStoreFrom: new, sourceOptions: options)
            }
        }
    }

    /// How often a new file is made for a store that others go on writing to.
    private static let attempts = 5

    /// Puts another file in the store's place. What other processes write to it meanwhile isn't lost: they have to wait, or the
    /// exchange is refused.
    ///
    /// - Parameters:
    ///   - make: makes the other file; the store may be read meanwhile. Again where the store was changed until it was done.
    ///   - exchange: gives it the store's name.
    private func replace(
        unless isDone: ([String: Any]) -> Bool, make: () throws -> Void, exchange: () throws -> Void
    ) throws {
        if let stores = storeClass.unopenedStores {
            return try stores.replace(storeAt: url, options: options, unless: isDone, make: make, exchange: exchange)
        }
        for _ in 0..<Self.attempts {
            let stamp = FileStamp(path: url.path)
            // Not every class can tell without opening the store.
            if let metadata = try? storeClass.metadataForPersistentStore(with: url), isDone(metadata) { return }
            try make()
            if FileStamp(path: url.path) == stamp { return try exchange() }
        }
        throw MigrationError.make(
            "\(url.path) was changed by another process again and again while it was migrated. Nothing was replaced.")
    }

    private func externalFiles(ofStoreAt url: URL) -> ExternalFiles {
        storeClass.unopenedStores?.externalFiles(ofStoreAt: url) ?? ExternalFiles()
    }

    private func exchange(_ new: URL) throws {
        let manager = FileManager.default
        let present = externalFiles(ofStoreAt: url)
        let former = present.isShared ? [] : present.files
        let journals = [new, url].flatMap { storeClass.unopenedStores?.contentFiles(ofStoreAt: $0).dropFirst() ?? [] }
        if journals.contains(where: { Self.hasContents($0.path) }) {
            throw MigrationError.make(
                "\(url.path) is in use by another process, so that it can't be replaced by its migrated version.")
        }
        try Disk.synchronize(new)
        try moveExternalFiles(from: new, to: present.folder)
        guard rename(new.path, url.path) == 0 else {
            throw MigrationError.make(
                "The migrated store can't take the place of \(url.path): \(String(cString: strerror(errno))).")
        }
        try Disk.synchronize(url.deletingLastPathComponent())
        // No row of the new store names them; what can't be removed now is when it is opened.
        for file in former { try? manager.removeItem(at: file) }
    }

    private static func hasContents(_ path: String) -> Bool {
        // A file that isn't there has no contents.
        ((try? FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.intValue ?? 0) > 0
    }

    private func moveExternalFiles(from new: URL, to folder: URL?) throws {
        let files = externalFiles(ofStoreAt: new).files
        guard !files.isEmpty, let folder else { return }
        try StoreFileMode.createFolder(folder, like: url)
        for file in files {
            try StoreFileMode.set(file, like: url)
            try Disk.synchronize(file)
            try FileManager.default.moveItem(at: file, to: folder.appendingPathComponent(file.lastPathComponent))
        }
        try Disk.synchronize(folder)
    }
}
