@_spi(Engine) import CoreDataRows
import Foundation

/// Removes and replaces stores that are a file or a folder.
enum StoreFiles {
    static func remove(_ url: URL) throws {
        recover(url)
        guard let file = present(url) else { return }
        try requireFileOrFolder(file)
        do {
            try FileManager.default.removeItem(at: file)
        } catch {
            throw failure("can't be removed", url, error)
        }
    }

    /// Removes a store that was made for nothing, as far as it can be: the failure that made it so is the one that matters.
    static func discard(_ url: URL, of storeClass: NSPersistentStore.Type, options: [AnyHashable: Any]?) {
        // As above.
        try? storeClass.destroyPersistentStore(at: url, options: options)
        // Destroying a SQLite store leaves an empty file for processes that have it open. No process has this one open.
        if url.isFileURL { try? remove(url) }
    }

    /// The old contents are there until the new ones are complete.
    static func replace(_ url: URL, withCopyOf source: URL) throws {
        recover(source)
        recover(url)
        guard let origin = present(source) else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "There is no store at \(source.path) that could replace another.",
                [NSFilePathErrorKey: source.path])
        }
        guard url.isFileURL, !url.isNullDevice else {
            throw CoreDataError.make(NSPersistentStoreSaveError, "No store can be put at \(url.withoutSecrets).")
        }
        let target = url.resolvingSymlinksInPath()
        if target == origin { return }
        try requireFileOrFolder(target)
        let folder = target.deletingLastPathComponent()
        let manager = FileManager.default
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            let work = try WorkFolder(besides: target)
            // What is in it then is the old contents, or as much of the new ones as there was room for.
            defer { work.remove() }
            let new = work.url.appendingPathComponent(target.lastPathComponent)
            var isFolder: ObjCBool = false
            if manager.fileExists(atPath: origin.path, isDirectory: &isFolder), isFolder.boolValue {
                try manager.copyItem(at: origin, to: new)
            } else {
                // Nobody may read it who might not read both of them.
                try StoreFileMode.copy(origin, to: new, within: target)
            }
            try Disk.synchronizeAll(new)
            // A file is replaced in one step, and so is a folder where the system can exchange names.
            if rename(new.path, target.path) == 0 { return try Disk.synchronize(folder) }
            if try !Disk.exchange(target, with: new) { try replaceInTwoSteps(target, with: new) }
        } catch {
            throw failure("can't be replaced", url, error)
        }
    }

    /// Reserves the place of a new store with an empty file. Only users who may read the old store may read the file.
    ///
    /// - Returns: whether it did: what is there already stays, and what a store without a file, or of a class that doesn't know
    ///   empty ones, makes is its own matter.
    static func reserve(_ url: URL, for storeClass: NSPersistentStore.Type, like store: NSPersistentStore) throws
        -> Bool
    {
        let manager = FileManager.default
        guard storeClass.takesEmptyFiles, url.isFileURL, !url.isNullDevice, !manager.fileExists(atPath: url.path),
            let old = store.url, old.isFileURL, !old.isNullDevice, manager.fileExists(atPath: old.path),
            manager.fileExists(atPath: url.deletingLastPathComponent().path)
        else { return false }
        try StoreFileMode.create(url, like: old)
        return true
    }

    private static let asideExtension = "old"

    /// Moves a folder aside and another one in its place. Between the two, nothing has the folder's name: ``recover(_:)`` gives it
    /// back where the process ends there. A lock, which ends with the process, says whether it did.
    private static func replaceInTwoSteps(_ target: URL, with new: URL) throws {
        let manager = FileManager.default
        let aside = target.deletingLastPathComponent().appendingPathComponent(
            "\(asidePrefix(of: target))\(UUID().uuidString).\(asideExtension)")
        let descriptor = open(target.path, O_RDONLY | O_CLOEXEC)
        defer { if descriptor >= 0 { close(descriptor) } }
        guard descriptor >= 0, flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
            throw CocoaError(.fileLocking, userInfo: [NSFilePathErrorKey: target.path])
        }
        try manager.moveItem(at: target, to: aside)
        do {
            try Disk.rename(new, to: target)
        } catch {
            // Where it can't be moved back it is still there, and the next opening does it.
            try? manager.moveItem(at: aside, to: target)
            throw error
        }
        // The store is replaced; the old one beside it is only wasted space.
        try? manager.removeItem(at: aside)
    }

    /// Gives a store its name back that was moved aside for another one by a process that was ended before it had put that there.
    ///
    /// To be called before a store is looked for. A missing store that no exchange has moved stays missing.
    static func recover(_ url: URL) {
        guard url.isFileURL, !url.isNullDevice else { return }
        let target = url.resolvingSymlinksInPath()
        let manager = FileManager.default
        guard !manager.fileExists(atPath: target.path) else { return }
        for aside in setAside(for: target) {
            let descriptor = open(aside.path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { continue }
            defer { close(descriptor) }
            guard flock(descriptor, LOCK_EX | LOCK_NB) == 0, !manager.fileExists(atPath: target.path) else { continue }
            do {
                try Disk.rename(aside, to: target)
                CoreDataLog.write(
                    "\(target.path) was moved away by a process that ended while it replaced the store; it is back in its place",
                    atLevel: 0)
                return
            } catch {
                CoreDataLog.write(
                    "\(aside.path) is the store that belongs to \(target.path), and can't be moved there: \(error)",
                    atLevel: 0)
            }
        }
    }

    /// Removes the old contents of stores that have new ones, which a process has left that was ended before it did.
    static func removeRemains(besides url: URL) {
        guard FileManager.default.fileExists(atPath: url.path) else { return }
        for aside in setAside(for: url) { WorkFolder.removeUnlocked(aside) }
    }

    private static func asidePrefix(of target: URL) -> String { ".\(target.lastPathComponent)." }

    /// What was moved aside for other contents of a store.
    private static func setAside(for target: URL) -> [URL] {
        let folder = target.deletingLastPathComponent()
        let prefix = asidePrefix(of: target)
        return WorkFolder.hiddenNames(in: folder, startingWith: prefix).compactMap { name in
            let parts = name.dropFirst(prefix.count).split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 2, UUID(uuidString: String(parts[0])) != nil, parts[1] == asideExtension else {
                return nil
            }
            return folder.appendingPathComponent(name)
        }
    }

    /// Where something lies that may be removed or copied; nil for what is no file, and for the null device.
    private static func present(_ url: URL) -> URL? {
        guard url.isFileURL, !url.isNullDevice else { return nil }
        let file = url.resolvingSymlinksInPath()
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    /// - Throws: an error for a pipe, a device or a socket, which no store is.
    private static func requireFileOrFolder(_ url: URL) throws {
        var status = stat()
        guard stat(url.path, &status) == 0, ![S_IFREG, S_IFDIR].contains(status.st_mode & S_IFMT) else { return }
        throw CoreDataError.make(
            NSPersistentStoreOperationError,
            "There is no store at \(url.path): it is neither a file nor a folder, and stays as it is.",
            [NSFilePathErrorKey: url.path])
    }

    private static func failure(_ what: String, _ url: URL, _ cause: any Error) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "The store at \(url.path) \(what): \(cause.localizedDescription)",
            [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: cause])
    }

    /// Removes a file of zero length, which has reserved the place of a store. A file that holds anything stays.
    static func removeReservation(at url: URL) {
        // Where the file's attributes can't be read there is no reservation to remove.
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        guard (attributes?[.size] as? NSNumber)?.intValue == 0, attributes?[.type] as? FileAttributeType == .typeRegular
        else { return }
        // An empty file that can't be removed is as good as none when the store is opened again.
        try? FileManager.default.removeItem(at: url)
    }
}
