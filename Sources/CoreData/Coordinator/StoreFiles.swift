import Foundation

/// Removes and replaces stores that are a file or a folder.
enum StoreFiles {
    static func remove(_ url: URL) throws {
        guard let file = present(url) else { return }
        do {
            try FileManager.default.removeItem(at: file)
        } catch {
            throw failure("can't be removed", url, error)
        }
    }

    /// The old contents are there until the new ones are complete.
    static func replace(_ url: URL, withCopyOf source: URL) throws {
        guard let origin = present(source) else {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "There is no store at \(source.path) that could replace another.",
                [NSFilePathErrorKey: source.path])
        }
        guard url.isFileURL, url.path != "/dev/null" else {
            throw CoreDataError.make(NSPersistentStoreSaveError, "No store can be put at \(url.absoluteString).")
        }
        let target = url.resolvingSymlinksInPath()
        if target == origin { return }
        let folder = target.deletingLastPathComponent()
        let new = folder.appendingPathComponent(".\(target.lastPathComponent).\(UUID().uuidString)")
        let aside = new.appendingPathExtension("old")
        let manager = FileManager.default
        do {
            try manager.createDirectory(at: folder, withIntermediateDirectories: true)
            var isFolder: ObjCBool = false
            if manager.fileExists(atPath: origin.path, isDirectory: &isFolder), isFolder.boolValue {
                try manager.copyItem(at: origin, to: new)
            } else {
                try StoreFileMode.copy(origin, to: new)
            }
            // A file is replaced in one step. A folder isn't, so what was there is moved away first.
            try Disk.synchronizeAll(new)
            if rename(new.path, target.path) == 0 { return try Disk.synchronize(folder) }
            try manager.moveItem(at: target, to: aside)
            do {
                try manager.moveItem(at: new, to: target)
                try Disk.synchronize(folder)
            } catch {
                // Where it can't be moved back it is still there, under the name that the error doesn't hide.
                try? manager.moveItem(at: aside, to: target)
                throw error
            }
            // The store is replaced; the old one beside it is only wasted space.
            try? manager.removeItem(at: aside)
        } catch {
            // The failure that is thrown is the one that matters.
            try? manager.removeItem(at: new)
            throw failure("can't be replaced", url, error)
        }
    }

    /// Where something lies that may be removed or copied; nil for what is no file, and for the null device.
    private static func present(_ url: URL) -> URL? {
        guard url.isFileURL, url.path != "/dev/null" else { return nil }
        let file = url.resolvingSymlinksInPath()
        return FileManager.default.fileExists(atPath: file.path) ? file : nil
    }

    private static func failure(_ what: String, _ url: URL, _ cause: any Error) -> NSError {
        CoreDataError.make(
            NSPersistentStoreOperationError, "The store at \(url.path) \(what): \(cause.localizedDescription)",
            [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: cause])
    }
}
