@_spi(Engine) import CoreDataRows
import Foundation
import ManagedObjectModel

/// The file of a store that is read and written as a whole.
struct AtomicStoreFile {
    let url: URL

    /// Whether nothing is to be kept: a store without a URL, or with that of the null device, is in memory only.
    var isNull: Bool { url.isNullDevice }

    var exists: Bool { FileManager.default.fileExists(atPath: url.path) }

    var isWritable: Bool { FileManager.default.isWritableFile(atPath: url.path) }

    /// The file's bytes; empty for a reservation.
    ///
    /// - Throws: an error that names the file: it is missing, a folder, or may not be read.
    func read() throws -> Data {
        guard exists else { throw ModelFileError(.unreadable, "there is no such file", in: url) }
        guard isRegular else { throw ModelFileError(.unreadable, "it is a folder or a device, and no file", in: url) }
        do {
            return try Data(contentsOf: url)
        } catch {
            throw ModelFileError(.unreadable, "the file can't be read: \(error.localizedDescription)", in: url)
        }
    }

    /// Whether what is there, or what a link leads to, can be read to an end and replaced.
    private var isRegular: Bool {
        // What can't be asked for its kind can't be read either, and reading says why.
        let kind = try? FileManager.default.attributesOfItem(atPath: url.resolvingSymlinksInPath().path)[.type]
        return kind.map { $0 as? FileAttributeType == .typeRegular } ?? true
    }

    /// - Throws: an error where something is there that is no file: a folder may hold anything.
    func requireFile(for purpose: String) throws {
        guard exists, !isNull, !isRegular else { return }
        throw CoreDataError.make(
            NSPersistentStoreOpenError, "There is no store at \(url.path) that could be \(purpose): it is no file.",
            [NSFilePathErrorKey: url.path])
    }

    /// - Parameter isStore: whether a file that begins so is a store of the kind that is meant, or what a crash has left of one.
    /// - Throws: an error where something else is there, or may be: a wrong path is the likeliest reason for it.
    func requireContents(for purpose: String, _ isStore: (Data) -> Bool) throws {
        try requireFile(for: purpose)
        guard exists, !isNull else { return }
        guard let head = RegularFile.firstBytes(of: url.path, count: Self.headLength) else {
            let isForbidden = access(url.path, R_OK) != 0 && errno == EACCES
            throw CoreDataError.make(
                (isForbidden ? CocoaError.fileReadNoPermission : .fileReadUnknown).rawValue,
                "The file \(url.path) can't be read, so it isn't known to be a store of this type, and isn't \(purpose); set "
                    + "\(NSPersistentStoreForceDestroyOption) if it is.",
                [NSFilePathErrorKey: url.path])
        }
        if head.allSatisfy({ $0 == 0 }) || isStore(Data(head)) { return }
        throw CoreDataError.make(
            NSPersistentStoreOperationError,
            "The file \(url.path) holds something else than a store of this type, so it isn't \(purpose); check the path and "
                + "the type, or set \(NSPersistentStoreForceDestroyOption).",
            [NSFilePathErrorKey: url.path])
    }

    /// As much as it takes to tell XML of ours from other XML.
    static let headLength = 4096

    /// The bytes of a file that must be a store, as for reading its metadata.
    func readStore() throws -> Data {
        let data = try read()
        guard !data.isEmpty else { throw ModelFileError(.malformed, "the file is empty", in: url) }
        return data
    }

    /// Where links lead, also where the file isn't there yet, which Foundation doesn't resolve.
    private var target: URL {
        var target = url.resolvingSymlinksInPath()
        // As many as the system follows.
        for _ in 0..<40 {
            // What can't be read as a link is none, and opening it says what else is wrong.
            guard let next = try? FileManager.default.destinationOfSymbolicLink(atPath: target.path) else { break }
            // Foundation takes ".." out by its letters, unless the folder is there to be asked.
            let path = next.hasPrefix("/") ? next : target.deletingLastPathComponent().path + "/" + next
            let folder = String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)])
            target = URL(fileURLWithPath: folder + "/").resolvingSymlinksInPath()
                .appendingPathComponent(String(path[path.index(after: folder.endIndex)...]))
        }
        return target
    }

    /// Reserves the place with an empty file, so that no other store is made there before the first save.
    func reserve() throws {
        do {
            try Data().write(to: target, options: .withoutOverwriting)
        } catch {
            throw CoreDataError.make(
                NSPersistentStoreOpenError, "A store can't be made at \(url.path): \(error.localizedDescription)",
                [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error])
        }
    }

    /// Replaces the file's contents: after a crash there are either the old ones or the new ones.
    func write(_ data: Data) throws { try staged(data).commit() }

    /// New contents, written and flushed to a file of their own: what can fail of a save has been done then, but for a rename.
    func staged(_ data: Data) throws -> StagedFile {
        let target = target
        do {
            let staged = StagedFile(url: url, target: target, folder: try WorkFolder(besides: target))
            do {
                try StoreFileMode.write(data, to: staged.temporary, like: target)
            } catch {
                staged.discard()
                throw error
            }
            return staged
        } catch {
            throw StagedFile.unwritable(url, error)
        }
    }
}

/// The next contents of a file, beside it.
struct StagedFile {
    fileprivate let url: URL
    fileprivate let target: URL
    fileprivate let folder: WorkFolder

    fileprivate var temporary: URL { folder.url.appendingPathComponent(target.lastPathComponent) }

    /// Takes the place of the present contents.
    func commit() throws {
        do {
            try Disk.rename(temporary, to: target)
        } catch {
            discard()
            throw Self.unwritable(url, error)
        }
        discard()
    }

    func discard() { folder.remove() }

    fileprivate static func unwritable(_ url: URL, _ error: any Error) -> NSError {
        let isFull = (error as? CocoaError)?.code == .fileWriteOutOfSpace
        return CoreDataError.make(
            isFull ? CocoaError.fileWriteOutOfSpace.rawValue : NSPersistentStoreSaveError,
            "The store at \(url.path) can't be written: \(error.localizedDescription)",
            [NSFilePathErrorKey: url.path, NSUnderlyingErrorKey: error])
    }
}
